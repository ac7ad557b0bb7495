package index

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"yore/sessions"
)

// prose makes text whose words have about the frequencies of English: the n-th
// most common one is 1/n as frequent as the first.
type prose struct {
	rnd   *rand.Rand
	words []string
}

func newProse(seed uint64) *prose {
	p := &prose{rnd: rand.New(rand.NewPCG(seed, 1))}
	const letters = "etaoinshrdlucmfwypvbgkjqxz"
	for range 60_000 {
		var w strings.Builder
		for range 2 + p.rnd.IntN(4) + p.rnd.IntN(5) {
			w.WriteByte(letters[int(math.Abs(p.rnd.NormFloat64())*8)%len(letters)])
		}
		p.words = append(p.words, w.String())
	}
	return p
}

func (p *prose) text(size int) string {
	var b strings.Builder
	for b.Len() < size {
		n := int(math.Exp(p.rnd.Float64()*math.Log(float64(len(p.words))))) - 1
		w := p.words[n]
		switch p.rnd.IntN(40) {
		case 0:
			w += "_" + p.words[p.rnd.IntN(len(p.words))] // an identifier
		case 1:
			w = fmt.Sprintf("%s.go:%d", w, p.rnd.IntN(2000))
		}
		b.WriteString(w)
		b.WriteByte(" \n"[p.rnd.IntN(12)/11])
	}
	return b.String()
}

func (p *prose) passage(number int) sessions.Passage {
	a, b := p.text(200), p.text(900)
	at := time.Unix(1_700_000_000+int64(p.rnd.IntN(1e7)), 0)
	gap := len(a) + len(sessions.TurnGap)
	return sessions.Passage{Number: number, Text: a + sessions.TurnGap + b, Spans: []sessions.Span{
		{To: len(a), At: at, ID: fmt.Sprint("p", p.rnd.Uint64())},
		{From: gap, To: gap + len(b), Kind: sessions.Reply, Role: sessions.Assistant, At: at, ID: fmt.Sprint("r", p.rnd.Uint64())},
	}}
}

// transcripts makes one Update for each session of about forty passages.
func (p *prose) transcripts(passages int) (us []sessions.Update, bytes int64) {
	for passages > 0 {
		u := sessions.Update{Session: sessions.Session{Key: sessions.Key{Harness: "claude", ID: fmt.Sprint(len(us))}}}
		for n := range min(1+p.rnd.IntN(80), passages) {
			u.Passages = append(u.Passages, p.passage(n))
			bytes += int64(len(u.Passages[n].Text))
		}
		passages -= len(u.Passages)
		us = append(us, u)
	}
	return us, bytes
}

// load applies transcripts as they come at the first reading, some at a time.
func load(x *Index, us []sessions.Update) {
	const batch = 8
	for len(us) > 0 {
		n := min(batch, len(us))
		x.Apply(us[:n])
		us = us[n:]
	}
}

// settle waits until nothing is left to be merged.
func settle(x *Index) {
	x.mu.Lock()
	x.mergeSoon()
	x.mu.Unlock()
	x.work.Wait()
}

func BenchmarkBuild(b *testing.B) {
	us, bytes := newProse(1).transcripts(20_000)
	b.SetBytes(bytes)
	for b.Loop() {
		x := New(Options{})
		load(x, us)
		settle(x)
		x.Close()
	}
}

// BenchmarkBuildOnly cuts words and makes small segments, without merging.
func BenchmarkBuildOnly(b *testing.B) {
	us, bytes := newProse(1).transcripts(20_000)
	b.SetBytes(bytes)
	for b.Loop() {
		x := New(Options{})
		x.Close()
		load(x, us)
	}
}

func BenchmarkMerge(b *testing.B) {
	us, bytes := newProse(1).transcripts(20_000)
	x := New(Options{})
	x.Close()
	load(x, us)
	b.SetBytes(bytes)
	for b.Loop() {
		newMerger(x.Snapshot().Segments(Talk), never).merge()
	}
}

// BenchmarkMergeLarge merges eight segments into one.
func BenchmarkMergeLarge(b *testing.B) {
	us, bytes := newProse(1).transcripts(20_000)
	x := New(Options{})
	x.Close()
	for i := range 8 {
		x.Apply(us[i*len(us)/8 : (i+1)*len(us)/8])
	}
	b.SetBytes(bytes)
	for b.Loop() {
		newMerger(x.Snapshot().Segments(Talk), never).merge()
	}
}

// BenchmarkApplyOneLine appends a line to one of 30,000 sessions with 20,000
// passages among them: its last passage is replaced.
func BenchmarkApplyOneLine(b *testing.B) {
	p := newProse(1)
	us, _ := p.transcripts(20_000)
	for i := range 30_000 - len(us) {
		us = append(us, sessions.Update{Session: sessions.Session{Key: sessions.Key{Harness: "codex", ID: fmt.Sprint(i)}}})
	}
	x := New(Options{})
	load(x, us)
	settle(x)
	live := us[100]
	live.From = len(live.Passages)
	line := p.passage(live.From)
	for n := 0; b.Loop(); n++ {
		live.From += n % 4 / 3 // a passage takes about four lines
		line.Number = live.From
		live.Passages = []sessions.Passage{line}
		x.Apply([]sessions.Update{live})
	}
	b.StopTimer()
	settle(x)
	b.ReportMetric(float64(len(x.Snapshot().Segments(Talk))), "segments")
	x.Close()
}

func BenchmarkPassage(b *testing.B) {
	us, _ := newProse(1).transcripts(20_000)
	x := New(Options{})
	defer x.Close()
	load(x, us)
	x.Compact()
	seg := x.Snapshot().Segments(Talk)[0]
	rnd := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		seg.Passage(uint32(rnd.IntN(seg.Len())))
	}
}

func BenchmarkStretch(b *testing.B) {
	us, _ := newProse(1).transcripts(20_000)
	x := New(Options{})
	defer x.Close()
	load(x, us)
	x.Compact()
	seg := x.Snapshot().Segments(Talk)[0]
	tf := make([]int, seg.Len())
	lo, hi := seg.Prefix("s")
	for b.Loop() {
		seg.Stretch(lo, hi, func(docs []uint16, tfs []uint8) {
			for i, d := range docs {
				tf[d] += int(tfs[i])
			}
		})
	}
}
