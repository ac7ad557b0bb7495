package recall

import (
	"os"
	"strings"
	"testing"
)

// mostAnswered of the questions about nothing may find something: a few of them are
// about something in one conversation or another (RANKING.md).
const mostAnswered = 20

// TestAbsent counts the questions about nothing in the conversations to which there
// is an answer.
func TestAbsent(t *testing.T) {
	data, err := os.ReadFile("../testdata/absent.txt")
	if err != nil {
		t.Fatal(err)
	}
	asked, answered := 0, 0
	for _, c := range readConversations(t) {
		for q := range strings.Lines(string(data)) {
			if q = strings.TrimSpace(q); q == "" || strings.HasPrefix(q, "#") {
				continue
			}
			asked++
			if a := ask(t, c.engine, Query{Text: q}); len(a.Hits) > 0 {
				answered++
				t.Logf("%s: %q finds %d hits, %d passages by words, %d by topic", c.name, q, len(a.Hits), a.PassagesMatched, a.TopicMatched)
			}
		}
	}
	t.Logf("answers to %d of %d questions about nothing", answered, asked)
	if answered > mostAnswered {
		t.Errorf("answers to %d questions about nothing, at most %d are expected", answered, mostAnswered)
	}
}
