package kiro_test

import (
	"context"
	"encoding/base64"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/kiro"
)

// editorDir is where the editor kept the sessions of one workspace before today's form.
var editorDir = filepath.Join(".config/Kiro/User/globalStorage/kiro.kiroagent/workspace-sessions", base64.StdEncoding.EncodeToString([]byte("/home/mira/web")))

// editorSession is such a session, in which each of these was asked.
func editorSession(prompts ...string) string {
	var history []string
	for _, text := range prompts {
		history = append(history, `{"message":{"role":"user","content":"`+text+`"}},{"message":{"role":"assistant","content":"re `+text+`"}}`)
	}
	return `{"title":"t","workspaceDirectory":"/home/mira/web","history":[` + strings.Join(history, ",") + `]}`
}

// nativeSession are the lines of one of today's form, in which each of these was asked.
func nativeSession(prompts ...string) string {
	lines := `{"id":"0","payload":{"type":"session_start"}}` + "\n"
	for _, text := range prompts {
		lines += `{"id":"` + text + `","payload":{"type":"user","content":"` + text + `"}}` + "\n" + `{"id":"re-` + text + `","payload":{"type":"assistant","content":"re ` + text + `"}}` + "\n"
	}
	return lines
}

// A session that the editor took over into today's form stands once, as that of today's
// form, where that says all of it; else what only the old one says is told, whatever a
// mark says of it, and the rest is a copy.
func TestMigrated(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		id, mark string // of the new one; what the mark says, "" for none
		old, now []string
		own      string
		told     []string // all that the old one tells, nil when it is none
	}{
		"by the id":            {id: "sess_o", old: []string{"a", "b"}, now: []string{"a", "b", "c"}},
		"by the same id":       {id: "o", old: []string{"a"}, now: []string{"a"}, told: []string{}},
		"by the mark":          {id: "sess_9-x", mark: `{"v2SessionId":"sess_9-x"}`, old: []string{"a"}, now: []string{"a", "z"}},
		"not wholly":           {id: "sess_o", mark: "{}", old: []string{"a", "b"}, now: []string{"a", "c"}, own: "b", told: []string{"a", "b"}},
		"other words, marked":  {id: "sess_o", mark: "{}", old: []string{"a"}, now: []string{"z"}, own: "a", told: []string{"a"}},
		"other words, no mark": {id: "sess_o", old: []string{"a"}, now: []string{"z"}, own: "a", told: []string{"a"}},
		"no mark, other id":    {id: "sess_9", old: []string{"a"}, now: []string{"a"}, own: "a", told: []string{"a"}},
		"a mark, other id":     {id: "sess_9", mark: "{}", old: []string{"a", "b"}, now: []string{"a", "c"}, own: "a b", told: []string{"a", "b"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			harnesstest.Write(t, filepath.Join(home, editorDir, "o.json"), editorSession(c.old...))
			if c.mark != "" {
				harnesstest.Write(t, filepath.Join(home, editorDir, ".migrated-o.json"), c.mark)
			}
			dir := filepath.Join(home, ".kiro/sessions/9f3c", c.id)
			harnesstest.Write(t, filepath.Join(dir, "session.json"), `{"workspacePaths":["/home/mira/web"]}`)
			harnesstest.Write(t, filepath.Join(dir, "messages.jsonl"), nativeSession(c.now...))
			read := harnesstest.Read(t, kiro.New(), harnesstest.Env(home, nil))
			if diff := cmp.Diff(c.now, read.Session(c.id).Texts(sessions.Prompt)); diff != "" {
				t.Errorf("the new one (-want +got):\n%s", diff)
			}
			old := read.Session("o")
			switch {
			case c.id == "o": // the one session
			case c.told == nil && old != nil:
				t.Errorf("the old one is told: %q", old.Texts(sessions.Prompt))
			case c.told != nil && old == nil:
				t.Fatal("the old one is lost")
			case c.told != nil:
				var own []string
				for _, turn := range old.Turns {
					if turn.Kind == sessions.Prompt && !turn.Copied {
						own = append(own, turn.Text)
					}
				}
				if diff := cmp.Diff(c.told, old.Texts(sessions.Prompt)); diff != "" || strings.Join(own, " ") != c.own || (old.ForkedFrom == c.id) != (c.own != strings.Join(c.old, " ")) {
					t.Errorf("own %q, a fork of %q: %s", own, old.ForkedFrom, diff)
				}
			}
		})
	}
}

// A session that is taken over while it is shown is told by the new one from then on.
func TestMigratedWhileShown(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	harnesstest.Write(t, filepath.Join(home, editorDir, "o.json"), editorSession("alpha"))
	found := map[string]bool{}
	var mu sync.Mutex
	changed := make(chan struct{}, 1)
	l := sessions.NewLibrary(sessions.Options{Sources: []sessions.Source{kiro.New()}, Env: harnesstest.Env(home, nil), Watch: true})
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		_ = l.Run(ctx, func(updates []sessions.Update) { // its error is that the context ended
			mu.Lock()
			defer mu.Unlock()
			for _, u := range updates {
				found[u.ID] = !u.Removed
			}
			select {
			case changed <- struct{}{}:
			default:
			}
		})
	})
	defer running.Wait()
	defer cancel()
	await := func(what, id string, there bool) {
		t.Helper()
		for late := time.After(time.Minute); ; {
			mu.Lock()
			is := found[id]
			mu.Unlock()
			if is == there {
				return
			}
			select {
			case <-changed:
			case <-late:
				t.Fatal("never happened: ", what)
			}
		}
	}
	await("the old one", "o", true)
	harnesstest.Write(t, filepath.Join(home, ".kiro/sessions/9f3c/sess_o/messages.jsonl"), nativeSession("alpha"))
	harnesstest.Write(t, filepath.Join(home, editorDir, ".migrated-o.json"), `{}`)
	await("the new one", "sess_o", true)
	await("that the old one is no more", "o", false)
}

// A session that the command line made one of today's form of stands once, also where a
// database has it; what was said in the old one since is told.
func TestConverted(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	src := kiro.New()
	list := func() map[string]sessions.Transcript {
		byID := map[string]sessions.Transcript{}
		for _, tr := range harnesstest.List(t, src, harnesstest.Env(home, nil)) {
			byID[tr.ID] = tr
		}
		return byID
	}
	before := list()[tags]
	old := harnesstest.NewRecorder()
	harnesstest.ReadOne(t, src, before, old)
	var lines []string
	for _, turn := range old.Session(tags).Turns {
		switch turn.Kind {
		case sessions.Prompt:
			lines = append(lines, `{"type":"user","content":`+strconv.Quote(turn.Text)+`}`)
		case sessions.Reply:
			lines = append(lines, `{"type":"assistant","content":`+strconv.Quote(turn.Text)+`}`)
		}
	}
	harnesstest.Write(t, filepath.Join(home, ".kiro/sessions/9f3c/cli_"+tags+"_uHOR/messages.jsonl"), payloads(append(lines, `{"type":"user","content":"more"}`)...))
	harnesstest.Write(t, filepath.Join(home, ".kiro/sessions/9f3c/cli_"+rules+"/messages.jsonl"), payloads(`{"type":"user","content":"lifecycle rules for the backup bucket?"}`))
	after := list()[tags]
	if after.Same(before.Stamp) {
		t.Error("that it was converted is not seen")
	}
	read := harnesstest.Read(t, src, harnesstest.Env(home, nil))
	if read.Session(tags) != nil || read.Session("cli_"+tags+"_uHOR").Prompts != 2 {
		t.Errorf("%+v", read.Session(tags))
	}
	if s := read.Session(rules); s == nil || s.ForkedFrom != "cli_"+rules || s.Prompts != 0 || s.Replies == 0 {
		t.Errorf("what only the old one says: %+v", s)
	}
}
