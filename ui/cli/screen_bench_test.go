package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"yore/sessions/corpus"
)

// benchHome is a home directory to measure in: the sample sessions, or invented
// transcripts of YORE_BENCH_MB megabytes.
func benchHome(b *testing.B) string {
	b.Helper()
	mb, err := strconv.Atoi(os.Getenv("YORE_BENCH_MB"))
	if err != nil || mb < 1 {
		return demoHomeCopy(b)
	}
	home := b.TempDir()
	if _, err := corpus.Write(home, corpus.Options{Bytes: int64(mb) * 1_000_000, Seed: 1}); err != nil {
		b.Fatal(err)
	}
	return home
}

// soon waits for the screen as until does, but looks often enough to measure.
func (x *terminal) soon(ok func(screen string) bool) {
	x.t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Microsecond) {
		if ok(x.text()) {
			return
		}
	}
	x.t.Fatalf("the screen is still:\n%s", x.text())
}

// BenchmarkFirstFrame is the time from the start of the program, in a terminal
// that answers nothing, to its first frame. Budget: 0.15 s, best of ten.
func BenchmarkFirstFrame(b *testing.B) {
	home := benchHome(b)
	best := time.Hour
	for b.Loop() {
		began := time.Now()
		x := startTerminal(b, home, 200, 60)
		x.soon(func(screen string) bool { return strings.Contains(screen, "❯") })
		best = min(best, time.Since(began))
		b.StopTimer()
		x.send("\x03")
		x.exit()
		b.StartTimer()
	}
	b.ReportMetric(float64(best.Microseconds())/1000, "best-ms")
}

// BenchmarkAppendedLine is the time from a line's being appended to a transcript
// to its being on the screen, with no key pressed: a lone one, and one among fifty
// transcripts that grow by twenty lines a second each. Budgets: 50 and 250 ms at the
// 95th percentile.
func BenchmarkAppendedLine(b *testing.B) {
	b.Run("lone", func(b *testing.B) { benchAppended(b, demoHomeCopy(b), time.Second) })
	b.Run("in a storm", func(b *testing.B) {
		home := demoHomeCopy(b)
		storm(b, filepath.Join(home, ".claude", "projects", "-home-dev-storm"))
		benchAppended(b, home, 500*time.Millisecond)
	})
}

// benchAppended appends lines, each after a pause.
func benchAppended(b *testing.B, home string, pause time.Duration) {
	x := startTerminal(b, home, 120, 40, "-q", "zanzibarprobe")
	x.soon(func(screen string) bool { return strings.Contains(screen, "live") })
	path := shopSession(b, home)
	n := 0
	var took []time.Duration
	for b.Loop() {
		n++
		word := fmt.Sprintf("zanzibarprobe%d", n)
		b.StopTimer()
		x.send("\x15" + word)
		x.soon(func(screen string) bool { return strings.Contains(screen, "Nothing answers “"+word+"”") })
		time.Sleep(pause + time.Duration(rand.IntN(200))*time.Millisecond)
		b.StartTimer()
		began := time.Now()
		appendReply(b, path, "Now "+word+" exists."+strings.Repeat(" ", n))
		x.soon(func(screen string) bool { return strings.Contains(screen, "Now "+word) })
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[(len(took)*95-1)/100].Microseconds())/1000, "p95-ms")
}

// storm has fifty transcripts in dir grow by twenty lines a second each until the
// benchmark ends.
func storm(b *testing.B, dir string) {
	b.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		b.Fatal(err)
	}
	var paths []string
	for i := range 50 {
		paths = append(paths, filepath.Join(dir, fmt.Sprintf("00000000-0000-4000-8000-%012x.jsonl", i)))
		if err := os.WriteFile(paths[i], nil, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Second / 20)
		defer tick.Stop()
		for n := 0; ; n++ {
			select {
			case <-end:
				return
			case <-tick.C:
			}
			for i, path := range paths {
				appendReply(b, path, fmt.Sprintf("remark %d of session %d on retries, caches and queries%s", n, i, strings.Repeat(" ", n)))
			}
		}
	}()
	b.Cleanup(func() { close(end); <-ended })
}
