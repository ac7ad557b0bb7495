package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"yore/recall/index"
	"yore/sessions"
)

// heldTools is an Engine that cuts the words of some of what tools gave and then waits for
// release.
func heldTools(t *testing.T, total int) (e *Engine, release func()) {
	k := said("a", day(1), "the lattice")
	for n := range total {
		k.hung = append(k.hung, sessions.Hung{Turn: sessions.Turn{Kind: sessions.ToolOutput, Tool: "Bash", Call: fmt.Sprint(n), Text: fmt.Sprint("needle ", n)}, Index: n})
	}
	lib := &fakeLibrary{loaded: make(chan struct{}), more: make(chan []sessions.Update), updates: []sessions.Update{k.update()}}
	e = open(Config{Zone: time.UTC, Now: func() time.Time { return testNow }, toolsWait: time.Millisecond}, lib)
	gate := make(chan struct{})
	e.edition().index.Relieve(func() { <-gate })
	release = func() {
		if !isClosed(gate) {
			close(gate)
		}
	}
	t.Cleanup(func() { release(); e.Close() })
	if err := e.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	return e, release
}

// manyTools is more than get their words at a time.
const manyTools = 10_000

// Who asks what tools gave, for the first time, is answered from what has words by then,
// and told what is missing; the rest comes behind the answer.
func TestToolsAnswerBeforeAllHaveWords(t *testing.T) {
	e, release := heldTools(t, manyTools)
	a := ask(t, e, Query{Text: "in:tools needle"})
	missing := slices.ContainsFunc(a.Notes, func(n string) bool {
		return strings.Contains(n, fmt.Sprintf("of %d texts of tools and thinking are not indexed yet", manyTools))
	})
	if a.Complete || a.PassagesMatched == manyTools || !missing {
		t.Fatalf("complete %v, %d passages, notes %q", a.Complete, a.PassagesMatched, a.Notes)
	}
	release()
	for e.edition().unread(index.Tools) > 0 {
		<-e.Changes()
	}
	if a := ask(t, e, Query{Text: "in:tools needle"}); !a.Complete || a.PassagesMatched != manyTools || len(a.Notes) > 0 {
		t.Errorf("complete %v, %d passages, notes %q", a.Complete, a.PassagesMatched, a.Notes)
	}
}

// A pattern is looked for in texts, which needs no words of them; a phrase beside it does.
func TestPatternsNeedNoWords(t *testing.T) {
	e, _ := heldTools(t, manyTools)
	ask(t, e, Query{Text: "in:tools needle"}) // so that some have words and some have not
	for text, want := range map[string]int{"in:tools /nee+dle \\d+/": manyTools, `in:tools /^needle/ -"needle 7"`: manyTools - 1, `in:tools "=>" OR /needle 12$/`: 1} {
		if a := ask(t, e, Query{Text: text}); !a.Complete || a.PassagesMatched != want || len(a.Notes) > 0 && !strings.HasPrefix(a.Notes[0], "Left out") {
			t.Errorf("%s: complete %v, %d passages, notes %q", text, a.Complete, a.PassagesMatched, a.Notes)
		}
	}
}

// Where tools were searched once, what is new there has words before anybody asks, but for
// who asks once.
func TestToolsKeepWords(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	cfg := Config{Sources: []sessions.Source{plainSource{dir}}, Zone: time.UTC, DataDir: data}
	unread := func(cfg Config, question string) int {
		e := loadedEngine(t, cfg)
		defer end(t, e)
		if question != "" {
			ask(t, e, Query{Text: question})
		}
		e.Settle(t.Context())
		return e.edition().unread(index.Tools)
	}
	write(t, dir, "s1", "hello", "$ needle one")
	if n := unread(cfg, ""); n != 1 {
		t.Fatalf("%d texts have no words before somebody asks", n)
	}
	if n := unread(cfg, "in:tools needle"); n != 0 {
		t.Fatalf("%d texts have no words after somebody asked", n)
	}
	write(t, dir, "s1", "$ needle two")
	brief := cfg
	brief.Brief = true
	if n := unread(brief, "hello"); n != 1 {
		t.Errorf("%d texts have no words where the conversation was asked once", n)
	}
	if n := unread(cfg, ""); n != 0 {
		t.Errorf("%d texts have no words where tools were searched", n)
	}
}
