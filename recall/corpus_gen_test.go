package recall

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"yore/recall/index"
	"yore/sessions"
)

// generator invents conversations that have the shares of real ones: words as
// unevenly frequent as in English, a third of the sentences with something that
// stands nowhere else (a path, a hash, an identifier, a version, a number),
// sessions of log-normal length, each about a few subjects of its own.
type generator struct {
	rnd    *rand.Rand
	words  []string // the commonest first
	common *rand.Zipf
	talks  int
}

// subjectShare is how many words of a sentence are of the session's subjects.
const subjectShare = .3

// newGenerator takes its words from the embedded table, so that texts have
// vectors as real ones do.
func newGenerator(t testing.TB) *generator {
	t.Helper()
	list, err := os.ReadFile("topic/vocab.txt")
	if err != nil {
		t.Fatal(err)
	}
	g := &generator{rnd: rand.New(rand.NewPCG(7, 11)), words: strings.Fields(string(list))}
	g.common = rand.NewZipf(g.rnd, 1.1, 6, uint64(len(g.words)-1))
	return g
}

// session is one transcript of at most limit passages.
func (g *generator) session(limit int) sessions.Update {
	g.talks++
	at := testNow.Add(-time.Duration(g.rnd.IntN(700*24*60)) * time.Minute)
	id := fmt.Sprintf("%08x-%04x", g.rnd.Uint32(), g.talks)
	u := sessions.Update{Session: sessions.Session{Key: sessions.Key{Harness: "claude", ID: id}, Title: g.words[g.common.Uint64()], Start: at}}
	subjects := make([]string, 60)
	for i := range subjects {
		subjects[i] = g.words[200+g.rnd.IntN(6000)]
	}
	// A median of 16 passages and a mean of 36, as measured on transcripts.
	n := min(max(1, int(16*math.Exp(1.27*g.rnd.NormFloat64()))), limit)
	for number := range n {
		at = at.Add(time.Duration(1+g.rnd.IntN(20)) * time.Minute)
		u.Passages = append(u.Passages, g.passage(number, at, subjects))
	}
	u.Session.LastActive, u.Session.Passages = at, n
	return u
}

// passage is a prompt and its reply, about as long as a passage gets.
func (g *generator) passage(number int, at time.Time, subjects []string) sessions.Passage {
	ask, say := g.text(60+g.rnd.IntN(300), subjects), ""
	say = g.text(sessions.PassageChars-len(ask)-100, subjects)
	gap := len(ask) + len(sessions.TurnGap)
	return sessions.Passage{Number: number, Text: ask + sessions.TurnGap + say, Spans: []sessions.Span{
		{To: len(ask), At: at, ID: fmt.Sprintf("p%016x", g.rnd.Uint64())},
		{From: gap, To: gap + len(say), Kind: sessions.Reply, Role: sessions.Assistant, At: at.Add(time.Minute), ID: fmt.Sprintf("r%016x", g.rnd.Uint64())},
	}}
}

func (g *generator) text(size int, subjects []string) string {
	var b strings.Builder
	for b.Len() < size {
		for k := range 5 + g.rnd.IntN(14) {
			w := g.words[g.common.Uint64()]
			if g.rnd.Float64() < subjectShare {
				w = subjects[int(math.Abs(g.rnd.NormFloat64())*20)%len(subjects)]
			}
			if k == 0 {
				w = strings.ToUpper(w[:1]) + w[1:]
			} else {
				b.WriteByte(' ')
			}
			b.WriteString(w)
		}
		if g.rnd.Float64() < .35 {
			b.WriteString(g.rare(subjects))
		}
		b.WriteString(". ")
	}
	return b.String()
}

// rare is something that stands at few places or at this one alone.
func (g *generator) rare(subjects []string) string {
	a, b := subjects[g.rnd.IntN(len(subjects))], g.words[g.rnd.IntN(len(g.words))]
	switch g.rnd.IntN(6) {
	case 0:
		return fmt.Sprintf(" internal/%s/%s.go:%d", a, b, g.rnd.IntN(2000))
	case 1:
		return fmt.Sprintf(" %07x", g.rnd.Uint32()>>4)
	case 2:
		return " " + a + strings.ToUpper(b[:1]) + b[1:]
	case 3:
		return " " + a + "_" + b
	case 4:
		return fmt.Sprintf(" v%d.%d.%d", g.rnd.IntN(9), g.rnd.IntN(40), g.rnd.IntN(200))
	}
	return fmt.Sprintf(" #%d", g.rnd.IntN(90_000))
}

// feed hands n passages to an index, as a library does that has many transcripts to
// read. fed is called after each batch.
func (g *generator) feed(x *index.Index, n int, fed func()) {
	const batch = 16
	var us []sessions.Update
	for n > 0 {
		us = append(us, g.session(n))
		n -= len(us[len(us)-1].Passages)
		if len(us) == batch || n == 0 {
			x.Apply(us)
			fed()
			us = us[:0]
		}
	}
}
