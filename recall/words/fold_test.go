package words

import (
	"strings"
	"testing"
)

func TestFold(t *testing.T) {
	tests := []struct{ text, want string }{
		{"Don’t PANIC: Café?", "don't panic: cafe?"},
		{"cafe\u0301", "cafe"},
		{"Straße ŁÓDŹ Ærø", "strasse lodz aero"},
		{"İ\u212a", "ik"},
		{"ＡＢ　数据", "ab　数据"},
		{"a\xffb", "a\xffb"},
		{"a\tb\n", "a\tb\n"},
	}
	for _, tt := range tests {
		if got, _ := Fold(tt.text); string(got) != tt.want {
			t.Errorf("Fold(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

// E2: a thousand letters that change their length before a word do not move it.
func TestFoldLeadsBackToTheSource(t *testing.T) {
	text := strings.Repeat("İ", 1000) + " Straße match ﬁn"
	folded, at := Fold(text)
	for _, word := range []struct{ folded, source string }{{"strasse", "Straße"}, {"match", "match"}, {"fin", "ﬁn"}} {
		i := strings.Index(string(folded), word.folded)
		if got := text[at[i]:at[i+len(word.folded)]]; got != word.source {
			t.Errorf("%q leads back to %q, want %q", word.folded, got, word.source)
		}
	}
}
