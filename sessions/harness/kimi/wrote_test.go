package kimi

import "testing"

// A tag that somebody writes about takes nothing of his prompt away.
func TestAboutTags(t *testing.T) {
	for text, want := range map[string]string{
		"what does <system> mean?": "what does <system> mean?", "go<system>it is late</system>": "go", "<system-reminder>x</system-reminder>go": "go",
	} {
		if _, got := wrote(`"` + text + `"`); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
