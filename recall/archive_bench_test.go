package recall

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"yore/sessions"
	invented "yore/sessions/corpus"
	"yore/sessions/harness/claude"
	"yore/sessions/harness/codex"
)

// keptVariable names the size, in MB, of the transcripts that BenchmarkStart and
// BenchmarkFirstIndex read, as in YORE_BENCH_MB=300.
const keptVariable = "YORE_BENCH_MB"

// benchHome is a home directory with invented transcripts, and their size.
func benchHome(b *testing.B) (Config, int64) {
	b.Helper()
	mb := 10
	if text := os.Getenv(keptVariable); text != "" {
		var err error
		if mb, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	home := b.TempDir()
	stats, err := invented.Write(home, invented.Options{Bytes: int64(mb) << 20})
	if err != nil {
		b.Fatal(err)
	}
	return Config{
		Sources: []sessions.Source{claude.New(), codex.New()}, DataDir: filepath.Join(home, "data"),
		Env: sessions.Env{Home: home, Getenv: func(string) string { return "" }, GOOS: "linux"},
	}, stats.Bytes
}

func answer(b *testing.B, e *Engine) {
	b.Helper()
	if _, err := e.Ask(b.Context(), Query{Text: "cache layout decision"}); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkStart opens what is kept and answers once; the budget is 0.2 s. Beside
// it stands what is on disk in percent of the transcripts; the budget is 25.
func BenchmarkStart(b *testing.B) {
	cfg, size := benchHome(b)
	e := Open(cfg)
	if err := e.Wait(b.Context()); err != nil {
		b.Fatal(err)
	}
	if err := e.Close(); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		e := Open(cfg)
		answer(b, e)
		b.StopTimer()
		if err := e.Wait(b.Context()); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(100*float64(e.Status().Kept.Bytes)/float64(size), "%disk")
		if err := e.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// BenchmarkFirstIndex reads everything and writes it; the budget is 200 MB/s until
// conversation can be searched, on two processors.
func BenchmarkFirstIndex(b *testing.B) {
	cfg, size := benchHome(b)
	b.SetBytes(size)
	for b.Loop() {
		e := Open(cfg)
		if err := e.Wait(b.Context()); err != nil {
			b.Fatal(err)
		}
		if err := e.Close(); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := os.RemoveAll(cfg.DataDir); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
