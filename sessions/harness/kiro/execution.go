package kiro

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/lazy"
	"yore/sessions/store"
)

// executionsDir is the folder of a workspace in which the editor keeps what its
// agent did: it is called by the beginning of a hash of "KIRO::EXECUTION::SAVES".
const executionsDir = "414d1636299d2b9e4ce7e17fb11f63e9"

// Limits: how much of an execution is read to learn its ids, how deep one may have
// others do its work, and how long after its session was last written one counts for
// the session's stamp: whose it is stands behind what it was given, and is not always
// read.
const (
	executionHead = 4 << 10
	maxHandedOn   = 8
	maxExecution  = 24 * time.Hour
)

// The ids of an execution and of its session, which stand near its beginning.
var (
	executionID      = lazy.Regexp(`"executionId"\s*:\s*"([^"\\]+)"`)
	executionSession = lazy.Regexp(`"chatSessionId"\s*:\s*"([^"\\]+)"`)
)

// execution is what the beginning of its file tells.
type execution struct{ id, session string }

// executionsOf is the folder of the executions in a workspace.
func executionsOf(root, workspace string) string {
	hash := sha256.Sum256([]byte(workspace))
	return filepath.Join(root, hex.EncodeToString(hash[:16]), executionsDir)
}

// executions are the files of the executions in a workspace, by id. What is known
// of a file is not asked again: it keeps its id.
func (s *Source) executions(root, workspace string) map[string]string {
	dir := executionsOf(root, workspace)
	entries, _ := os.ReadDir(dir) // most workspaces have none
	paths := map[string]string{}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if id := s.executionOf(path).id; id != "" {
			paths[id] = path
		}
	}
	return paths
}

// executionOf is the execution that a file holds, an empty one in any other.
func (s *Source) executionOf(path string) execution {
	s.mu.Lock()
	known := s.ran[path]
	s.mu.Unlock()
	if known.id != "" {
		return known
	}
	head := store.Part(path, 0, executionHead)
	if match := executionID().FindSubmatch(head); match != nil {
		known.id = string(match[1])
	}
	if match := executionSession().FindSubmatch(head); match != nil {
		known.session = string(match[1])
	}
	if known.id != "" {
		s.mu.Lock()
		s.ran[path] = known
		s.mu.Unlock()
	}
	return known
}

// running are the executions of a workspace, as they are listed.
func running(dir string) (files []fs.FileInfo) {
	entries, _ := os.ReadDir(dir) // most workspaces have none
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	return files
}

// runsFor tells what of a workspace's executions changed after their session was
// written to; 0 when none did.
func (s *Source) runsFor(t sessions.Transcript, dir string, files []fs.FileInfo) int64 {
	var changed []any
	for _, f := range files {
		if since := f.ModTime().Sub(t.Mtime); since < 0 || since > maxExecution {
			continue
		}
		if of := s.executionOf(filepath.Join(dir, f.Name())).session; of == "" || of == t.ID {
			changed = append(changed, f.Name(), f)
		}
	}
	if changed == nil {
		return 0
	}
	return gather.Version(append(changed, t.Extra)...)
}

// silentActions are what an execution did besides speaking and using tools.
var silentActions = map[string]bool{"model": true, "intentClassification": true}

// execution reads what the agent did and said in an execution, of which the
// session itself mostly has a stub. It tells whether anything was said.
func (r *reader) execution(paths map[string]string, id string, handedOn int) (said bool) {
	path := paths[id]
	delete(paths, id)
	if path == "" || handedOn > maxHandedOn {
		return false
	}
	text, err := store.Document(path)
	if err != nil {
		return false // it is being written, and read when it has changed
	}
	doc := gjson.Parse(text)
	r.moment(momentOf(doc.Get("startTime")))
	for _, action := range doc.Get("actions").Array() {
		t := sessions.Turn{
			Kind: sessions.Reply, Role: sessions.Assistant, ID: gather.Text(action.Get("actionId")),
			At: r.moment(momentOf(action.Get("emittedAt"))), Text: gather.Text(action.Get("output.message")),
		}
		switch kind := gather.Text(action.Get("actionType")); {
		case kind == "say":
			said = said || t.Text != ""
			r.Add(t)
		case kind == "specAgent":
			said = r.execution(paths, gather.Text(action.Get("output.executionId")), handedOn+1) || said
		case kind != "" && !silentActions[kind]:
			r.action(t, kind, action)
		}
	}
	r.moment(momentOf(doc.Get("endTime")))
	return said
}

// momentOf is a time that stands as a number, or is written.
func momentOf(v gjson.Result) time.Time {
	if v.Type == gjson.String && strings.Contains(v.Str, "-") {
		return gather.Written(gather.Text(v))
	}
	return gather.Moment(v.Float())
}

// action sends a call of a tool and its output. Of a changed file what it became
// is told.
func (r *reader) action(t sessions.Turn, kind string, action gjson.Result) {
	input, output := action.Get("input"), action.Get("output")
	t.Kind, t.Call = sessions.ToolCall, t.ID
	t.Tool = cmp.Or(gather.Text(input.Get("toolName")), kind)
	t.Text, t.Cut = store.Input(cmp.Or(input.Get("toolArgs").Raw, input.Raw))
	if written := input.Get("modifiedContent"); written.Exists() {
		t.Text, t.Cut = gather.Text(input.Get("file"))+"\n"+gather.Text(written), false
	}
	r.Add(t)
	t.Kind, t.Cut = sessions.ToolOutput, false
	exit := output.Get("exitCode")
	t.Failed = exit.Exists() && exit.Int() != 0 || strings.EqualFold(action.Get("actionState").String(), "error")
	t.Text = cmp.Or(gather.Text(output.Get("output")), gather.Text(output.Get("response")), gather.Text(output.Get("message")), gather.Result(output.Raw))
	r.Add(t)
}
