package cline_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"yore/sessions/harness/cline"
	"yore/sessions/harness/harnesstest"
)

const (
	fork     = "1785758900000_m2p7d"
	original = "1785758400000_k3x9q"
	own      = "instead keep jpeg and use mozjpeg\nmozjpeg saves 11 % with no client changes."
)

// What a fork repeats is told by it where the session that it was made of is excluded, or
// damaged, and only then.
func TestForkOfWhatIsNotThere(t *testing.T) {
	t.Parallel()
	home := harnesstest.CopyTree(t, samples)
	path := filepath.Join(home, ".cline/data/sessions", original, original+".messages.json")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damage := func() { // long ago
		harnesstest.Write(t, path, string(whole[:len(whole)/2]))
		before := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, before, before); err != nil {
			t.Fatal(err)
		}
	}
	l := harnesstest.Follow(t, cline.New(), harnesstest.Env(home, nil))
	for _, step := range []struct {
		name     string
		exclude  []string
		happens  func()
		repeated bool
	}{
		{"excluded", []string{path}, func() {}, true}, {"no longer", nil, func() {}, false},
		{"damaged", nil, damage, true}, {"whole", nil, func() { harnesstest.Write(t, path, string(whole)) }, false},
	} {
		l.Exclude = step.exclude
		l.Restart(cline.New(), step.happens)
		if s := l.Of(fork); (s.Own != own) != step.repeated || s.ForkedFrom != original {
			t.Errorf("%s: %q", step.name, s.Own)
		}
	}
}
