package claude

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

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
	if got := s.take(1, "s").Title; got != "renamed" {
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

// Files are searched once for all that look for an owner at the same time.
func TestOneSearchForAll(t *testing.T) {
	f := &folder{dir: t.TempDir(), heads: map[string]*opener{}}
	for i := range 100 {
		name := fmt.Sprint(i, transcriptExt)
		f.heads[name] = nil
		if err := os.WriteFile(filepath.Join(f.dir, name), []byte(strings.Repeat(" ", 64<<10)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
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
