package judge

import (
	"context"
	"slices"

	"yore/recall"
)

const (
	// MaxItems is how many hits are judged, the first ones: with their excerpts
	// about 2,000 tokens, which fit the window of any model.
	MaxItems = 20
	// kept is how many of the first hits are not believed to be off-topic when
	// all are said to be.
	kept = 3
)

// Judge grades texts by how much they are about a question.
type Judge interface {
	// Judge gives each item its grade, by place; Unjudged where nothing readable
	// was said. It fails when nothing at all could be judged, and with ctx's
	// error when that ended first.
	Judge(ctx context.Context, question string, items []string) (Ruling, error)
}

// Ruling is what a judge said.
type Ruling struct {
	Grades []recall.Grade // by item
	Known  int            // of these, remembered from earlier rulings
	Tokens int            // sent, as the endpoint counted them; 0 when it does not say
	Bytes  int            // sent: question, excerpts and what frames them
}

// Items are the excerpts by which the first hits of an answer are judged.
func Items(a recall.Answer) []string {
	items := make([]string, min(len(a.Hits), MaxItems))
	for i := range items {
		items[i] = excerpt(a.Hits[i])
	}
	return items
}

// Apply gives the first hits of an answer their grades and puts them into the
// order of the grades; hits of one grade keep their order. No hit is lost. The
// answer given is left as it is; disbelieved says that everything was called
// off-topic, and that the first hits count as unjudged for that.
func Apply(a recall.Answer, grades []recall.Grade) (judged recall.Answer, disbelieved bool) {
	a.Hits = slices.Clone(a.Hits)
	n := min(len(grades), len(a.Hits))
	off := 0
	for i, g := range grades[:n] {
		a.Hits[i].Grade = g
		if g == recall.OffTopic {
			off++
		}
	}
	if disbelieved = n > 0 && off == n; disbelieved {
		for i := range min(kept, n) {
			a.Hits[i].Grade = recall.Unjudged
		}
	}
	slices.SortStableFunc(a.Hits, func(x, y recall.Hit) int { return y.Grade.Standing() - x.Grade.Standing() })
	return a, disbelieved
}
