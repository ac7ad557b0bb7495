package topic

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cespare/xxhash/v2"

	"yore/recall/topic/train"
)

// Invented house words: in each subject of the corpus below, words stand for each
// other that are strangers in any other text.
var subjects = [][2][]string{
	{strings.Fields("falcon ledger invoice payment customer"), strings.Fields("billing tariff receipt tax discount")},
	{strings.Fields("badger shard replica quorum leader"), strings.Fields("election follower partition raft snapshot")},
	{strings.Fields("otter canvas brush pixel layer"), strings.Fields("painting color zoom palette shader")},
	{strings.Fields("heron schedule meeting calendar invite"), strings.Fields("reminder agenda attendee timezone holiday")},
	{strings.Fields("lynx kernel driver interrupt module"), strings.Fields("device firmware register bus boot")},
	{strings.Fields("magpie crawler page link sitemap"), strings.Fields("robots fetcher html domain canonical")},
	{strings.Fields("beaver compiler parser token grammar"), strings.Fields("syntax lexer tree optimizer codegen")},
	{strings.Fields("raven certificate key handshake cipher"), strings.Fields("encryption issuer trust expiry signature")},
}

// inventedCorpus gives sessions on one subject each, whose passages change between
// the two halves of its words.
func inventedCorpus(perSubject, passages int) [][]string {
	draw := rand.New(rand.NewPCG(5, 5))
	sentence := func(words []string) string {
		var b strings.Builder
		for range 6 {
			b.WriteString(words[draw.IntN(len(words))] + " ")
		}
		fmt.Fprintf(&b, "number %d is done.", draw.IntN(1_000_000))
		return b.String()
	}
	var corpus [][]string
	for _, subject := range subjects {
		for range perSubject {
			var session []string
			for k := range passages {
				session = append(session, sentence(subject[k%2])+"\n"+sentence(subject[k%2])+"\n"+sentence(subject[1-k%2]))
			}
			corpus = append(corpus, session)
		}
	}
	return corpus
}

// smallBase is a table of the words of all subjects, each with a random row.
var smallBase = sync.OnceValue(func() *Table {
	const dim = 32
	draw := rand.New(rand.NewPCG(2, 2))
	var stems []string
	for _, subject := range subjects {
		for _, word := range append(slices.Clone(subject[0]), subject[1]...) {
			stems = append(stems, Stem(word))
		}
	}
	slices.Sort(stems)
	stems = slices.Compact(stems)
	rows := make([]float32, dim*len(stems))
	for i := range rows {
		rows[i] = float32(draw.NormFloat64()) * .2
	}
	t, err := Build(rows, dim, stems)
	if err != nil {
		panic(err)
	}
	t.floor = embeddedFloor
	return t
})

func adaptTo(t *testing.T, corpus [][]string) *Table {
	t.Helper()
	adapted, err := adapt(context.Background(), smallBase(), slices.Values(corpus))
	if err != nil {
		t.Fatal(err)
	}
	return adapted
}

// subjectsFound is the share of questions in words of one half of a subject to
// which a text of the other half of the same subject is the nearest.
func subjectsFound(m Model) float64 {
	var right, all int
	asked, text := make([]float32, m.Dim()), make([]float32, m.Dim())
	for i, subject := range subjects {
		for from := range 4 {
			m.Vector(strings.Join(subject[0][from:min(from+2, 5)], " "), asked)
			best, at := float32(-2), -1
			for j, other := range subjects {
				m.Vector(strings.Join(other[1], " "), text)
				if c := train.Dot(asked, text); c > best {
					best, at = c, j
				}
			}
			all++
			if at == i {
				right++
			}
		}
	}
	return float64(right) / float64(all)
}

func TestAdaptFindsMoreByTopic(t *testing.T) {
	corpus := inventedCorpus(3, 9)
	for _, base := range []*Table{smallBase(), Embedded()} {
		adapted, err := adapt(context.Background(), base, slices.Values(corpus))
		if err != nil {
			t.Fatal(err)
		}
		before, after := subjectsFound(base), subjectsFound(adapted)
		if after < before+.1 || after < .95 {
			t.Errorf("%.2f of the subjects found before, %.2f after", before, after)
		}
		if adapted.Hash() == base.Hash() {
			t.Error("the adapted table has the hash of its base")
		}
		if adapted.Floor() < base.Floor() {
			t.Errorf("floor %.3f, below the base's", adapted.Floor())
		}
		v := make([]float32, adapted.Dim())
		if !adapted.Vector("an invoice of a customer", v) || cosine(v, v) < .999 || cosine(v, v) > 1.001 {
			t.Errorf("squared length %v", cosine(v, v))
		}
	}
}

// The same passages give the same table, however their sessions come.
func TestAdaptRepeats(t *testing.T) {
	corpus := inventedCorpus(3, 9)
	first, err := Adapt(context.Background(), smallBase(), slices.Values(corpus))
	if err != nil {
		t.Fatal(err)
	}
	again := slices.Clone(corpus)
	slices.Reverse(again)
	again = append(again, corpus[3], corpus[0][:2]) // a fork and the head of one
	second := adaptTo(t, again)
	if first.Hash() != second.Hash() {
		t.Error("the order of the sessions, or a copy of one, changes the table")
	}
	other := adaptTo(t, append(again, []string{"the invoice of a kernel module", "a firmware receipt, an altogether new one"}))
	if other.Hash() == first.Hash() {
		t.Error("another passage changes nothing")
	}
}

func TestAdaptNeedsPassages(t *testing.T) {
	corpus := inventedCorpus(1, 20)
	var few, repeated [][]string
	for _, session := range corpus {
		few = append(few, session[:20])
	}
	for range 5 {
		repeated = append(repeated, few...)
	}
	for _, c := range [][][]string{nil, {nil, {""}}, few, repeated} {
		if adaptTo(t, c) != smallBase() {
			t.Errorf("%d sessions with less than %d distinct passages were adapted to", len(c), LeastPassages)
		}
	}
}

func TestAdaptOfNothingKnown(t *testing.T) {
	var session []string
	for i := range 2 * LeastPassages {
		session = append(session, fmt.Sprintf("%d %d\n!? \xff", i, i))
	}
	if got := adaptTo(t, [][]string{session}).Floor(); got < smallBase().Floor() {
		t.Errorf("floor %v", got)
	}
}

func TestCalibrate(t *testing.T) {
	corpus := inventedCorpus(3, 9)
	adapted := adaptTo(t, corpus)
	floor, err := Calibrate(context.Background(), adapted, slices.Values(corpus))
	if err != nil || floor <= .2 || floor > 1.001 {
		t.Errorf("floor %v (%v)", floor, err)
	}
	// By the embedded table itself, its own floor.
	own, err := Calibrate(context.Background(), Embedded(), slices.Values(corpus))
	if want := Embedded().Floor(); err != nil || own > want+.01 {
		t.Errorf("floor %v of the embedded table, it has %v (%v)", own, want, err)
	}
	for _, c := range [][][]string{nil, {{"one passage. of two sentences that are long enough."}}, corpus[:1]} {
		if floor, err := Calibrate(context.Background(), adapted, slices.Values(c)); err != nil || floor <= 1 {
			t.Errorf("%d sessions: floor %v from no unrelated pairs (%v)", len(c), floor, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Calibrate(ctx, adapted, slices.Values(corpus)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// strange gives a text the vector that a function makes of each of its words; nothing
// where that is nil.
type strange struct {
	dim  int
	word func(word string) []float32
}

func (strange) Hash() uint64   { return 1 }
func (s strange) Dim() int     { return s.dim }
func (strange) Floor() float32 { return noFloor }

func (s strange) Vector(text string, dst []float32) bool {
	clear(dst)
	for w := range strings.FieldsSeq(text) {
		for i, x := range s.word(w) {
			dst[i] += x
		}
	}
	return Normalise(dst)
}

// A model that knows nothing, next to nothing, or everything to be the same, gets a floor
// that no cosine reaches, as it is searched: rounding makes that of two equal vectors
// more than one. One that tells texts apart gets one that hardly an unrelated pair does.
func TestFloorOfStrangeModels(t *testing.T) {
	random := func(dim int) func(string) []float32 {
		return func(w string) []float32 {
			draw := rand.New(rand.NewPCG(xxhash.Sum64String(w), 7))
			v := make([]float32, dim)
			for i := range v {
				v[i] = float32(draw.NormFloat64())
			}
			return v
		}
	}
	equal := func(x float32) func(string) []float32 {
		return func(string) []float32 { return slices.Repeat([]float32{x}, 256) }
	}
	for name, c := range map[string]struct {
		strange
		none bool
	}{
		"zeros":         {strange{256, equal(0)}, true},
		"ones":          {strange{256, equal(1)}, true},
		"huge":          {strange{256, equal(1e9)}, true},
		"least":         {strange{256, equal(math.SmallestNonzeroFloat32)}, true},
		"one dimension": {strange{1, random(1)}, true},
		"almost ones": {strange{256, func(w string) []float32 {
			v := random(256)(w)
			for i := range v {
				v[i] = 1 + v[i]/1000
			}
			return v
		}}, true},
		"three words": {strange{64, func(w string) []float32 {
			if w != "falcon" && w != "badger" && w != "otter" {
				return nil
			}
			return random(64)(w)
		}}, true},
		"random": {strange{64, random(64)}, false},
	} {
		for _, corpus := range [][][]string{inventedCorpus(3, 9), inventedCorpus(1, 3)} {
			floor, err := Calibrate(context.Background(), c, slices.Values(corpus))
			if err != nil || floor <= 0 || floor >= 1 != c.none || c.none && floor < noFloor {
				t.Errorf("%s: floor %v (%v)", name, floor, err)
			}
		}
	}
}

func TestAlarms(t *testing.T) {
	var c alarms
	if got := c.reachedBy(3); got != noFloor {
		t.Errorf("floor %v of no pairs", got)
	}
	for _, x := range []float32{.3, .1, .9, .5, -.2, .9, .4, 1.0001, -1.0001} {
		c.add(x)
	}
	for n, want := range []float32{0: 1.0005, 1: .9005, 2: .9005, 3: .5005, 4: .4005, 8: -.9995, 9: -1, 99: -1} {
		if got := c.reachedBy(n); want != 0 && (got < want-.0006 || got > want+.0006) {
			t.Errorf("%d reach %v, want %v", n, got, want)
		}
	}
}

func TestAdaptEndsWithItsContext(t *testing.T) {
	corpus := inventedCorpus(3, 9)
	for _, after := range []int{0, 3, len(corpus) + 3} {
		ctx, cancel := context.WithCancel(context.Background())
		var seq iter.Seq[[]string] = func(yield func([]string) bool) {
			for _, session := range corpus {
				if after--; after == 0 {
					cancel()
				}
				if !yield(session) {
					return
				}
			}
		}
		if after == 0 {
			cancel()
		}
		if got, err := adapt(ctx, smallBase(), seq); !errors.Is(err, context.Canceled) || got != smallBase() {
			t.Errorf("cancelled: %v", err)
		}
		cancel()
	}
}

// What takes part is bounded, whatever the corpus.
func TestAdaptIsBounded(t *testing.T) {
	for _, tt := range []struct{ pairs, dim, want int }{
		{1, 128, 10}, {5_849, 128, 10}, {60_000, 128, 5}, {100_000, 128, 3}, {60_000, 256, 3},
	} {
		if got := epochs(tt.pairs, tt.dim); got != tt.want {
			t.Errorf("%d pairs of %d numbers: %d epochs, want %d", tt.pairs, tt.dim, got, tt.want)
		}
	}
	session := make([]string, mostPassages+500)
	for i := range session {
		session[i] = fmt.Sprintf("cache number%d", i)
	}
	s, err := newSample(context.Background(), slices.Values([][]string{session}))
	if err != nil || s.distinct != len(session) || len(s.chosen) != mostPassages {
		t.Errorf("%d of %d passages chosen (%v)", len(s.chosen), s.distinct, err)
	}
}

func TestSentences(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                   {},
		"One short. Two.":                    {},
		"only one long sentence without end": {},
		"The first one is long enough. The second one as well! short\nA third on its line": {"The first one is long enough.", "The second one as well!"},
		"version 1.2.3 stays whole here.\nand a second line of it":                         {"version 1.2.3 stays whole here.", "and a second line of it"},
	} {
		if got := sentences(text); !slices.Equal(got, want) && len(got)+len(want) > 0 {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for n, want := range [][]string{{}, {"a"}, {"a", "c"}, {"a", "b", "c"}, {"a", "b", "c", "d"}, {"a", "b", "c", "d"}} {
		if got := choose([]string{"a", "b", "c", "d"}, n); !slices.Equal(got, want) {
			t.Errorf("choose %d: %q, want %q", n, got, want)
		}
	}
}
