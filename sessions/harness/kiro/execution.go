package kiro

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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

// Limits: how much of a document is read to learn its ids, how deep an execution may have
// others do its work, and how long after a session was last written one that does not
// tell whose it is counts for the session's stamp: that may stand behind what it was
// given, which is not read.
const (
	executionHead = 4 << 10
	maxHandedOn   = 8
	maxExecution  = 24 * time.Hour
)

// The ids of an execution and of its session, which stand near its beginning.
var (
	executionID      = lazy.Regexp(`"executionId"\s*:\s*"([^"\\]+)"`)
	executionSession = lazy.Regexp(`"chatSessionId"\s*:\s*"([^"\\]+)"`)

	// workedIn matches the folder that a session's document tells.
	workedIn = lazy.Regexp(`"workspaceDirectory"\s*:\s*("(?:[^"\\]|\\.)*")`)
)

// execution is what the beginning of its file tells.
type execution struct {
	id, session string
	stamp       sessions.Stamp // of the file as it was then
}

// executionsOf are the folders of the executions in workspaces, those without a name
// left out.
func executionsOf(root string, workspaces ...string) (dirs []string) {
	for _, workspace := range workspaces {
		if dir := filepath.Join(root, hashOf(workspace), executionsDir); workspace != "" && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// hashOf is what the editor's folder for a workspace is called.
func hashOf(workspace string) string {
	hash := sha256.Sum256([]byte(workspace))
	return hex.EncodeToString(hash[:16])
}

// hashName matches such a name.
var hashName = lazy.Regexp(`^[0-9a-f]{32}$`)

// Hashed is the name of the folder of an older document of the editor, which tells nothing
// else of where it was made.
func (s *Source) Hashed(path string) string {
	if name := filepath.Base(filepath.Dir(path)); filepath.Ext(path) == chatExt && hashName().MatchString(name) {
		return name
	}
	return ""
}

// Hash is what the folder of a workspace is called.
func (s *Source) Hash(dir string) string { return hashOf(dir) }

// ranFor are the folders of the executions of a session of the editor: in the workspace
// that its folder names, and in the one that its beginning or end tells, which may be called
// otherwise.
func (s *Source) ranFor(path string) []string {
	dir := filepath.Dir(path)
	told := s.workedIn.Get(path, func(path string) string {
		for _, offset := range []int64{0, -executionHead} {
			if match := workedIn().FindSubmatch(store.Part(path, offset, executionHead)); match != nil {
				return gather.Text(gjson.ParseBytes(match[1]))
			}
		}
		return ""
	})
	return executionsOf(filepath.Dir(filepath.Dir(dir)), workspaceOf(dir), told)
}

// executions are the files of the executions in folders, by id.
func (s *Source) executions(dirs []string) map[string]string {
	paths := map[string]string{}
	for _, dir := range dirs {
		for _, info := range running(dir) {
			path := filepath.Join(dir, info.Name())
			if id := s.executionOf(path, info).id; id != "" {
				paths[id] = path
			}
		}
	}
	return paths
}

// executionOf is the execution that a file holds, one without an id in any other. What
// is known of a file is not asked again before it changes, nor after both are known: it
// keeps its ids.
func (s *Source) executionOf(path string, info fs.FileInfo) execution {
	stamp := sessions.StampOf(info)
	s.mu.Lock()
	known, asked := s.ran[path]
	s.mu.Unlock()
	if asked && (known.id != "" && known.session != "" || known.stamp.Same(stamp)) {
		return known
	}
	known = execution{stamp: stamp}
	head := store.Part(path, 0, executionHead)
	if match := executionID().FindSubmatch(head); match != nil {
		known.id = string(match[1])
	}
	if match := executionSession().FindSubmatch(head); match != nil {
		known.session = string(match[1])
	}
	s.mu.Lock()
	s.ran[path] = known
	s.mu.Unlock()
	return known
}

// running are the executions in a folder, as they are listed.
func running(dir string) (files []fs.FileInfo) {
	entries, _ := os.ReadDir(dir) // most workspaces have none
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	return files
}

// runsFor tells what of the executions in a folder changed after their session was
// written to; nil when none did.
func (s *Source) runsFor(t sessions.Transcript, dir string, files []fs.FileInfo) (changed []any) {
	for _, f := range files {
		since := f.ModTime().Sub(t.Mtime)
		if since < 0 {
			continue
		}
		if of := s.executionOf(filepath.Join(dir, f.Name()), f).session; of == t.ID || of == "" && since <= maxExecution {
			changed = append(changed, f.Name(), f)
		}
	}
	return changed
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
