package harness

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
)

// patience is how long a test waits for what has to come.
const patience = 60 * time.Second

// live is a home whose sessions are followed.
type live struct {
	t       *testing.T
	home    string
	mu      sync.Mutex
	found   map[string]*sessions.Update
	changed chan struct{}
}

// follow follows the samples of a harness.
func follow(t *testing.T, name string) *live {
	t.Helper()
	l := &live{
		t: t, home: harnesstest.CopyTree(t, samplesOf(name)),
		found: map[string]*sessions.Update{}, changed: make(chan struct{}, 1),
	}
	library := sessions.NewLibrary(sessions.Options{Sources: All(), Env: env(l.home), Watch: true})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = library.Run(ctx, l.apply) // ends with ctx
	}()
	t.Cleanup(func() { cancel(); <-done })
	return l
}

func (l *live) apply(updates []sessions.Update) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, u := range updates {
		if u.Removed {
			delete(l.found, nameOf(u))
			continue
		}
		gather(l.found, u)
	}
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

// await waits until a session is as it should be, and no other has its id.
func (l *live) await(what, id string, is func(u *sessions.Update, text string) bool) {
	l.t.Helper()
	late := time.After(patience)
	for {
		l.mu.Lock()
		u := l.found[id]
		text := ""
		if u != nil {
			for _, p := range u.Passages {
				text += p.Text + "\n"
			}
		}
		good := u != nil && l.found[id+"~2"] == nil && is(u, text)
		l.mu.Unlock()
		if good {
			return
		}
		select {
		case <-l.changed:
		case <-late:
			l.t.Fatalf("%s: %s is %+v", what, id, u)
		}
	}
}

func (l *live) says(what, id, words string) {
	l.t.Helper()
	l.await(what, id, func(u *sessions.Update, text string) bool { return !u.Gone && strings.Contains(text, words) })
}

func (l *live) add(path, text string) {
	l.t.Helper()
	file, err := os.OpenFile(filepath.Join(l.home, path), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		l.t.Fatal(err)
	}
	if _, err = file.WriteString(text); err != nil {
		l.t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		l.t.Fatal(err)
	}
}

func (l *live) write(path, text string) {
	l.t.Helper()
	if err := os.WriteFile(filepath.Join(l.home, path), []byte(text), 0o600); err != nil {
		l.t.Fatal(err)
	}
}

func (l *live) rename(from, to string) {
	l.t.Helper()
	to = filepath.Join(l.home, to)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		l.t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(l.home, from), to); err != nil {
		l.t.Fatal(err)
	}
}

func (l *live) read(path string) string {
	l.t.Helper()
	text, err := os.ReadFile(filepath.Join(l.home, path))
	if err != nil {
		l.t.Fatal(err)
	}
	return string(text)
}

// What is appended, rewritten, replaced, archived and deleted while a program
// follows it is right without a restart.
func TestLinesThatChange(t *testing.T) {
	for _, c := range lines {
		t.Run(c.harness, func(t *testing.T) {
			t.Parallel()
			l := follow(t, c.harness)
			l.await("the sample", c.id, func(u *sessions.Update, _ string) bool { return len(u.Passages) > 0 })
			say := func(words string) string { return strings.ReplaceAll(c.line, "WORDS", words) + "\n" }
			l.add(c.path, say("appended")[:20])
			l.add(c.path, say("appended")[20:])
			l.says("appended to", c.id, "appended")

			if c.archive != "" {
				l.rename(c.path, c.archive)
				c.path = c.archive
				l.await("moved", c.id, func(u *sessions.Update, _ string) bool { return !u.Gone && u.Path == filepath.Join(l.home, c.path) })
			}
			whole := l.read(c.path)
			l.write(c.path+".new", strings.ReplaceAll(whole, "appended", "replaced"))
			l.rename(c.path+".new", c.path)
			l.await("replaced by renaming", c.id, func(_ *sessions.Update, text string) bool {
				return strings.Contains(text, "replaced") && !strings.Contains(text, "appended")
			})
			l.write(c.path, strings.ReplaceAll(whole, "appended", "rewritten"))
			l.says("rewritten", c.id, "rewritten")
			if err := os.Remove(filepath.Join(l.home, c.path)); err != nil {
				t.Fatal(err)
			}
			if !inOtherForm[c.id] {
				l.await("deleted", c.id, func(u *sessions.Update, text string) bool { return u.Gone && strings.Contains(text, "rewritten") })
			}
		})
	}
}

// Half a document leaves what was known as it was.
func TestDocumentsThatChange(t *testing.T) {
	for _, c := range documents {
		t.Run(c.harness, func(t *testing.T) {
			t.Parallel()
			l := follow(t, c.harness)
			whole := l.read(c.path)
			if c.from == "" { // half of one to begin with
				c.from = "first"
				whole = `{"sessionId":"` + c.id + `","messages":[{"id":"1","type":"user","content":"first"}]}`
				l.write(c.path, whole)
			}
			l.says("the sample", c.id, c.from)
			l.write(c.path, whole[:len(whole)/2])
			l.write(c.path, strings.Replace(whole, c.from, "changed", 1))
			l.says("rewritten", c.id, "changed")
			l.write(c.path+".new", strings.Replace(whole, c.from, "renamed", 1))
			l.rename(c.path+".new", c.path)
			l.says("replaced by renaming", c.id, "renamed")
			l.write(c.path, whole[:len(whole)/2])
			l.add(c.path, whole[len(whole)/2:])
			l.says("written in two halves", c.id, c.from)
			if err := os.Remove(filepath.Join(l.home, c.path)); err != nil {
				t.Fatal(err)
			}
			l.await("deleted", c.id, func(u *sessions.Update, text string) bool { return u.Gone && strings.Contains(text, c.from) })
		})
	}
}

// A session of Gemini CLI that goes on in lines stays one session.
func TestADocumentThatGoesOnInLines(t *testing.T) {
	l := follow(t, "gemini")
	const id, path = "ccccdddd-0000-4000-8000-000000000000", ".gemini/tmp/shop/chats/session-2025-10-07T08-00-ccccdddd"
	l.write(path+".json", `{"sessionId":"`+id+`","lastUpdated":"2026-01-01T00:00:00Z","messages":[{"id":"1","type":"user","content":"first"}]}`)
	l.says("the document", id, "first")
	l.write(path+".jsonl", `{"sessionId":"`+id+`","lastUpdated":"2026-01-02T00:00:00Z"}
{"id":"1","type":"user","content":"first"}
{"id":"2","type":"user","content":"second"}
`)
	l.says("the lines", id, "second")
}

// A rename of Copilot CLI's shows though no event was written.
func TestARenameBesideTheEvents(t *testing.T) {
	l := follow(t, "copilot")
	const id = "5a4b3c2d-1e0f-4d9c-8b7a-695847362514"
	l.await("the sample", id, func(u *sessions.Update, _ string) bool { return u.Title == "Refund retries" })
	path := ".copilot/session-state/" + id + "/workspace.yaml"
	l.write(path, strings.Replace(l.read(path), "Refund retries", "Renamed", 1))
	l.await("renamed", id, func(u *sessions.Update, _ string) bool { return u.Title == "Renamed" })
}

// A rename of a chat in a window without a folder is written to a database outside
// of the folder of such chats.
func TestARenameInAnotherFolder(t *testing.T) {
	l := follow(t, "vscode-copilot")
	const id, storage = "00f4c2aa-0000-4d88-b0f3-1c9d5e2a7b64", ".config/Code/User/globalStorage"
	database := filepath.Join(l.home, storage, "state.vscdb")
	if err := os.MkdirAll(filepath.Join(l.home, storage, "emptyWindowChatSessions"), 0o755); err != nil {
		t.Fatal(err)
	}
	title := func(title string) {
		t.Helper()
		harnesstest.Exec(t, database, "CREATE TABLE IF NOT EXISTS ItemTable (key TEXT UNIQUE, value BLOB)",
			`INSERT OR REPLACE INTO ItemTable VALUES ('chat.ChatSessionStore.index', '{"entries":{"`+id+`":{"title":"`+title+`"}}}')`)
	}
	title("Given")
	l.write(storage+"/emptyWindowChatSessions/"+id+".jsonl", `{"kind":0,"v":{"requests":[{"requestId":"1","message":{"text":"go"}}]}}`+"\n")
	l.await("the chat", id, func(u *sessions.Update, _ string) bool { return u.Title == "Given" })
	title("Renamed")
	l.await("renamed", id, func(u *sessions.Update, _ string) bool { return u.Title == "Renamed" })
}

// A rollout of Codex that is packed, and unpacked again to be gone on with, stays
// what it was.
func TestARolloutThatIsPacked(t *testing.T) {
	l := follow(t, "codex")
	const id, path = "019eda01-12e0-74a1-b2c3-d4e5f6071829", ".codex/sessions/2026/06/18/rollout-2026-06-18T11-12-44-019eda01-12e0-74a1-b2c3-d4e5f6071829.jsonl"
	l.says("the sample", id, "Which package should own")
	whole := l.read(path)
	var packed strings.Builder
	out, err := zstd.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	_, err = out.Write([]byte(whole))
	if err = errors.Join(err, out.Close()); err != nil {
		t.Fatal(err)
	}
	l.write(path+".zst", packed.String())
	if err := os.Remove(filepath.Join(l.home, path)); err != nil {
		t.Fatal(err)
	}
	l.await("packed", id, func(u *sessions.Update, text string) bool {
		return !u.Gone && strings.HasSuffix(u.Path, ".zst") && strings.Contains(text, "Which package should own")
	})
	l.write(path, whole+`{"timestamp":"2026-06-18T10:00:00.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"gone on"}]}}`+"\n")
	if err := os.Remove(filepath.Join(l.home, path+".zst")); err != nil {
		t.Fatal(err)
	}
	l.await("unpacked", id, func(u *sessions.Update, text string) bool {
		return !u.Gone && strings.HasSuffix(u.Path, ".jsonl") && strings.Contains(text, "gone on")
	})
}

// A session of OpenCode's JSON files is a file for each part: those that are written
// over, come and go show, and the session's own file says whether it is there.
func TestPartsThatChange(t *testing.T) {
	l := follow(t, "opencode")
	const id, storage = "ses_2f00aa115001DeFgHiJkLmNoPq", ".local/share/opencode/storage/"
	const message, session = storage + "message/" + id + "/msg_z003", storage + "session/5be1f0c2aa9d4470e8b7c3f1d2e6a9b4c7d8e0f1/" + id
	l.await("the sample", id, func(u *sessions.Update, _ string) bool { return u.Prompts == 1 })
	if err := os.MkdirAll(filepath.Join(l.home, storage, "part/msg_z003"), 0o755); err != nil {
		t.Fatal(err)
	}
	part := func(text string) {
		t.Helper()
		l.write(storage+"part/msg_z003/.oc-new.tmp", `{"type":"text","text":"`+text+`"}`)
		l.rename(storage+"part/msg_z003/.oc-new.tmp", storage+"part/msg_z003/prt_z009.json")
	}
	part("something new")
	l.write(message+".json", `{"role":"user","time":{"created":1762952500000}}`)
	l.says("added", id, "something new")
	part("something newer")
	l.await("written over", id, func(_ *sessions.Update, text string) bool {
		return strings.Contains(text, "something newer") && !strings.Contains(text, "something new\n")
	})
	if err := os.Remove(filepath.Join(l.home, session+".json")); err != nil {
		t.Fatal(err)
	}
	l.await("deleted", id, func(u *sessions.Update, text string) bool { return u.Gone && strings.Contains(text, "something newer") })
}

// A conversation that is a folder of events grows by files.
func TestEventsThatAreAdded(t *testing.T) {
	l := follow(t, "openhands")
	const id = "8f14e45fceea4670b1c2d3e4f5a6b7c8"
	const events = ".openhands/conversations/" + id + "/events/event-0000"
	l.says("the sample", id, "the clock goes back")
	whole := `{"id":"x","kind":"MessageEvent","source":"user","llm_message":{"content":"something new"}}`
	l.write(events+"4-00000004.json", whole[:30])
	l.write(events+"4-00000004.json", whole)
	l.says("added", id, "something new")
	if err := os.RemoveAll(filepath.Join(l.home, ".openhands/conversations", id)); err != nil {
		t.Fatal(err)
	}
	l.await("deleted", id, func(u *sessions.Update, text string) bool { return u.Gone && strings.Contains(text, "something new") })
}

// What stands beside a conversation of Antigravity shows at once: where it takes
// place, and the documents of one without a transcript, until it has one.
func TestBesideAConversation(t *testing.T) {
	l := follow(t, "antigravity")
	const cli, editor = ".gemini/antigravity-cli", ".gemini/antigravity/brain/d"
	mkdir := func(path string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(l.home, path), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	line := `{"step_index":0,"source":"USER_EXPLICIT","type":"USER_INPUT","content":"<USER_REQUEST>go</USER_REQUEST>"}` + "\n"
	mkdir(cli + "/brain/n/.system_generated/logs")
	l.write(cli+"/brain/n/.system_generated/logs/transcript.jsonl", line)
	l.await("begun", "n", func(u *sessions.Update, text string) bool { return strings.Contains(text, "go") && u.Directory == "" })
	l.add(cli+"/history.jsonl", `{"display":"on","timestamp":1783512000000,"workspace":"/w","conversationId":"n"}`+"\n")
	l.await("listed", "n", func(u *sessions.Update, _ string) bool { return u.Directory == "/w" })
	if err := os.RemoveAll(filepath.Join(l.home, cli, "brain/n")); err != nil {
		t.Fatal(err)
	}
	l.await("deleted", "n", func(u *sessions.Update, text string) bool { return u.Gone && strings.Contains(text, "go") })

	mkdir(editor)
	l.write(editor+"/plan.md", "# Plan\n\nMeasure first.\n")
	l.await("planned", "d", func(u *sessions.Update, text string) bool {
		return u.Title == "Plan" && strings.Contains(text, "Measure first")
	})
	l.write(editor+"/walkthrough.md", "It took half the time.\n")
	l.says("reported", "d", "half the time")
	mkdir(editor + "/.system_generated/logs")
	l.write(editor+"/.system_generated/logs/transcript_full.jsonl", line)
	l.await("transcribed", "d", func(u *sessions.Update, text string) bool {
		return u.Prompts == 1 && !strings.Contains(text, "half the time")
	})
}
