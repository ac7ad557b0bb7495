package model

import (
	"strings"
	"testing"
)

// A filter goes with the OR that joined it to another, which alone would be a word.
func TestDroppedFilterTakesItsOr(t *testing.T) {
	for _, c := range []struct{ text, meant, want string }{
		{"cache agent:claude OR agent:codex", "agent:codex", "cache agent:claude"},
		{"agent:claude OR agent:codex cache", "agent:claude", "agent:codex cache"},
		{"a OR b agent:codex", "agent:codex", "a OR b"},
	} {
		got, _ := dropPlace(c.text, func(s string) bool { return strings.HasPrefix(s, c.meant) })
		if got != c.want {
			t.Errorf("%q without %s is %q, want %q", c.text, c.meant, got, c.want)
		}
	}
}
