package corpus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, relErr := filepath.Rel(dir, path)
		if relErr != nil {
			return relErr
		}
		out[rel] = data
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTheSameSeedWritesTheSameBytes(t *testing.T) {
	a, b, c := t.TempDir(), t.TempDir(), t.TempDir()
	for dir, seed := range map[string]uint64{a: 7, b: 7, c: 8} {
		if _, err := Write(dir, Options{Bytes: 2_000_000, Seed: seed}); err != nil {
			t.Fatal(err)
		}
	}
	first, second, other := files(t, a), files(t, b), files(t, c)
	if len(first) != len(second) {
		t.Fatalf("%d files, then %d", len(first), len(second))
	}
	for name, data := range first {
		if !bytes.Equal(data, second[name]) {
			t.Errorf("%s differs", name)
		}
		if _, ok := other[name]; ok {
			t.Errorf("another seed wrote %s too", name)
		}
	}
}

func TestSharesAreThoseOfRealTranscripts(t *testing.T) {
	dir := t.TempDir()
	s, err := Write(dir, Options{Bytes: 20_000_000, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	share := float64(s.Conversation) / float64(s.Bytes)
	if share < 0.03 || share > 0.10 {
		t.Errorf("%.1f %% conversation; about 5 %% is real", 100*share)
	}
	for name, data := range files(t, dir) {
		lines := bufio.NewScanner(bytes.NewReader(data))
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			if !json.Valid(lines.Bytes()) {
				t.Fatalf("%s holds a line that is no JSON", name)
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
}
