package recall

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"yore/recall/index"
	"yore/recall/topic"
	"yore/sessions"
)

// noise is among how many invented passages the coding sessions stand. RANKING.md has
// the figures among 200,000.
var noise = flag.Int("noise", 5_000, "generated passages among which the coding questions are asked")

// codingSessions is how many sessions about programming there are, most of which answer
// no question.
const codingSessions = 200

// codingQuestion is a question with the exchange that answers it.
type codingQuestion struct{ kind, text, prompt, reply string }

func readCodingQuestions(t testing.TB) []codingQuestion {
	t.Helper()
	data, err := os.ReadFile("testdata/questions.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []codingQuestion
	for block := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n\n") {
		lines := strings.Split(block, "\n")
		if strings.HasPrefix(block, "#") {
			continue
		}
		if len(lines) != 4 {
			t.Fatalf("no question with its answer: %q", block)
		}
		all = append(all, codingQuestion{lines[0], lines[1], lines[2], lines[3]})
	}
	return all
}

// chatter invents what is said between the exchanges that matter.
type chatter struct{ rnd *rand.Rand }

var chatterParts = [][]string{
	{"The", "Our", "This", "That"},
	{"parser", "scheduler", "uploader", "cache", "login form", "exporter", "worker", "gateway", "template", "migration", "test suite", "build", "logger", "queue", "editor", "search page", "importer", "proxy", "index", "dashboard"},
	{"fails", "is slow", "prints a warning", "needs a review", "was renamed", "returns null", "leaks a handle", "ignores the setting", "is called twice", "looks wrong on small screens"},
	{"when the list is empty", "after the upgrade", "on the second run", "under load", "in the staging environment", "with the new schema", "since Monday", "if the token has expired", "without a network", "for large files"},
	{"I changed the condition and added a test.", "Let us look at the log first.", "It is covered by the next release.", "The function is split in two now.", "Please run it again.", "I reverted the last commit.", "That was a typo in the config.", "The type was too narrow.", "We can leave it for later.", "Done, all checks pass."},
}

func (c *chatter) sentence() string {
	words := make([]string, len(chatterParts))
	for i, part := range chatterParts {
		words[i] = part[c.rnd.IntN(len(part))]
	}
	return fmt.Sprintf("%s %s %s %s. %s", words[0], words[1], words[2], words[3], words[4])
}

// session is one about programming, a passage an exchange. Where there is an answer,
// it stands in the middle.
func (c *chatter) session(n int, answer *codingQuestion) sessions.Update {
	at := testNow.Add(-time.Duration(c.rnd.IntN(300*24*60)) * time.Minute)
	u := sessions.Update{Session: sessions.Session{Key: sessions.Key{Harness: "codex", ID: fmt.Sprintf("coding-%03d", n)}, Start: at}}
	for number := range 3 {
		ask, say := c.sentence()+" What do you think?", c.sentence()+" "+c.sentence()
		if number == 1 && answer != nil {
			ask, say = answer.prompt, answer.reply
		}
		at = at.Add(10 * time.Minute)
		gap := len(ask) + len(sessions.TurnGap)
		u.Passages = append(u.Passages, sessions.Passage{Number: number, Text: ask + sessions.TurnGap + say, Spans: []sessions.Span{
			{To: len(ask), At: at, ID: fmt.Sprintf("p%d-%d", n, number)},
			{From: gap, To: gap + len(say), Kind: sessions.Reply, Role: sessions.Assistant, At: at.Add(time.Minute), ID: fmt.Sprintf("r%d-%d", n, number)},
		}})
	}
	u.Session.LastActive, u.Session.Passages = at, len(u.Passages)
	return u
}

// questioned is an Engine over the coding sessions among noise.
func questioned(t testing.TB, questions []codingQuestion) *Engine {
	t.Helper()
	m := newModels(topic.Embedded())
	x := index.New(m.options())
	newGenerator(t).feed(x, *noise, func() {})
	c := &chatter{rand.New(rand.NewPCG(3, 5))}
	var us []sessions.Update
	for n := range codingSessions {
		var answer *codingQuestion
		if n < len(questions) {
			answer = &questions[n]
		}
		us = append(us, c.session(n, answer))
	}
	x.Apply(us)
	e := start(Config{Zone: time.UTC, Now: func() time.Time { return testNow }}, m, func() *edition { return newEdition(x, &fakeLibrary{loaded: make(chan struct{})}, nil) })
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// placeOf is the rank of the passage, and of the session, that answers question n; 0
// for none among the first eight.
func placeOf(t testing.TB, e *Engine, n int, q codingQuestion) (passage, session int) {
	t.Helper()
	for i, h := range ask(t, e, Query{Text: q.text}).Hits {
		if h.Session.ID != fmt.Sprintf("coding-%03d", n) {
			continue
		}
		if session == 0 {
			session = i + 1
		}
		if passage == 0 && h.Span[0] <= 1 && h.Span[1] >= 1 {
			passage = i + 1
		}
	}
	return passage, session
}

// Of the questions about coding sessions among noise, those by words and those by
// identifiers and error messages are answered, the latter at once, and the topic finds
// some that share no word with their answer.
func TestCodingQuestions(t *testing.T) {
	questions := readCodingQuestions(t)
	e := questioned(t, questions)
	for _, tier := range []string{"words and topic", "words alone"} {
		found := map[string]int{}
		for n, q := range questions {
			passage, session := placeOf(t, e, n, q)
			if passage > 0 {
				found[q.kind+" passage"]++
			}
			if session > 0 {
				found[q.kind+" session"]++
			}
			if q.kind == "exact" && (passage == 0 || passage > 3) {
				t.Errorf("%q is at rank %d", q.text, passage)
			}
			if passage == 0 && tier == "words and topic" {
				t.Logf("not found: %s: %s", q.kind, q.text)
			}
		}
		var figures []string
		for _, kind := range []string{"words", "meaning", "exact"} {
			figures = append(figures, fmt.Sprintf("%s %d and %d", kind, found[kind+" passage"], found[kind+" session"]))
		}
		t.Logf("%s: passages and sessions among the first eight, of 20 each: %s", tier, strings.Join(figures, ", "))
		if least := map[string]int{"words": 19, "exact": 20}; slices.ContainsFunc([]string{"words", "exact"}, func(k string) bool { return found[k+" passage"] < least[k] }) {
			t.Errorf("%s: %v", tier, found)
		}
		e.models = &models{}
	}
}
