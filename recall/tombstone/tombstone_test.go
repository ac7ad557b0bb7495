package tombstone

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"yore/sessions"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func stone(id, dir string) Stone {
	return Stone{Key: sessions.Key{Harness: "claude", ID: id}, Directory: dir, At: noon}
}

func read(t *testing.T, dir string) List {
	t.Helper()
	l, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The last line about a session counts, and each change gives another hash.
func TestTheLastLineCounts(t *testing.T) {
	dir := t.TempDir()
	if l := read(t, dir); l.Hash != 0 || len(l.Stones) != 0 {
		t.Fatalf("%+v of nothing", l)
	}
	a, b := stone("a", "/home/me/<a> & \"b\""), stone("b ~2", "")
	b.With = "a"
	must(t, Forget(dir, []Stone{a, b}))
	first := read(t, dir)
	if want := map[sessions.Key]Stone{a.Key: a, b.Key: b}; !reflect.DeepEqual(first.Stones, want) {
		t.Errorf("%+v, want %+v", first.Stones, want)
	}
	must(t, CallBack(dir, []Stone{a}))
	second := read(t, dir)
	if want := map[sessions.Key]Stone{b.Key: b}; !reflect.DeepEqual(second.Stones, want) || second.Hash == first.Hash {
		t.Errorf("%+v, want %+v", second, want)
	}
	must(t, Forget(dir, []Stone{a}))
	if third := read(t, dir); len(third.Stones) != 2 || third.Hash == first.Hash {
		t.Errorf("%+v", third)
	}
	info, err := os.Stat(filepath.Join(dir, Name))
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
}

// What is forgotten is told to be only once the name of the file is on disk too.
func TestWhatIsForgottenIsForcedToDiskWithItsName(t *testing.T) {
	dir := t.TempDir()
	var synced []string
	sync := func(dir string) error {
		synced = append(synced, dir)
		return os.ErrInvalid
	}
	if err := add(dir, []Stone{stone("a", "")}, false, sync); !errors.Is(err, os.ErrInvalid) || len(synced) != 1 || synced[0] != dir {
		t.Errorf("%v, synced %q", err, synced)
	}
}

// A line that was cut short, and one of something else, cost themselves.
func TestATornLineCostsItself(t *testing.T) {
	dir := t.TempDir()
	must(t, Forget(dir, []Stone{stone("a", "")}))
	path := filepath.Join(dir, Name)
	data, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, append(data, "\x00\xff\n[1]\n{\"harness\":\"claude\",\"sess"...), 0o600))
	must(t, Forget(dir, []Stone{stone("b", "")}))
	if l := read(t, dir); len(l.Stones) != 2 {
		t.Errorf("%+v", l.Stones)
	}
}

func memoryOf(l List) Memory {
	m := Memory{Hash: l.Hash}
	for key := range l.Stones {
		m.Names = append(m.Names, NameOf(key))
	}
	return m
}

// Whatever the file loses, a memory of it knows what was forgotten: a cut at each place,
// each byte changed, a file of before, none. That is told from one that has grown, also
// while the last line is being written.
func TestWhatTheFileLosesIsRemembered(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, Name)
	must(t, Forget(dir, []Stone{stone("a", "/x"), stone("b", "")}))
	must(t, CallBack(dir, []Stone{stone("a", "/x")}))
	before := read(t, dir)
	must(t, Forget(dir, []Stone{stone("a", "/x")}))
	whole, err := os.ReadFile(path)
	must(t, err)
	now := read(t, dir)
	a, b := NameOf(stone("a", "").Key), NameOf(stone("b", "").Key)
	known := func(data []byte, m Memory) (damaged bool) {
		t.Helper()
		l := parse(data)
		lost, damaged := l.Compare(m)
		for _, s := range []Stone{stone("a", ""), stone("b", "")} {
			if _, there := l.Stones[s.Key]; !there && !lost[NameOf(s.Key)] {
				t.Fatalf("%s is not forgotten any more by %q", s.ID, data)
			}
		}
		return damaged
	}
	for n := range whole {
		if damaged := known(whole[:n], memoryOf(now)); !damaged && n < len(whole)-1 {
			t.Errorf("a cut at %d is not seen", n)
		}
		changed := append([]byte(nil), whole...)
		changed[n] ^= 1
		if changed[n] != '\n' && !known(changed, memoryOf(now)) {
			t.Errorf("a change at %d is not seen", n)
		}
	}
	for n := range whole { // of a file that grows from what is remembered
		l := parse(whole[:n])
		if lost, damaged := parse(whole).Compare(memoryOf(l)); damaged || len(lost) > 0 {
			t.Fatalf("grown from %d bytes: %v lost, damaged %v", n, lost, damaged)
		}
	}
	if lost, damaged := now.Compare(Memory{before.Hash, []uint64{b}}); damaged || len(lost) > 0 {
		t.Errorf("%v lost, damaged %v", lost, damaged)
	}
	if lost, damaged := before.Compare(memoryOf(now)); !damaged || !lost[a] || len(lost) != 1 {
		t.Errorf("a file of before: %v lost, damaged %v", lost, damaged)
	}
	must(t, os.Remove(path))
	if lost, damaged := read(t, dir).Compare(memoryOf(now)); !damaged || len(lost) != 2 {
		t.Errorf("no file: %v lost, damaged %v", lost, damaged)
	}
}

// A process that is killed while it appends, or a full disk, leaves a part of what it had
// to say: that is no damage, also when others append behind it, whole lines of it count
// and the others cost nothing. A line that was written and changed since is damage.
func TestCutShortIsNoDamage(t *testing.T) {
	appended := func(stones ...Stone) []byte {
		dir := t.TempDir()
		must(t, Forget(dir, stones))
		data, err := os.ReadFile(filepath.Join(dir, Name))
		must(t, err)
		return data
	}
	before, after := appended(stone("a", "/x")), appended(stone("d", ""))
	batch := appended(stone("b", "/y"), stone("c", "")) // nothing remembers it yet
	m := memoryOf(parse(before))
	for n := range len(batch) + 1 {
		at := append(bytes.Clone(before), batch[:n]...)
		for _, then := range [][]byte{nil, after, append(bytes.Clone(batch[:n]), after...)} {
			l := parse(append(bytes.Clone(at), then...))
			if lost, damaged := l.Compare(m); damaged || len(lost) > 0 || l.Unread > 0 {
				t.Fatalf("cut at %d of %d, %d bytes behind it: damaged %v, %d unread", n, len(batch), len(then), damaged, l.Unread)
			}
			want := 1
			for _, name := range []string{"b", "c"} {
				if end := bytes.Index(batch, []byte("\""+name+"\"")); n >= end+bytes.IndexByte(batch[end:], '\n') {
					want++
				}
			}
			if then != nil {
				want++
			}
			if len(l.Stones) != want {
				t.Fatalf("cut at %d of %d, %d bytes behind it: %d are forgotten, want %d", n, len(batch), len(then), len(l.Stones), want)
			}
			if lost, damaged := parse(append(append(bytes.Clone(at), then...), after...)).Compare(memoryOf(l)); damaged || len(lost) > 0 {
				t.Fatalf("cut at %d of %d, remembered with it: damaged %v", n, len(batch), damaged)
			}
		}
	}
	for n := range batch {
		changed := bytes.Clone(batch)
		changed[n] ^= 1
		if _, damaged := parse(append(append(bytes.Clone(before), changed...), after...)).Compare(m); !damaged && batch[n] != '\n' {
			t.Errorf("a change at %d is not seen: %q", n, changed)
		}
	}
}

// What is lost can be called back once the memory is of the damaged file, and a damaged
// line is said once: then the memory knows of it.
func TestCalledBackAfterDamage(t *testing.T) {
	dir := t.TempDir()
	must(t, Forget(dir, []Stone{stone("a", "")}))
	m := memoryOf(read(t, dir))
	must(t, os.WriteFile(filepath.Join(dir, Name), []byte("{\"harness\":\"cla\n"), 0o600))
	l := read(t, dir)
	if lost, damaged := l.Compare(m); !damaged || len(lost) != 1 || l.Unread != 1 {
		t.Fatalf("%v lost, damaged %v, %d unread", lost, damaged, l.Unread)
	}
	m.Hash = l.Hash
	if lost, damaged := l.Compare(m); damaged || len(lost) != 1 {
		t.Errorf("again: %v lost, damaged %v", lost, damaged)
	}
	must(t, CallBack(dir, []Stone{stone("a", "")}))
	if lost, damaged := read(t, dir).Compare(m); damaged || len(lost) != 0 {
		t.Errorf("called back: %v lost, damaged %v", lost, damaged)
	}
}

// Lines of earlier versions, which have no sum, count.
func TestLinesWithoutASum(t *testing.T) {
	l := parse([]byte("\n{\"harness\":\"claude\",\"session\":\"a\",\"at\":\"2026-05-01T12:00:00Z\"}\n"))
	if _, there := l.Stones[stone("a", "").Key]; !there || l.Unread != 0 {
		t.Errorf("%+v", l)
	}
}

// What stands in the file's place is neither read nor written.
func TestSomethingElseInItsPlace(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, Name), 0o700))
	if _, err := Read(dir); err == nil {
		t.Error("a folder was read")
	}
	if err := Forget(dir, []Stone{stone("a", "")}); err == nil {
		t.Error("a folder was written")
	}
}

// No bytes make reading panic, and what is forgotten behind them counts.
func FuzzRead(f *testing.F) {
	f.Add([]byte("\n{\"harness\":\"claude\",\"session\":\"a\",\"at\":\"2026-05-01T12:00:00Z\",\"back\":true}\n"))
	f.Add([]byte("{\"harness\":\"claude\",\"session\":\"b\",\"at\":7}\n{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, Name), data, 0o600))
		b := stone("b", "/x")
		must(t, Forget(dir, []Stone{b}))
		if l := read(t, dir); l.Stones[b.Key] != b || l.Hash == 0 {
			t.Errorf("%+v", l.Stones)
		}
	})
}
