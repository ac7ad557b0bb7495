package recall

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"yore/sessions"
	"yore/sessions/harness/claude"
)

// conversationsFile is questions with known answers about long conversations in
// LoCoMo's form. They are for evaluation only, and no part of this repository.
var conversationsFile = flag.String("conversations", "../../shared/eval/locomo-dev.json", "conversations with questions whose answers are known")

// conversation is one of them, read.
type conversation struct {
	name      string
	engine    *Engine
	questions []knownQuestion
}

// knownQuestion is a question with the turns that answer it.
type knownQuestion struct {
	text     string
	category int
	sessions []string // that hold them
	turns    []string // their text, squashed
}

// found is how well a question was answered.
type found struct {
	rank     int  // of the first right session, each counted once; 0 when there is none
	evidence bool // one of the first eight hits shows a turn that answers
}

// figures are the sums over questions.
type figures struct {
	n, first, five, evidence int
	reciprocal               float64
}

func (f *figures) add(x found) {
	f.n++
	if x.rank > 0 {
		f.reciprocal += 1 / float64(x.rank)
	}
	if x.rank == 1 {
		f.first++
	}
	if x.rank > 0 && x.rank <= 5 {
		f.five++
	}
	if x.evidence {
		f.evidence++
	}
}

func (f figures) percent(n int) float64 { return 100 * float64(n) / float64(max(f.n, 1)) }

func (f figures) mean() float64 { return f.reciprocal / float64(max(f.n, 1)) }

func (f figures) String() string {
	return fmt.Sprintf("%5.1f %5.1f  %.3f %5.1f", f.percent(f.first), f.percent(f.five), f.mean(), f.percent(f.evidence))
}

// readConversations writes each conversation as the transcripts of a home of its
// own, one for each dated session, and has an Engine read them.
func readConversations(t testing.TB) []conversation {
	t.Helper()
	data, err := os.ReadFile(*conversationsFile)
	if err != nil {
		t.Skipf("without conversations: %v", err)
	}
	var all []struct {
		Name         string                     `json:"sample_id"`
		Conversation map[string]json.RawMessage `json:"conversation"`
		Questions    []struct {
			Question string          `json:"question"`
			Evidence json.RawMessage `json:"evidence"`
			Category int             `json:"category"`
		} `json:"qa"`
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	var out []conversation
	for _, c := range all {
		home := t.TempDir()
		turns := writeConversation(t, home, c.Conversation)
		e := Open(Config{
			Sources: []sessions.Source{claude.New()},
			Env:     sessions.Env{Home: home, Getenv: func(string) string { return "" }, GOOS: "linux"},
			Zone:    time.UTC, Now: func() time.Time { return testNow },
		})
		t.Cleanup(func() { e.Close() })
		if err := e.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		known := conversation{name: c.Name, engine: e}
		for _, q := range c.Questions {
			k := knownQuestion{text: q.Question, category: q.Category}
			for _, id := range evidenceID.FindAllStringSubmatch(string(q.Evidence), -1) {
				if turn, ok := turns[id[1]+":"+id[2]]; ok {
					k.turns = append(k.turns, turn.text)
					k.sessions = append(k.sessions, turn.session)
				}
			}
			if len(k.turns) > 0 {
				known.questions = append(known.questions, k)
			}
		}
		out = append(out, known)
	}
	return out
}

var evidenceID = regexp.MustCompile(`D:?0*(\d+):0*(\d+)`)

type knownTurn struct{ session, text string }

// writeConversation gives the turns by "session:turn".
func writeConversation(t testing.TB, home string, c map[string]json.RawMessage) map[string]knownTurn {
	t.Helper()
	dir := filepath.Join(home, ".claude", "projects", "-conversation")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var speaker string
	_ = json.Unmarshal(c["speaker_a"], &speaker)
	turns := map[string]knownTurn{}
	for key, raw := range c {
		number, err := strconv.Atoi(strings.TrimPrefix(key, "session_"))
		if err != nil {
			continue
		}
		var date string
		_ = json.Unmarshal(c[key+"_date_time"], &date)
		at, err := time.Parse("3:04 pm on 2 January 2006", strings.ReplaceAll(date, ",", ""))
		if err != nil {
			t.Fatal(err)
		}
		var said []struct {
			Speaker string `json:"speaker"`
			ID      string `json:"dia_id"`
			Text    string `json:"text"`
		}
		if err := json.Unmarshal(raw, &said); err != nil {
			t.Fatal(err)
		}
		id := fmt.Sprintf("6f6c6f63-6f6d-4f00-8000-%012x", number)
		var lines []byte
		for i, s := range said {
			role := "user"
			if s.Speaker != speaker {
				role = "assistant"
			}
			line, err := json.Marshal(map[string]any{
				"type": role, "uuid": fmt.Sprintf("%s%04x%08x", id[:24], number, i+1), "sessionId": id, "cwd": "/conversation", "version": "2.1.0",
				"timestamp": at.Add(time.Duration(i+1) * 20 * time.Second).Format(time.RFC3339),
				"message": map[string]any{"role": role, "id": fmt.Sprintf("msg_%d_%d", number, i), "content": []any{
					map[string]any{"type": "text", "text": s.Speaker + ": " + s.Text},
				}},
			})
			if err != nil {
				t.Fatal(err)
			}
			lines = append(append(lines, line...), '\n')
			turns[strings.TrimPrefix(s.ID, "D")] = knownTurn{id, squash(s.Text)}
		}
		if err := os.WriteFile(filepath.Join(dir, id+".jsonl"), lines, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return turns
}

var noWord = regexp.MustCompile(`[^\pL\pN_]+`)

// squash is the words of a text alone.
func squash(text string) string {
	return strings.TrimSpace(noWord.ReplaceAllString(strings.ToLower(text), " "))
}

// askKnown asks as the command line does, 50 hits in the default view.
func askKnown(t testing.TB, e *Engine, q knownQuestion) found {
	t.Helper()
	a := ask(t, e, Query{Text: q.text, Limit: 50})
	var f found
	var seen []string
	for i, h := range a.Hits {
		if !slices.Contains(seen, h.Session.ID) {
			seen = append(seen, h.Session.ID)
			if f.rank == 0 && slices.Contains(q.sessions, h.Session.ID) {
				f.rank = len(seen)
			}
		}
		if i < 8 && slices.ContainsFunc(q.turns, func(turn string) bool {
			return strings.Contains(squash(h.Text), turn[:min(len(turn), 120)])
		}) {
			f.evidence = true
		}
	}
	return f
}

// least is what the conversations have to be answered like: a standard error below
// what RANKING.md says.
var least = figures{n: 1000, first: 795, five: 934, evidence: 912, reciprocal: 855}

// TestConversations measures how well questions with known answers are answered.
func TestConversations(t *testing.T) {
	var total figures
	for _, c := range readConversations(t) {
		var own figures
		for _, q := range c.questions {
			f := askKnown(t, c.engine, q)
			own.add(f)
			total.add(f)
		}
		t.Logf("%-10s %4d  %v", c.name, own.n, own)
	}
	t.Logf("%-10s %4d  %v", "all", total.n, total)
	for _, figure := range []struct {
		name        string
		have, asked float64
	}{
		{"R@1", total.percent(total.first), least.percent(least.first)},
		{"R@5", total.percent(total.five), least.percent(least.five)},
		{"E@8", total.percent(total.evidence), least.percent(least.evidence)},
		{"MRR", total.mean(), least.mean()},
	} {
		if figure.have < figure.asked {
			t.Errorf("%s is %.3f, at least %.3f is expected", figure.name, figure.have, figure.asked)
		}
	}
}
