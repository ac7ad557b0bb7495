package ui

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"yore/model/modeltest"
	"yore/recall"
	"yore/sessions"
	"yore/ui/picture"
)

// tour is an engine of a few sessions that are easily understood: the README's
// pictures show it.
func tour() *modeltest.Engine {
	type said struct {
		harness, directory, title, question, reply string
		badge                                      recall.Badge
		days                                       int
	}
	all := []said{
		{"claude", "/home/ada/shop", "Cache layout", "Why is the cache one file?", "We shard the cache by project, because the single file grew past what one lock can serve.", recall.Both, 1},
		{"codex", "/home/ada/shop", "Slow start of the shop", "What takes so long at the start?", "Reading the cache takes 900 ms; with a file per project only the one that is needed is read.", recall.Both, 3},
		{"opencode", "/home/ada/billing", "Invoices twice", "Why are invoices sent twice?", "Two workers held the same lock file: each project needs a lock of its own.", recall.Topic, 9},
		{"gemini", "/home/ada/shop", "Move constants to config", "Can the number of shards be set?", "The number of cache shards moved to config.toml and stays 16 unless it is set.", recall.Words, 12},
		{"claude", "/home/ada/notes", "Weekly notes", "Sum up what was decided.", "Decided this week: the sharded cache ships on Monday, behind a flag.", recall.Words, 15},
	}
	texts := map[string]said{}
	e := modeltest.New()
	e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
		a := modeltest.Answer(q.Text)
		a.Hits, a.PassagesMatched, a.SessionsMatched, a.TopicMatched = a.Hits[:len(all)], len(all), len(all), 7
		for i, s := range all {
			h := &a.Hits[i]
			at := modeltest.Now.Add(-time.Duration(s.days) * 25 * time.Hour)
			h.Session.Harness, h.Session.Directory, h.Session.Title, h.Session.LastActive, h.At = s.harness, s.directory, s.title, at, at
			h.Text, h.Line, h.Matches, h.Matched = s.reply, 0, nil, s.badge
			h.Subagent, h.Undone, h.Gone, h.Close, h.AlsoIn = false, false, false, false, nil
			for from := 0; ; {
				n := strings.Index(s.reply[from:], "cache")
				if n < 0 {
					break
				}
				h.Matches = append(h.Matches, [2]int{from + n, from + n + len("cache")})
				from += n + len("cache")
			}
			h.Members[0].Text, h.Members[0].Matches = s.reply, h.Matches
			h.Members[0].Spans = []sessions.Span{{To: len(s.reply), Kind: sessions.Reply, Role: sessions.Assistant, At: at}}
			texts[h.Session.ID] = s
		}
		a.Hits[0].AlsoIn = []string{"a fork"}
		return a, nil
	}
	e.OnRead = func(_ context.Context, l recall.Locator, around int) (recall.Reading, error) {
		r, s := modeltest.Reading(l, around), texts[l.Session]
		r.Session.Harness, r.Session.Directory, r.Session.Title = s.harness, s.directory, s.title
		for i := range r.Passages {
			p := &r.Passages[i]
			p.Thinking[0].Text = "The lock is held while the whole file is written. What if each project had its own?"
			p.Tools[0].Input, p.Tools[0].Output = "cache/layout.go", "package cache\n\nconst name = \"cache.bin\"\n\nvar lock sync.Mutex"
			p.Turns[0].Text, p.Turns[1].Text = s.question, s.reply+"\n\n1. Each project gets a file below `~/.cache/shop`.\n2. A lock is held for one file only.\n\n```go\nfunc path(project string) string {\n\treturn filepath.Join(root, project+\".bin\")\n}\n```"
			if i != len(r.Passages)/2 {
				p.Turns[0].Text, p.Turns[1].Text = "And what of the old file?", fmt.Sprintf("It is read once more and moved, step %d.", p.Number)
			}
		}
		return r, nil
	}
	return e
}

// pictures are the README's, each of a golden frame.
var pictures = []struct {
	name, frame string
	w, h        int
}{
	{"list", "TestFrames/tour/120x40/dark", 120, 40},
	{"reader", "TestFrames/tour-reader/120x40/dark", 120, 40},
	{"tail", "TestTailFrames/folded/80x24/dark", 80, 24},
}

// TestPictures compares the README's pictures with the golden frames that they show;
// -update draws them anew.
func TestPictures(t *testing.T) {
	for _, p := range pictures {
		frame, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(p.frame)+".golden"))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("..", "testdata", "pictures", p.name+".svg")
		want := picture.SVG(string(frame), p.w, p.h, picture.Dark)
		if flag.Lookup("update").Value.String() == "true" {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != string(want) {
			t.Errorf("%s shows something else than the golden frame, %v: go test ./ui -update", path, err)
		}
	}
}
