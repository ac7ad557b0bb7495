package claude

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"yore/sessions/store"
)

// Titles of files that are gone make room, and a full store takes the next of a record for
// the one before.
func TestTitlesMakeRoom(t *testing.T) {
	var s summaries
	long := strings.Repeat("t", keptTitles/4)
	for i := range uint64(4) {
		s.add(i, summary{Title: long, File: store.Hash("a")})
	}
	s.add(1, summary{Title: "renamed", After: 1, File: store.Hash("b")})
	if got := s.take(1, "s", true).Title; got != "renamed" {
		t.Errorf("a full store keeps a title of %d bytes", len(got))
	}
	s.gone([]string{"a"})
	if s.bytes != len("renamed") || len(s.titles) != 1 {
		t.Errorf("%d titles of %d bytes are left", len(s.titles), s.bytes)
	}
	s.gone([]string{"s"})
	if len(s.taken) > 0 {
		t.Errorf("%d takings are left", len(s.taken))
	}
}

// blanks is a project of files that take some time to search.
func blanks(t *testing.T) *folder {
	f := &folder{dir: t.TempDir(), heads: map[string]*opener{}}
	for i := range 100 {
		name := fmt.Sprint(i, transcriptExt)
		f.heads[name] = nil
		if err := os.WriteFile(filepath.Join(f.dir, name), []byte(strings.Repeat(" ", 64<<10)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// Files are searched once for all that look for an owner at the same time.
func TestOneSearchForAll(t *testing.T) {
	f := blanks(t)
	search := func(workers int) uint64 {
		var before, after runtime.MemStats
		f.summaries.places = nil
		runtime.ReadMemStats(&before)
		var all sync.WaitGroup
		for range workers {
			all.Go(func() { f.owners(map[uint64]bool{1: true}, "") })
		}
		all.Wait()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if one, many := search(1), search(8); many > one*3/2 {
		t.Errorf("%d bytes for one, %d for eight", one, many)
	}
}

// Files are searched once for all that look for titles at the same time.
func TestOneSearchForAllTitles(t *testing.T) {
	f := blanks(t)
	var asked atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			f.recollect(t.Context(), func(string) bool {
				asked.Add(1)
				return true
			})
		})
	}
	all.Wait()
	if n := int(asked.Load()); n != len(f.heads) {
		t.Errorf("%d files were looked at, there are %d", n, len(f.heads))
	}
}

// A record that is read while files are searched is not lost: the search may have been past
// its file by then.
func TestARecordIsReadWhileFilesAreSearched(t *testing.T) {
	f := blanks(t)
	s := &f.summaries
	noted := func() (files int) { // how many are searched, or read meanwhile
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.places != nil {
			files = len(s.places.files)
		}
		return files
	}
	for deadline := time.Now().Add(30 * time.Second); ; {
		s.places = nil
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			f.owners(map[uint64]bool{1: true}, "")
		}()
		for at := time.Now(); noted() == 0 && time.Since(at) < time.Second; {
			runtime.Gosched()
		}
		s.passed("s.jsonl", []uint64{7})
		met := 0 < noted() && noted() <= len(f.heads) // else the search was over by then
		if <-ended; met {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("while files are searched nothing is noted")
		}
	}
	s.add(7, summary{Title: "named"})
	if got := f.owners(map[uint64]bool{7: true}, ""); len(got) != 1 || filepath.Base(got[0]) != "s.jsonl" {
		t.Errorf("owners %q", got)
	}
}

// Those files are searched for titles that are not read in any case, each once.
func TestFilesAreSearchedForTitlesOnce(t *testing.T) {
	f := &folder{dir: t.TempDir(), heads: map[string]*opener{"a.jsonl": {}, "b.jsonl": {}, "c.jsonl": {}}}
	write := func(name, title string) {
		line := fmt.Sprintf(`{"type":"summary","summary":%q,"leafUuid":%q}`+"\n", title, name)
		if err := os.WriteFile(filepath.Join(f.dir, name), []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name := range f.heads {
		write(name, "first")
	}
	f.summaries.read("b.jsonl")
	known := func(path string) bool { return filepath.Base(path) != "c.jsonl" }
	f.recollect(t.Context(), known)
	write("a.jsonl", "changed")
	f.recollect(t.Context(), known)
	for name, want := range map[string]string{"a.jsonl": "first", "b.jsonl": "", "c.jsonl": ""} {
		if got := f.summaries.titles[store.Hash(name)].Title; got != want {
			t.Errorf("%s: title %q, want %q", name, got, want)
		}
	}
}

func TestReleasesThatWroteSummaries(t *testing.T) {
	for version, want := range map[string]bool{"": true, "0.2.9": true, "1.0.44": true, "1": true, "2.0.1": false, "10.1.0": false} {
		if got := isEarly(version); got != want {
			t.Errorf("%q: %v", version, got)
		}
	}
}
