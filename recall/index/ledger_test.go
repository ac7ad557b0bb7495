package index

import (
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"yore/sessions"
)

// states are what a directory keeps of transcripts, in words.
func states(saved []sessions.Saved) (all []string) {
	for _, s := range saved {
		kind := "one "
		if s.Many {
			kind = "many "
		}
		all = append(all, kind+string(s.State))
	}
	slices.Sort(all)
	return all
}

func publishAll(t *testing.T, s *Store, saved ...sessions.Saved) {
	t.Helper()
	if err := s.Publish(func(take func([]sessions.Saved)) { take(saved) }); err != nil {
		t.Fatal(err)
	}
}

// States of one transcript and of many lie beside each other, and one that has no bytes
// any more is gone, also once the ledger is written anew.
func TestStatesOfManyAndNone(t *testing.T) {
	dir := t.TempDir()
	want := []string{"many of 2", "one of 3"}
	x, s, _ := keptIn(t, dir, hashedOptions)
	x.Apply([]sessions.Update{one("a", "text")})
	publishAll(t, s, sessions.Saved{Number: 1, State: []byte("of 1")}, sessions.Saved{Number: 2, State: []byte("of 2"), Many: true})
	publishAll(t, s, sessions.Saved{Number: 1}, sessions.Saved{Number: 3, State: []byte("of 3")}, sessions.Saved{Number: 4, Many: true})
	for range 2 {
		x.Close()
		s.Close()
		var saved []sessions.Saved
		x, s, saved = keptIn(t, dir, hashedOptions)
		if got := states(saved); !slices.Equal(got, want) {
			t.Errorf("kept %q, want %q", got, want)
		}
		large := strings.Repeat("x", ledgerSlack)
		for range 3 { // so that it is written anew
			publishAll(t, s, sessions.Saved{Number: 3, State: []byte(large)})
		}
		publishAll(t, s, sessions.Saved{Number: 3, State: []byte("of 3")})
	}
	x.Close()
	s.Close()
}

// A process that does not write says too that the ledger is damaged, and keeps what can
// be read of it.
func TestReadersTellOfADamagedLedger(t *testing.T) {
	dir := t.TempDir()
	x, s, _ := keptIn(t, dir, hashedOptions)
	defer x.Close()
	defer s.Close()
	x.Apply([]sessions.Update{one("a", "text")})
	publish(t, s, "1")
	x.Apply([]sessions.Update{one("b", "other text")})
	publish(t, s, "2")
	path := ledgerPath(dir, s.on.ledger.number)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-3] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	y, other, _ := keptIn(t, dir, hashedOptions)
	defer y.Close()
	defer other.Close()
	if k := other.Kept(); k.Writes || len(k.Notes) != 1 || !strings.Contains(k.Notes[0], path+" is damaged") {
		t.Errorf("%+v", k)
	}
	if _, there := y.Snapshot().Find(sessions.Key{Harness: "claude", ID: "a"}); !there {
		t.Error("what can be read is not kept")
	}
}

// relabelLedger makes a ledger one of the version before.
func relabelLedger(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	binary.LittleEndian.PutUint32(data[magicBytes:], ledgerVersion-1)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A ledger of the version before is taken over as it is, and written anew.
func TestLedgersOfTheVersionBefore(t *testing.T) {
	dir := t.TempDir()
	x, s, _ := keptIn(t, dir, hashedOptions)
	x.Apply([]sessions.Update{one("a", "text"), one("b", "other text")})
	publish(t, s, "state")
	x.Close()
	s.Close()
	path := ledgerPath(dir, s.on.ledger.number)
	relabelLedger(t, path)
	for start := range 2 {
		x, s, saved := keptIn(t, dir, hashedOptions)
		if got := states(saved); !slices.Equal(got, []string{"one state"}) {
			t.Errorf("start %d: states %q", start, got)
		}
		for _, id := range []string{"a", "b"} {
			if _, whole := wholeIn(x, sessions.Key{Harness: "claude", ID: id}); !whole {
				t.Errorf("start %d: %s is not whole", start, id)
			}
		}
		publishAll(t, s)
		if _, err := os.Stat(path); err == nil {
			t.Errorf("start %d: the former ledger is still there", start)
		}
		if notes := s.Kept().Notes; len(notes) > 0 {
			t.Errorf("start %d: %q", start, notes)
		}
		x.Close()
		s.Close()
	}
}

// A ledger that cannot be written on is written anew also where it holds no state, and no
// record of a session is made for that which is not written.
func TestAFormerLedgerIsWrittenAnewAtOnce(t *testing.T) {
	dir := t.TempDir()
	x, s, _ := keptIn(t, dir, hashedOptions)
	x.Apply([]sessions.Update{one("a", "text"), one("b", "other text")})
	publishAll(t, s)
	x.Close()
	s.Close()
	former := ledgerPath(dir, s.on.ledger.number)
	relabelLedger(t, former)
	x, s, _ = keptIn(t, dir, hashedOptions)
	defer x.Close()
	defer s.Close()
	if records, err := s.records(x.Snapshot()); err != nil || len(records) > 0 {
		t.Errorf("%d records are made, %v", len(records), err)
	}
	publishAll(t, s)
	if _, err := os.Stat(former); err == nil {
		t.Error("the former ledger is still there")
	}
	again := s.on.generation
	publishAll(t, s)
	if s.on.generation != again {
		t.Error("it is written once more")
	}
}

// A ledger of which nothing is read again does not stay open.
func TestLedgerIsClosed(t *testing.T) {
	dir := writtenIn(t)
	m, err := readManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, found, err := readLedger(dir, m.ledger)
	if err != nil {
		t.Fatal(err)
	}
	if len(found.again.at) > 0 {
		t.Error("something is read again")
	}
	if f := found.again.file.(*os.File); !errors.Is(f.Close(), os.ErrClosed) {
		t.Error("it is left open")
	}
}
