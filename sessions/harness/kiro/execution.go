package kiro

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/lazy"
	"yore/sessions/store"
)

// executionsDir is the folder of a workspace in which the editor keeps what its
// agent did: it is called by the beginning of a hash of "KIRO::EXECUTION::SAVES".
const executionsDir = "414d1636299d2b9e4ce7e17fb11f63e9"

// Limits: how much of an execution is read to learn its id, and how deep one may
// have others do its work.
const (
	executionHead = 1 << 10
	maxHandedOn   = 8
)

// executionID matches the id of an execution, which stands near its beginning.
var executionID = lazy.Regexp(`"executionId"\s*:\s*"([^"\\]+)"`)

// executions are the files of the executions in a workspace, by id. What is known
// of a file is not asked again: it keeps its id.
func (s *Source) executions(root, workspace string) map[string]string {
	hash := sha256.Sum256([]byte(workspace))
	dir := filepath.Join(root, hex.EncodeToString(hash[:16]), executionsDir)
	entries, _ := os.ReadDir(dir) // most workspaces have none
	paths := map[string]string{}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if id := s.executionOf(path); id != "" {
			paths[id] = path
		}
	}
	return paths
}

// executionOf is the id of the execution that a file holds, "" of any other.
func (s *Source) executionOf(path string) string {
	s.mu.Lock()
	id := s.ids[path]
	s.mu.Unlock()
	if id != "" {
		return id
	}
	file, err := sessions.OpenFile(path)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }() // only read
	head, err := io.ReadAll(io.LimitReader(file, executionHead))
	if match := executionID().FindSubmatch(head); err == nil && match != nil {
		id = string(match[1])
		s.mu.Lock()
		s.ids[path] = id
		s.mu.Unlock()
	}
	return id
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
		return false // it is being written, and read when the session tells of more
	}
	doc := gjson.Parse(text)
	r.moment(gather.Moment(doc.Get("startTime").Float()))
	for _, action := range doc.Get("actions").Array() {
		t := sessions.Turn{
			Kind: sessions.Reply, Role: sessions.Assistant, ID: gather.Text(action.Get("actionId")),
			At: r.moment(gather.Moment(action.Get("emittedAt").Float())), Text: gather.Text(action.Get("output.message")),
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
	r.moment(gather.Moment(doc.Get("endTime").Float()))
	return said
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
