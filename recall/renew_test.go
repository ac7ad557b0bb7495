package recall

import (
	"slices"
	"sync"
	"testing"
	"time"

	"yore/recall/index"
)

// await waits until something is so.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.After(time.Minute); !holds(); {
		select {
		case <-time.After(10 * time.Millisecond):
		case <-deadline:
			t.Fatalf("never happened: %s", what)
		}
	}
}

// asking asks without a pause until the test ends; all answers must have these sessions.
func asking(t *testing.T, e *Engine, want ...string) (stop func()) {
	end := make(chan struct{})
	var asker sync.WaitGroup
	asker.Go(func() {
		for {
			select {
			case <-end:
				return
			default:
			}
			a, err := e.Ask(t.Context(), Query{Text: "lattice", All: true})
			if got := ids(a); err != nil || len(got) != len(want) {
				t.Errorf("%q answer, %v", got, err)
				return
			}
			_ = e.Status()
		}
	})
	return func() {
		close(end)
		asker.Wait()
	}
}

// When the process that writes has removed what was forgotten, one that only reads opens
// the index anew, so that it holds no file of before; it answers all the while.
func TestReaderOpensAnewWhatWasPurged(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	for _, id := range []string{"a", "b", "c"} {
		write(t, dir, id, "the lattice of "+id)
	}
	cfg := keptConfig(dir, data)
	cfg.Watch = true
	writer := loadedEngine(t, cfg)
	defer writer.Close()
	if err := writer.Keep(); err != nil {
		t.Fatal(err)
	}
	reader := loadedEngine(t, cfg)
	defer reader.Close()
	before, first := reader.Status().Generation, reader.edition()
	forget(t, writer, "a")
	stop := asking(t, reader, "b", "c")
	await(t, "that the reader opens the index anew", func() bool { return reader.edition() != first })
	stop()
	saysNothing(t, reader)
	if now := reader.Status(); now.Generation <= before || now.Kept.Writes || !now.Progress.Complete {
		t.Errorf("generation %d became %+v", before, now)
	}
	<-first.done
	write(t, dir, "d", "the lattice of d")
	awaitAnswers(t, reader, "b", "c", "d")
	sameAsFresh(t, reader, dir)
}

// A reader that has just opened the index anew goes on to see what is forgotten and called
// back, though it is not asked.
func TestReaderSeesWhatIsForgottenAfterItOpenedAnew(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	for _, id := range []string{"a", "b", "c"} {
		write(t, dir, id, "the lattice of "+id)
	}
	cfg := keptConfig(dir, data)
	cfg.Watch, cfg.renewAgain = true, time.Hour
	writer := loadedEngine(t, cfg)
	defer writer.Close()
	if err := writer.Keep(); err != nil {
		t.Fatal(err)
	}
	reader := loadedEngine(t, cfg)
	defer reader.Close()
	first, live := reader.edition(), func() int { return reader.edition().index.Snapshot().Live(index.Talk) }
	forget(t, writer, "a")
	await(t, "that the reader opens the index anew", func() bool { return reader.edition() != first })
	forget(t, writer, "b")
	await(t, "that the reader has forgotten", func() bool { return live() == 1 })
	if _, err := CallBack(data, Choice{Sessions: []string{"a"}}); err != nil {
		t.Fatal(err)
	}
	await(t, "that the reader has read again", func() bool { return live() == 2 })
}

// When the process that wrote has ended, and left what one that reads has not seen, that
// one takes over: what is new is written.
func TestReaderTakesOver(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	write(t, dir, "a", "the lattice of a")
	cfg := keptConfig(dir, data)
	cfg.Watch = true
	writer := loadedEngine(t, cfg)
	reader := loadedEngine(t, cfg)
	defer reader.Close()
	write(t, dir, "b", "the lattice of b")
	awaitAnswers(t, writer, "a", "b")
	awaitAnswers(t, reader, "a", "b")
	end(t, writer)
	if reader.Status().Kept.Writes {
		t.Fatal("both write")
	}
	stop := asking(t, reader, "a", "b")
	await(t, "that the reader writes", func() bool {
		if err := reader.Keep(); err != nil {
			t.Fatal(err)
		}
		return reader.Status().Kept.Writes
	})
	stop()
	write(t, dir, "c", "the lattice of c")
	awaitAnswers(t, reader, "a", "b", "c")
	end(t, reader)
	next := Open(keptConfig(dir, data))
	defer next.Close()
	if got := matched(t, next, "lattice"); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("%q are kept", got)
	}
}

// An engine that is closed while it opens the index anew ends.
func TestCloseWhileOpeningAnew(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	write(t, dir, "a", "the lattice of a")
	cfg := keptConfig(dir, data)
	cfg.Watch = true
	for range 20 {
		e := loadedEngine(t, cfg)
		if err := e.Keep(); err != nil {
			t.Fatal(err)
		}
		other := loadedEngine(t, cfg)
		other.waiting.Go(other.renew)
		end(t, other)
		end(t, e)
	}
	e := loadedEngine(t, cfg)
	defer e.Close()
	sameAsFresh(t, e, dir)
}
