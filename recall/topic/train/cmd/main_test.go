package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A table made of a few pages holds their words, is the same when it is made again,
// and can be measured.
func TestMakeAndMeasure(t *testing.T) {
	dir := t.TempDir()
	var page strings.Builder
	for i := range 8 {
		fmt.Fprintf(&page, "<h2>Row locks %d</h2><p>The transaction holds its lock until commit %d.</p>", i, i)
		fmt.Fprintf(&page, "<h2>Page cache %d</h2><p>The buffer keeps hot blocks in memory %d.</p>", i, i)
	}
	write(t, filepath.Join(dir, "docs/manual/index.html"), page.String())
	glove := filepath.Join(dir, "glove.json")
	write(t, glove, `{"vectors":{"lock":[`+strings.Repeat("1,", 100)+`1],"kitchen":[`+strings.Repeat("2,", 100)+`1],"two-part":[`+strings.Repeat("2,", 100)+`1]}}`)
	make := func(out string) (files [3]string) {
		err := run(context.Background(), []string{"make", "-docs", filepath.Join(dir, "docs"), "-glove", glove, "-out", out, "-dim", "8", "-batch", "4"})
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range []string{"table.i8", "scale.f32", "vocab.txt"} {
			content, err := os.ReadFile(filepath.Join(out, name))
			if err != nil {
				t.Fatal(err)
			}
			files[i] = string(content)
		}
		return files
	}
	first := make(filepath.Join(dir, "a"))
	if first != make(filepath.Join(dir, "b")) {
		t.Error("the same texts give another table")
	}
	words := strings.Fields(first[2])
	if len(first[0]) != 8*len(words) || len(first[1]) != 4*len(words) {
		t.Errorf("%d and %d bytes for %d words", len(first[0]), len(first[1]), len(words))
	}
	for word, known := range map[string]bool{"transact": true, "lock": true, "kitchen": true, "the": false, "part": false} {
		if strings.Contains("\n"+first[2], "\n"+word+"\n") != known {
			t.Errorf("%q is in the vocabulary: %v", word, !known)
		}
	}

	set := filepath.Join(dir, "set.jsonl")
	write(t, set, `{"pool":"p","session":"s","passage":"the transaction and its lock"}
{"pool":"p","session":"s","passage":"a buffer in memory"}
{"pool":"p","query":"lock of a transaction","relevant":[0]}
`)
	if err := run(context.Background(), []string{"measure", "-adapted", "-table", filepath.Join(dir, "a"), set}); err != nil {
		t.Error(err)
	}
	if err := run(context.Background(), []string{"floor", "-table", filepath.Join(dir, "a"), set, set}); err != nil {
		t.Error(err)
	}
	write(t, set, "{")
	if err := run(context.Background(), []string{"measure", set}); err == nil || !strings.Contains(err.Error(), "set.jsonl:1") {
		t.Errorf("a broken set: %v", err)
	}
}

func TestRunWithoutSense(t *testing.T) {
	for _, args := range [][]string{nil, {"mend"}, {"make"}, {"measure", "-table", "/nowhere"}, {"measure", "/nowhere.jsonl"}} {
		if err := run(context.Background(), args); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}

func TestFigures(t *testing.T) {
	var f figures
	f.add([]int{4, 1, 2, 3, 0, 5, 6, 7, 8, 9}, []int{4, 9})
	f.add([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, []int{1})
	f.add([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, []int{9})
	if got, want := f.String(), "3 questions, R@1 33.3, one at 8 66.7, R@8 50.0, MRR 0.533, above the floor 0.0"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
