package recall

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// damagedEvery is how far apart the bytes are that are changed, a few in
// each of these small files.
const damagedEvery = 1800

// A byte of any part of the index is another, which is noticed before a question, or in
// the middle of one by what reads that part first, or while it is open. No question ends
// in a panic, and none gives what passes for whole and is not.
func TestEveryPartDamaged(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	b := newBusy(dir, 5)
	for range 400 {
		if err := b.step(); err != nil {
			t.Fatal(err)
		}
	}
	e := loadedEngine(t, keptConfig(dir, data))
	questions := []string{
		"cache", "lattice retries slow", `"lattice retries"`, "cache -lunch", "why is the cache sharded", "/caf. layout/",
		"retries role:user since:2020-01-01", "lattice in:all", "the cach", `"no such phrase" OR café`,
	}
	var want []Answer
	for _, q := range questions {
		want = append(want, ask(t, e, Query{Text: q}))
	}
	end(t, e)
	whole := filesIn(t, data)
	for name, b := range whole {
		if kind := filepath.Ext(name); kind != ".seg" && kind != ".vec" {
			continue
		}
		for at := 0; at < len(b); at += damagedEvery {
			for _, open := range []bool{false, true} {
				askDamaged(t, dir, whole, damage{name, at, open}, questions, want)
			}
		}
	}
}

// damage is a byte of a file that is changed, before it is opened or while it is open.
type damage struct {
	name string
	at   int
	open bool
}

func askDamaged(t *testing.T, dir string, whole map[string][]byte, d damage, questions []string, want []Answer) {
	t.Helper()
	data := t.TempDir()
	for name, b := range whole {
		if err := os.WriteFile(filepath.Join(data, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	spoil := func() {
		f, err := os.OpenFile(filepath.Join(data, d.name), os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteAt([]byte{^whole[d.name][d.at]}, int64(d.at)); err != nil {
			t.Fatal(err)
		}
	}
	if !d.open {
		spoil()
	}
	e := loadedEngine(t, keptConfig(dir, data))
	if d.open {
		spoil()
	}
	for i := range questions {
		// each is the first somewhere: what one reads is in memory for the next
		k := (i + d.at/damagedEvery) % len(questions)
		a := ask(t, e, Query{Text: questions[k]})
		if a.Complete && a.PassagesMatched != want[k].PassagesMatched {
			t.Errorf("%v: %s: %d passages, not %d, %q", d, questions[k], a.PassagesMatched, want[k].PassagesMatched, a.Notes)
		}
		if !a.Complete && !strings.Contains(strings.Join(a.Notes, " "), "the next start reads it again") {
			t.Errorf("%v: %s: what can be read is not waited for, %q", d, questions[k], a.Notes)
		}
		for _, h := range a.Hits {
			if strings.TrimSpace(h.Text) == "" && a.Complete {
				t.Errorf("%v: %s: a hit without text", d, questions[k])
			}
		}
	}
	end(t, e)
	e = loadedEngine(t, keptConfig(dir, data))
	for k, q := range questions {
		if a := ask(t, e, Query{Text: q}); !a.Complete || a.PassagesMatched != want[k].PassagesMatched {
			t.Errorf("%v: after a start %s: %d passages, not %d, complete %v, %q", d, q, a.PassagesMatched, want[k].PassagesMatched, a.Complete, a.Notes)
		}
	}
	end(t, e)
}

// filesIn are the files of a folder by their names.
func filesIn(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = b
	}
	return files
}
