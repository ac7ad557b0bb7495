package recall

import (
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// BenchmarkBeside does in one run, over the same transcripts, what a search can be held
// against: plain reading, which nothing that looks at every byte beats, and `rg -c`,
// which does it for one word. The budget of a key is a fiftieth of the latter, four
// times that with what tools gave.
func BenchmarkBeside(b *testing.B) {
	cfg, size := benchHome(b)
	b.Run("reading", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			if err := readAll(cfg.Env.Home); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("rg -c", func(b *testing.B) {
		rg, err := exec.LookPath("rg")
		if err != nil {
			b.Skip("ripgrep is not here")
		}
		b.SetBytes(size)
		for b.Loop() {
			if err := exec.Command(rg, "-c", "--hidden", "--no-ignore", "cache", cfg.Env.Home).Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	e := Open(cfg)
	defer func() { _ = e.Close() }()
	if err := e.Wait(b.Context()); err != nil {
		b.Fatal(err)
	}
	for _, where := range []string{"", " in:all"} {
		b.Run("typing"+where, func(b *testing.B) {
			ask(b, e, Query{Text: "cache" + where}) // the words of tools are made when first asked for
			for b.Loop() {
				for _, end := range []int{1, 2, 3, 5, 8, 12, 21} {
					ask(b, e, Query{Text: "cache layout decision"[:end] + where, Typing: true, Limit: 20})
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(7*b.N), "ms/key")
		})
	}
}

// readAll reads every file below dir.
func readAll(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }() // only read
		_, err = io.Copy(io.Discard, f)
		return err
	})
}
