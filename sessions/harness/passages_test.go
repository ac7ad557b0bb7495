package harness

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
)

// TestPassagesOfTheSamples keeps, for every sample, what the library makes of
// it: the session's facts and how its turns are cut into passages. -update
// writes the files; they are to be read before they are committed.
func TestPassagesOfTheSamples(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "samples")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		t.Run(name, func(t *testing.T) {
			home := harnesstest.Samples(t, filepath.Join(dir, name))
			var mu sync.Mutex
			found := map[string]*sessions.Update{}
			l := sessions.NewLibrary(sessions.Options{Sources: All(), Env: env(home)})
			err := l.Run(context.Background(), func(us []sessions.Update) {
				mu.Lock()
				defer mu.Unlock()
				for _, u := range us {
					gather(found, u)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			all := make([]*sessions.Update, 0, len(found))
			for _, u := range found {
				all = append(all, u)
			}
			slices.SortFunc(all, func(a, b *sessions.Update) int { return cmp.Compare(nameOf(*a), nameOf(*b)) })
			var b strings.Builder
			for _, u := range all {
				var one strings.Builder
				dump(&one, u)
				b.WriteString(strings.NewReplacer(u.ID, nameOf(*u), home, "HOME").Replace(one.String()))
			}
			golden.RequireEqual(t, []byte(b.String()))
		})
	}
}

// env is the surroundings of a home with samples. Those of the harness that keeps
// transcripts where it is used were written in this directory.
func env(home string) sessions.Env {
	env := harnesstest.Env(home, nil)
	env.Dir = filepath.Join(home, "src", "backoff")
	return env
}

// nameOf is what a session is called here: ids of Aider's are made of paths, which
// are others each time.
func nameOf(u sessions.Update) string {
	if u.Harness == "aider" {
		return "run of " + u.Start.Format(time.DateTime)
	}
	return u.ID
}

// gather applies an Update to what is known of its session.
func gather(found map[string]*sessions.Update, u sessions.Update) {
	old := found[nameOf(u)]
	if old == nil || u.Reset {
		old = new(sessions.Update)
		found[nameOf(u)] = old
	}
	old.Session = u.Session
	old.Passages = append(old.Passages[:u.From], u.Passages...)
	old.Hung = append(old.Hung, u.Hung...)
}

func dump(b *strings.Builder, u *sessions.Update) {
	fmt.Fprintf(b, "== %s\n", u.ID)
	fmt.Fprintf(b, "%q in %s on %q, %s; %d prompts, %d replies, %d calls", u.Title, u.Directory, u.Branch, u.Model, u.Prompts, u.Replies, u.ToolCalls)
	if u.TimeFrom == sessions.TimeMessage {
		fmt.Fprintf(b, "; last active %s", u.LastActive.UTC().Format("2006-01-02 15:04:05"))
	}
	if u.Subagent {
		fmt.Fprintf(b, "; sub-agent of %s by %s", u.Parent, u.ParentCall)
	}
	if u.ForkedFrom != "" {
		fmt.Fprintf(b, "; fork of %s", u.ForkedFrom)
	}
	b.WriteString("\n")
	for _, p := range u.Passages {
		fmt.Fprintf(b, "-- passage %d\n", p.Number)
		for _, s := range p.Spans {
			fmt.Fprintf(b, "[%s %s id=%s offset=%d copied=%v undone=%v] %q\n", s.Kind, s.Role, s.ID, s.Offset, s.Copied, s.Undone, p.Text[s.From:s.To])
		}
		for _, h := range u.Hung {
			if h.Passage == p.Number {
				fmt.Fprintf(b, "  %d.%s %d %s, %d bytes\n", h.Passage, h.Kind, h.Index, h.Tool, len(h.Text))
			}
		}
	}
}
