package recall

import (
	"flag"
	"testing"
)

var ablate = flag.Bool("ablate", false, "measure what each part of the ranking is worth on the conversations")

// TestAblation prints the figures of RANKING.md: the ranking without each of its
// parts.
func TestAblation(t *testing.T) {
	if !*ablate {
		t.Skip("asked for with -ablate")
	}
	all := readConversations(t)
	for _, part := range []struct {
		name string
		drop func(*weights)
	}{
		{"all parts", func(*weights) {}},
		{"without proximity", func(w *weights) { w.proximity = 0 }},
		{"without phrase", func(w *weights) { w.phrase = 0 }},
		{"without session", func(w *weights) { w.session = 0 }},
		{"without neighbours", func(w *weights) { w.neighbours = 0 }},
		{"without topic", func(w *weights) { w.topic = 0 }},
		{"without date", func(w *weights) { w.date = 0 }},
		{"without literal and identifier", func(w *weights) { w.literal, w.identifier = 0, 0 }},
		{"words alone", func(w *weights) { *w = weights{words: recipe.words} }},
	} {
		own := recipe
		part.drop(&own)
		var total figures
		for _, c := range all {
			c.engine.worth = &own
			for _, q := range c.questions {
				total.add(askKnown(t, c.engine, q))
			}
		}
		t.Logf("| %s | %v |", part.name, total)
	}
}
