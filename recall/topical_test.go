package recall

import (
	"slices"
	"testing"
)

// R5: the topic tier finds what shares no word with the question, says by which
// rule, and keeps to the table's own floor: a question about nothing finds nothing.
func TestTopicFindsParaphrasesOnly(t *testing.T) {
	e := engineOf(t, topicTalks()...)
	a := ask(t, e, Query{Text: "cryptographic secrets and login credentials"})
	if !a.Topical || !slices.Equal(ids(a), []string{"security"}) {
		t.Fatalf("topical %v, hits %q", a.Topical, ids(a))
	}
	h := a.Hits[0]
	if h.Matched != Topic || h.RankTopic != 1 || h.RankWords != 0 || a.PassagesMatched != 0 || a.TopicMatched != 1 {
		t.Fatalf("badge %v, ranks %d and %d, %d and %d matched", h.Matched, h.RankWords, h.RankTopic, a.PassagesMatched, a.TopicMatched)
	}
	for _, q := range []string{
		"which kafka partition did we choose", "quarterly revenue of the pharmaceutical branch",
		"violin strings for a cold concert hall", "zzyzx qwfp",
	} {
		if a := ask(t, e, Query{Text: q}); len(a.Hits) != 0 {
			t.Errorf("%q finds %q, badge %v", q, ids(a), a.Hits[0].Matched)
		}
	}
}

// A passage found in both ways carries both ranks.
func TestBothWaysIsSaid(t *testing.T) {
	a := ask(t, engineOf(t, topicTalks()...), Query{Text: "store the password and the authentication key in a vault for security"})
	if len(a.Hits) == 0 || a.Hits[0].Matched != Both || a.Hits[0].RankWords != 1 || a.Hits[0].RankTopic != 1 {
		t.Fatalf("%+v", a.Hits)
	}
}

// What is kept of one question's scan answers the same question again, and no other,
// nor the same one where something is left out.
func TestAKeptScanIsOfTheSameQuestion(t *testing.T) {
	const question = "cryptographic secrets and login credentials"
	e := engineOf(t, topicTalks()...)
	first := ask(t, e, Query{Text: question})
	without := ask(t, e, Query{Text: question, Exclude: []string{"security"}})
	other := ask(t, e, Query{Text: "violin strings for a cold concert hall"})
	again := ask(t, e, Query{Text: question})
	if len(first.Hits) == 0 || !slices.Equal(ids(again), ids(first)) || again.TopicMatched != first.TopicMatched || again.Hits[0].Score != first.Hits[0].Score {
		t.Errorf("first %q, again %q", ids(first), ids(again))
	}
	if slices.Contains(ids(without), "security") || without.TopicMatched == first.TopicMatched {
		t.Errorf("%q with what is excluded", ids(without))
	}
	if len(other.Hits) != 0 {
		t.Errorf("another question finds %q", ids(other))
	}
}
