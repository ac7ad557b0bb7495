package harness

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
)

// The sessions of every harness are listed once where its whole home was synced into a
// second folder as well.
func TestASecondHomeOfTheSameSessions(t *testing.T) {
	eachSample(t, func(t *testing.T, _, home string) {
		second := t.TempDir()
		if err := os.CopyFS(second, os.DirFS(home)); err != nil {
			t.Fatal(err)
		}
		want, got := sessionsOf(t, home, nil), sessionsOf(t, home, elsewhere(home, second))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

// eachSample tests with a copy of each harness's samples, as a home of its own.
func eachSample(t *testing.T, test func(t *testing.T, name, home string)) {
	t.Helper()
	entries, err := os.ReadDir(samplesOf(""))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		t.Run(e.Name(), func(t *testing.T) {
			t.Parallel()
			home := harnesstest.CopyTree(t, filepath.Join(samplesOf(""), e.Name()))
			harnesstest.Databases(t, home)
			test(t, e.Name(), home)
		})
	}
}

// elsewhere are the places of every harness in a second home.
func elsewhere(home, second string) map[string][]string {
	extra := make(map[string][]string)
	for _, src := range All() {
		for _, root := range src.Roots(env(home)) {
			if under, err := filepath.Rel(home, root.Path); err == nil && filepath.IsLocal(under) {
				if _, err := os.Stat(filepath.Join(second, under)); err == nil {
					extra[src.Name()] = append(extra[src.Name()], filepath.Join(second, under))
				}
			}
		}
	}
	return extra
}

// sessionsOf are the names of all sessions in a home, with their passages.
func sessionsOf(t *testing.T, home string, extra map[string][]string) []string {
	t.Helper()
	var mu sync.Mutex
	found := make(map[string]*sessions.Update)
	e := env(home)
	e.Extra = extra
	l := sessions.NewLibrary(sessions.Options{Sources: All(), Env: e})
	err := l.Run(t.Context(), func(updates []sessions.Update) {
		mu.Lock()
		defer mu.Unlock()
		for _, u := range updates {
			if u.Removed {
				delete(found, nameOf(u))
				continue
			}
			gather(found, u)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(found))
}
