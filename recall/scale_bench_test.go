package recall

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// typedPhrases are typed one character at a time, 261 keystrokes in all. Their
// common words are kept, most of their words occur and some do not.
var typedPhrases = []string{
	"cache layout decision", "why is the test failing", "race condition watcher", "internal/parser",
	"how did we decide the config format", "the", "a", "xz", "session_recall", "file.go:42",
	"error string in the log", "memory usage of the index", "what did the agent decide last week",
	"permission denied", "sqlite journal mode", "v1.2.3 release",
}

// scaleVariable names the sizes, in passages, of the corpora that BenchmarkTyping
// searches beside the small one, as in YORE_BENCH_PASSAGES=200000,1000000.
const scaleVariable = "YORE_BENCH_PASSAGES"

func benchSizes(b *testing.B) []int {
	sizes := []int{5_000}
	for text := range strings.SplitSeq(os.Getenv(scaleVariable), ",") {
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil {
			b.Fatal(err)
		}
		sizes = append(sizes, n)
	}
	return sizes
}

var scaled struct {
	sync.Mutex
	engines map[int]*Engine
}

// scaledEngine is an Engine with n invented passages, made once.
func scaledEngine(b *testing.B, n int) *Engine {
	b.Helper()
	scaled.Lock()
	defer scaled.Unlock()
	if e := scaled.engines[n]; e != nil {
		return e
	}
	e := open(Config{Zone: time.UTC, Now: func() time.Time { return testNow }}, &fakeLibrary{loaded: make(chan struct{})})
	newGenerator(b).feed(e, n)
	e.index.Compact()
	if err := e.Close(); err != nil { // it answers as before, nothing goes on beside it
		b.Fatal(err)
	}
	scaled.engines = map[int]*Engine{n: e} // the one before is given back
	runtime.GC()
	return e
}

// BenchmarkTyping asks at every keystroke of the phrases, as the screen does. The
// figures are of single keystrokes in ms: over all of them, and (best) over the
// fastest that each was in any round, which is nearer to a machine at rest.
func BenchmarkTyping(b *testing.B) {
	for _, n := range benchSizes(b) {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			e := scaledEngine(b, n)
			var all, best []float64
			cpu, keys := cpuTime(), 0
			b.ReportAllocs()
			for round := 0; b.Loop(); round++ {
				key := 0
				for _, phrase := range typedPhrases {
					for end := 1; end <= len(phrase); end++ {
						a := ask(b, e, Query{Text: phrase[:end], Typing: true, Limit: 20})
						ms := a.Took.Seconds() * 1000
						all = append(all, ms)
						if round == 0 {
							best = append(best, ms)
						}
						best[key] = min(best[key], ms)
						key++
					}
				}
				keys += key
			}
			b.ReportMetric((cpuTime()-cpu).Seconds()*1000/float64(keys), "cpu-ms/key")
			reportPercentiles(b, all, "")
			reportPercentiles(b, best, "best-")
			reportMemory(b)
		})
	}
}

// BenchmarkNewCorpus is what the first keystroke after a new line has to do before
// it can search.
func BenchmarkNewCorpus(b *testing.B) {
	for _, n := range benchSizes(b) {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			snap := scaledEngine(b, n).index.Snapshot()
			for b.Loop() {
				newCorpus(snap)
			}
		})
	}
}

func reportPercentiles(b *testing.B, ms []float64, prefix string) {
	slices.Sort(ms)
	at := func(share float64) float64 { return ms[int(share*float64(len(ms)-1))] }
	b.ReportMetric(at(.5), prefix+"p50-ms")
	b.ReportMetric(at(.95), prefix+"p95-ms")
	b.ReportMetric(at(1), prefix+"max-ms")
}

func reportMemory(b *testing.B) {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapAlloc)/1e6, "heap-MB")
}
