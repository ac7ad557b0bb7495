package cli

import (
	"fmt"
	"os"
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
// to its being on the screen, with no key pressed. Budget: 50 ms at the 95th
// percentile.
func BenchmarkAppendedLine(b *testing.B) {
	home := demoHomeCopy(b)
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
		time.Sleep(time.Second) // a lone line comes to a screen at rest
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
