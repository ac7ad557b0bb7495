package codex

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
)

// Invented sessions. The ids are of version 7, in order of time.
const (
	parentID = "019f0000-0000-7000-8000-00000000000a"
	childID  = "019f0000-ffff-7000-8000-00000000000b"
	turnOne  = "019f0000-1111-7000-8000-000000000001"
	turnTwo  = "019f0000-2222-7000-8000-000000000002"
	ownTurn  = "019f0001-3333-7000-8000-000000000003"
)

// began is when invented rollouts begin; each line is a second later.
var began = time.Date(2026, 7, 1, 8, 0, 0, 0, time.UTC)

// obj is a JSON object in a test.
type obj = map[string]any

// script writes the lines of a rollout.
type script struct {
	lines []string
	at    time.Time
	pace  time.Duration
}

func newScript() *script { return &script{at: began, pace: time.Second} }

func (s *script) raw(line string) *script {
	s.lines = append(s.lines, line)
	return s
}

// add writes an envelope as Codex does: its fields in this order, the payload's
// type first.
func (s *script) add(kind string, payload obj) *script {
	b, err := json.Marshal(payload)
	if err != nil {
		panic(err)
	}
	text := string(b)
	if item, ok := payload["type"].(string); ok {
		rest := obj{}
		for k, v := range payload {
			if k != "type" {
				rest[k] = v
			}
		}
		b, _ = json.Marshal(rest)
		text = fmt.Sprintf(`{"type":%q,%s`, item, strings.TrimPrefix(string(b), "{"))
		text = strings.Replace(text, ",}", "}", 1)
	}
	s.raw(fmt.Sprintf(`{"timestamp":%q,"type":%q,"payload":%s}`, s.at.Format("2006-01-02T15:04:05.000Z"), kind, text))
	s.at = s.at.Add(s.pace)
	return s
}

func (s *script) meta(id string, more obj) *script {
	payload := obj{"id": id, "timestamp": s.at.Format(time.RFC3339Nano), "cwd": "/home/dev/shop", "source": "cli", "model_provider": "openai"}
	maps.Copy(payload, more)
	return s.add(kindMeta, payload)
}

func (s *script) begin(turn string) *script {
	s.event("task_started", obj{"turn_id": turn})
	return s.add(kindContext, obj{"turn_id": turn, "cwd": "/home/dev/shop", "model": "gpt-5.4-codex"})
}

func (s *script) event(kind string, more obj) *script {
	payload := obj{"type": kind}
	maps.Copy(payload, more)
	return s.add(kindEvent, payload)
}

func (s *script) item(kind string, more obj) *script {
	payload := obj{"type": kind}
	maps.Copy(payload, more)
	return s.add(kindResponse, payload)
}

func (s *script) says(role, text string) *script {
	kind := "input_text"
	if role == "assistant" {
		kind = "output_text"
	}
	return s.item("message", obj{"role": role, "content": []obj{{"type": kind, "text": text}}})
}

// ask writes a prompt in both its forms, reply an answer in both.
func (s *script) ask(text string) *script {
	return s.says("user", text).event("user_message", obj{"message": text, "images": []string{}})
}

func (s *script) reply(text string) *script {
	return s.event("agent_message", obj{"message": text}).says("assistant", text)
}

func (s *script) done(turn string) *script { return s.event("task_complete", obj{"turn_id": turn}) }

func (s *script) text() string { return strings.Join(s.lines, "\n") + "\n" }

// put writes the script as the rollout of a session below a home, and returns
// its path.
func (s *script) put(t testing.TB, dir, id string) string {
	t.Helper()
	folder := filepath.Join(dir, ".codex", "sessions", "2026", "07", "01")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "rollout-2026-07-01T10-00-00-"+id+".jsonl")
	if err := os.WriteFile(path, []byte(s.text()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// read reads all of a home.
func read(t testing.TB, dir string) *harnesstest.Recorder {
	t.Helper()
	return harnesstest.Read(t, New(), home(dir))
}

// short writes turns in one line each: what they are, what they say.
func short(s *harnesstest.Session) []string {
	if s == nil {
		return nil
	}
	var lines []string
	for _, turn := range s.Turns {
		line := turn.Kind.String()
		if turn.Tool != "" {
			line += " " + turn.Tool
		}
		if turn.Kind == sessions.ToolCall && turn.Role == sessions.User {
			line += " by the user"
		}
		for _, more := range []struct {
			say  bool
			word string
		}{{turn.Failed, " failed"}, {turn.Copied, " copied"}, {turn.Undone, " undone"}} {
			if more.say {
				line += more.word
			}
		}
		lines = append(lines, line+": "+turn.Text)
	}
	return lines
}
