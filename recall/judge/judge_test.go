package judge

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"yore/recall"
)

// F2, F7: whatever the grades, the same hits come back, off-topic ones last, and
// hits of one standing in the order they had.
func TestApplyLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hits := rapid.IntRange(0, 30).Draw(t, "hits")
		grades := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) recall.Grade {
			return recall.Grade(rapid.IntRange(0, int(recall.Answering)).Draw(t, "grade"))
		}), 0, 30).Draw(t, "grades")
		a := answer(make([]string, hits)...)
		got, disbelieved := Apply(a, grades)
		if sorted := slices.Sorted(slices.Values(order(got))); !slices.Equal(sorted, order(a)) {
			t.Fatalf("%v became %v", order(a), order(got))
		}
		for i := 1; i < len(got.Hits); i++ {
			x, y := got.Hits[i-1], got.Hits[i]
			if x.Grade.Standing() < y.Grade.Standing() || x.Grade == y.Grade && x.Passage > y.Passage {
				t.Fatalf("%v (%v) stands before %v (%v)", x.Passage, x.Grade, y.Passage, y.Grade)
			}
		}
		if disbelieved && got.Hits[0].Grade != none {
			t.Fatalf("the first hit is %v", got.Hits[0].Grade)
		}
	})
}

// F5: an excerpt holds the match, is one line, and is cut between characters.
func TestExcerpt(t *testing.T) {
	family := "\U0001F468\u200d\U0001F469\u200d\U0001F467"
	text := strings.Repeat("é"+"x\n", 500) + "the MATCH stands\there" + strings.Repeat(" 日本語", 500)
	at := strings.Index(text, "MATCH")
	got := excerpt(recall.Hit{Text: text, Line: at - 4, Matches: [][2]int{{1, 2}, {at, at + 5}}})
	if !strings.Contains(got, "the MATCH stands here") || strings.ContainsAny(got, "\n\t") || !utf8.ValidString(got) {
		t.Errorf("%q", got)
	}
	if n := uniseg.GraphemeClusterCount(got); n > excerptChars+4 {
		t.Errorf("%d characters", n)
	}
	if got := excerpt(recall.Hit{Text: strings.Repeat(family, 400)}); strings.Count(got, "\U0001F468") != strings.Count(got, "\U0001F467") {
		t.Errorf("a character was cut: %q", got)
	}
	for _, h := range []recall.Hit{{}, {Text: "a", Line: 99, Matches: [][2]int{{50, 60}}}, {Text: "\xff\xfe\n", Line: -1}} {
		if got := excerpt(h); !utf8.ValidString(got) {
			t.Errorf("%q", got)
		}
	}
}

// F5: whatever a text holds, its excerpt is one line of valid text and not long.
func TestExcerptProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SampledFrom([]string{"word ", "\n", "\xff", "\x1b[31m", "\u202e", "\u200d", "e\u0301", "👨‍👩‍👧", "語", "\U000e0041", strings.Repeat("long ", 80)})
		text := strings.Join(rapid.SliceOfN(parts, 0, 40).Draw(t, "text"), "")
		at := rapid.IntRange(-2, len(text)+2).Draw(t, "line")
		h := recall.Hit{Text: text, Line: at, Matches: [][2]int{{at - 1, at}, {at + 1, at + 3}}}
		got := excerpt(h)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\n\x1b\u202e\U000e0041") || got != strings.TrimSpace(got) || len(got) > 64*excerptChars {
			t.Fatalf("%q", got)
		}
		if n := uniseg.GraphemeClusterCount(got); n > excerptChars+4 {
			t.Fatalf("%d characters", n)
		}
	})
}

func TestConfigIsChecked(t *testing.T) {
	for _, c := range []Config{
		{},
		{Model: "m", BaseURL: "ftp://h/"},
		{Model: "m", BaseURL: "127.0.0.1:11434"},
		{Model: "m", BaseURL: "http://"},
		{Model: "m", BaseURL: "https://me:pass-word@h/v1"},
		{Model: "m", BaseURL: "https://h/v1?key=pass-word"},
		{Model: "m", BaseURL: "https://h/%zz-pass-word"},
	} {
		if _, err := New(c); !errors.Is(err, ErrConfig) || strings.Contains(err.Error(), "pass-word") {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for address, local := range map[string]bool{
		"": true, "http://localhost:1/v1": true, "http://LOCALHOST./v1": true, "http://[::1]:8080": true, "https://127.9.9.9/v1/": true, "http://[::ffff:127.0.0.1]/": true,
		"https://api.example.com/v1": false, "http://localhost.example.com": false, "http://127.0.0.1.example.com": false, "http://10.0.0.1": false, "http://0.0.0.0:1": false,
	} {
		b, err := New(Config{Model: "m", BaseURL: address})
		if err != nil {
			t.Errorf("%q: %v", address, err)
		} else if b.Local() != local {
			t.Errorf("%q is local: %v", address, b.Local())
		}
	}
}

// F8: an address that is said to be this machine's leads nowhere else, whatever
// its name resolves to; one that is not is said to lead away.
func TestWhereTextsGo(t *testing.T) {
	if err := onlyLoopback("10.1.2.3:80"); !errors.Is(err, errElsewhere) {
		t.Error(err)
	}
	for _, address := range []string{"127.0.0.1:80", "[::1]:80"} {
		if err := onlyLoopback(address); err != nil {
			t.Error(err)
		}
	}
	b, err := New(Config{Model: "m", BaseURL: "http://judge.example.com/v1"})
	if err != nil {
		t.Fatal(err)
	}
	if got := b.sentence(Ruling{Grades: []recall.Grade{rel}, Bytes: 10}, 1, false); !strings.Contains(got, "judge.example.com (another machine, unencrypted)") {
		t.Errorf("%q", got)
	}
}

// F10: however many hits there are, however long they, the question and their characters,
// what is sent is bounded, and what it took is said.
func TestWhatIsSentIsBounded(t *testing.T) {
	m := newModel(t, func(w http.ResponseWriter, _ *http.Request, q request) { reply(w, verdicts(q.ids, 3)) })
	for _, word := range []string{"word ", "語", "👨‍👩‍👧", "e" + strings.Repeat("\u0301", 5_000)} {
		a := answer(slices.Repeat([]string{strings.Repeat(word, 40_000/len(word)+1)}, 60)...)
		a.Query = strings.Repeat("why is "+word, 20_000/len(word)+1)
		got := decide(t, m.bench(t), a)
		sent := m.asked()[len(m.asked())-1]
		if len(sent.texts) != MaxItems {
			t.Errorf("%d passages are sent", len(sent.texts))
		}
		chars := uniseg.GraphemeClusterCount(sent.question + strings.Join(sent.texts, ""))
		if most := MaxItems*(excerptChars+4) + questionChars; chars > most {
			t.Errorf("%d characters are sent, more than %d", chars, most)
		}
		if most := longestChar*chars + 4096; len(sent.body) > most { // with what frames them
			t.Errorf("%d bytes are sent, more than %d", len(sent.body), most)
		}
		if !strings.Contains(got.Judged, "321 tokens sent") {
			t.Errorf("%q", got.Judged)
		}
	}
}
