package recall

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"yore/recall/topic"
	"yore/sessions"
)

// talkative writes transcripts with more passages than adapting needs.
func talkative(t *testing.T, dir string) {
	t.Helper()
	g := newGenerator(t)
	for range 12 {
		var b strings.Builder
		for _, p := range g.session(30).Passages {
			b.WriteString(strings.ReplaceAll(p.Text, "\n", " ") + "\n")
		}
		for b.Len() < 40_000 {
			b.WriteString(g.text(1000, g.words[300:360]) + "\n")
		}
		if err := os.WriteFile(filepath.Join(dir, g.words[g.talks]+".log"), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func openKept(t *testing.T, dir, data string) *Engine {
	t.Helper()
	e := Open(keptConfig(dir, data))
	t.Cleanup(func() { e.Close() })
	if err := e.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := e.Keep(); err != nil {
		t.Fatal(err)
	}
	return e
}

// ofOneModel tells whether all vectors are of the model with this hash.
func ofOneModel(e *Engine, hash uint64) bool {
	for _, seg := range e.corpus(scope{talk: true}).segs {
		if seg.Model() != hash {
			return false
		}
	}
	return true
}

// The table is adapted once, lies beside the index for its owner alone, and the next
// start takes it up with the vectors that it made. X4: a damaged one is not used, nor
// are its vectors.
func TestAdaptedTableIsKept(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	talkative(t, dir)
	e := openKept(t, dir, data)
	base := topic.Embedded().Hash()
	if !ofOneModel(e, base) {
		t.Fatal("the first vectors are not the embedded table's")
	}
	err := e.Adapt(t.Context())
	adapted := e.models.now.Load().Hash()
	if kept, ok := AdaptedIn(data); err != nil || adapted == base || !ofOneModel(e, adapted) || !ok || kept.Table.Hash() != adapted || kept.Passages < topic.LeastPassages {
		t.Fatalf("adapted to %d passages (%v), vectors of one table: %v", kept.Passages, err, ofOneModel(e, adapted))
	}
	if err := e.Adapt(t.Context()); !errors.Is(err, ErrStillFits) {
		t.Errorf("a corpus of the same size is adapted to again (%v)", err)
	}
	info, err := os.Stat(filepath.Join(data, adaptedName))
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v (%v)", info, err)
	}
	e.Close()

	e = openKept(t, dir, data)
	if e.models.now.Load().Hash() != adapted || !ofOneModel(e, adapted) {
		t.Error("the next start does not take the adapted table up")
	}
	e.Close()

	path := filepath.Join(data, adaptedName)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	whole[len(whole)/2] ^= 1
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	e = openKept(t, dir, data)
	if e.models.now.Load().Hash() != base {
		t.Error("a damaged table is used")
	}
	if err := e.Remake(t.Context()); err != nil || !ofOneModel(e, base) {
		t.Errorf("vectors of a table that is not there are used (%v)", err)
	}
}

// While vectors are made anew, those of the table before are good: a question is put
// to each segment by the table that its vectors are of.
func TestOldVectorsAreGoodUntilReplaced(t *testing.T) {
	e := engineOf(t, said("a", day(3), "The sharded cache grows without bound on disk."))
	other, err := topic.Adapt(context.Background(), topic.Embedded(), func(yield func([]string) bool) {
		g := newGenerator(t)
		for range 10 {
			var texts []string
			for range 25 {
				texts = append(texts, g.text(300, g.words[300:360]))
			}
			if !yield(texts) {
				return
			}
		}
	})
	if err != nil || other == topic.Embedded() {
		t.Fatal("nothing was adapted", err)
	}
	e.edition().index.Close() // nothing is made anew
	e.models.use(other)
	e.edition().index.Apply([]sessions.Update{said("b", day(2), "The sharded cache grows without bound on disk.").update()})
	models := map[uint64]bool{}
	for _, seg := range e.corpus(scope{talk: true}).segs {
		models[seg.Model()] = true
	}
	s, _, err := e.newSearch(t.Context(), Query{Text: "sharded cache on disk"})
	if err != nil || len(models) != 2 {
		t.Fatalf("%d tables (%v)", len(models), err)
	}
	s.embedQuery(e.models)
	for i, seg := range s.corpus.segs {
		if near := s.aims[i].cosine(seg.Vector(0, nil)); near < s.aims[i].floor {
			t.Errorf("cosine %.2f by the table of the segment, whose floor is %.2f", near, s.aims[i].floor)
		}
	}
}
