package words

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

var seeds = []string{
	"", "What's up in HTTPServer get_user_name c++ .net b'x'", "youer服务端v2 テスト 검색 ที่นี่", "cafe\u0301 İ ﬁ ẞ ª",
	"👩‍👩‍👧 👍🏽 ❤️ 1️⃣", "\xff\xfe\xf0\x9f_\x80", "\u1100\u1161\u11a8 ｶﾞ \u0301 \u200d", strings.Repeat("aB1_", 40),
	"TypeScript typescript-eslint",
}

func FuzzScan(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		boundary := map[int]bool{len(text): true}
		for i := range text {
			boundary[i] = true
		}
		from, to := 0, 0
		Scan(text, func(tok Token) {
			if len(tok.Term) == 0 || len(tok.Term) > MaxTerm || !utf8.Valid(tok.Term) {
				t.Fatalf("term %q", tok.Term)
			}
			if tok.From >= tok.To || !boundary[tok.From] || !boundary[tok.To] {
				t.Fatalf("%q stands at %d..%d of %q", tok.Term, tok.From, tok.To, text)
			}
			overlap := tok.Kind == Gram || tok.Kind == Whole
			if tok.Kind != Whole && tok.From < from || !overlap && tok.From < to || tok.To < to {
				t.Fatalf("%q at %d..%d follows %d..%d", tok.Term, tok.From, tok.To, from, to)
			}
			from, to = tok.From, tok.To
			if tok.Kind == Symbol || strings.ContainsFunc(text, beyondLatin) || strings.ContainsAny(text[tok.From:tok.To], "+#.") || markedBlank.MatchString(text[tok.From:tok.To]) {
				return
			}
			if want := folded(text[tok.From:tok.To]); !strings.HasPrefix(want, string(tok.Term)) ||
				len(want) <= MaxTerm/2 && want != string(tok.Term) {
				t.Fatalf("%q gives %q, Fold gives %q", text[tok.From:tok.To], tok.Term, want)
			}
		})
		// Composed and decomposed text of the letters that people write with accents
		// is cut alike; rarer scripts have marks that change a letter's class.
		if !strings.ContainsFunc(text, beyondLatin) {
			if c, d := show(norm.NFC.String(text)), show(norm.NFD.String(text)); c != d {
				t.Fatalf("composed   %q\ndecomposed %q", c, d)
			}
		}
	})
}

// beyondLatin says that r is neither Latin, as Western Europe writes it, nor an
// accent of its own.
func beyondLatin(r rune) bool {
	return r > unicode.MaxLatin1 && (r < 0x300 || r > 0x30c)
}

// markedBlank is an underscore with a mark on it, which goes as the underscore does.
var markedBlank = regexp.MustCompile(`_\pM`)

// folded is what the terms of a range of text are made of: its folded letters,
// digits and marks.
func folded(s string) string {
	f, _ := Fold(s)
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return r
		}
		return -1
	}, string(f))
}

func FuzzFold(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, at := Fold(text)
		if len(at) != len(got)+1 || at[len(got)] != len(text) {
			t.Fatalf("%d offsets for %d bytes of %q, the last %d", len(at), len(got), text, at[len(at)-1])
		}
		for i := 1; i < len(at); i++ {
			if at[i] < at[i-1] {
				t.Fatalf("offsets of %q run backwards at %d: %v", text, i, at)
			}
		}
		if !utf8.ValidString(text) {
			return
		}
		if again, _ := Fold(string(got)); string(again) != string(got) {
			t.Fatalf("Fold(%q) = %q, and folded again %q", text, got, again)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, query string) {
		seen := map[string]bool{}
		last := 0
		for _, w := range Parse(query).Words {
			if w.Term == "" || w.Stem == "" || seen[w.Term] {
				t.Fatalf("word %+v of %q", w, query)
			}
			seen[w.Term] = true
			if w.From < last || query[w.From:w.To] != w.Text {
				t.Fatalf("word %+v of %q", w, query)
			}
			last = w.To
			if w.Whole != "" && (w.Parts != nil || !strings.Contains(w.Whole, w.Term) && len(w.Whole) < MaxTerm-len(w.Term)) {
				t.Fatalf("word %+v of %q", w, query)
			}
			for _, p := range w.Parts {
				if p == "" {
					t.Fatalf("word %+v of %q", w, query)
				}
			}
		}
	})
}
