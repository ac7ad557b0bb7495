package claude

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// joinParent finds the session that a sub-agent worked for, and the call that
// started it. The folder names the session, in the older layout the records
// do. The call stands in a file beside the sub-agent's, or in the parent's
// record of what the sub-agent returned.
func (r *reader) joinParent(s *Source) {
	if dir := r.nestedIn(); dir != "" {
		r.st.Parent = filepath.Base(dir)
	}
	if r.st.ParentCall != "" || !r.st.Talk {
		return
	}
	if parent := r.beside().parent; parent != "" {
		r.st.Parent = parent
	}
	r.st.ParentCall = r.beside().call
	if r.st.ParentCall == "" && r.st.Parent != "" {
		name, dir := filepath.Base(r.st.Parent)+transcriptExt, filepath.Dir(r.sessionDir())
		if isAgentFile(name) { // sub-agents lie together
			dir = filepath.Dir(r.t.Path)
		}
		calls, _ := s.calls.Try(filepath.Join(dir, name), readCalls) // what cannot be read tells none
		r.st.ParentCall = calls[strings.TrimPrefix(r.id, agentPrefix)]
	}
}

// called is what the file beside a sub-agent's says of how it was started.
type called struct {
	call   string // id of the call
	parent string // sub-agent that called it, "" when the session did
}

// beside reads that file once.
func (r *reader) beside() *called {
	if r.called != nil {
		return r.called
	}
	r.called = &called{}
	for key, value := range jsonl.Fields(store.Sidecar(strings.TrimSuffix(r.t.Path, transcriptExt) + ".meta.json")) {
		switch key {
		case "toolUseId":
			r.called.call = jsonl.Text(value)
		case "parentAgentId":
			if id := jsonl.Text(value); id != "" {
				r.called.parent = agentPrefix + strings.TrimPrefix(id, agentPrefix)
			}
		}
	}
	return r.called
}

// nestedIn is the session's folder in which the sub-agent's file lies, at any
// depth; "" in the older layout, where it lies beside the sessions.
func (r *reader) nestedIn() string {
	dir := filepath.Dir(r.t.Path)
	for range maxNesting + 1 {
		if filepath.Base(dir) == subagentsDir {
			return filepath.Dir(dir)
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

// readCalls collects agentId and tool_use_id of the results in a transcript.
func readCalls(path string) (map[string]string, error) {
	calls := map[string]string{}
	err := store.Records(context.Background(), path, starts, func(rec jsonl.Record) {
		if !strings.Contains(rec.JSON(), `"agentId"`) {
			return
		}
		e := decode(rec.JSON())
		if e.kind == "progress" { // of one that returned nothing yet
			agent := jsonl.Text(jsonl.Field(jsonl.Field(rec.JSON(), "data"), "agentId"))
			if id := jsonl.Text(jsonl.Field(rec.JSON(), "parentToolUseID")); agent != "" && id != "" && calls[agent] == "" {
				calls[agent] = id
			}
			return
		}
		agent := jsonl.Text(jsonl.Field(e.rawResult, "agentId"))
		if agent == "" {
			return
		}
		for block := range jsonl.Elements(jsonl.Field(e.rawMessage, "content")) {
			if id := jsonl.Text(jsonl.Field(block, "tool_use_id")); id != "" {
				calls[agent] = id
			}
		}
	})
	return calls, err
}

// head reads the first records of a transcript until use has enough.
func head(path string, use func(record) bool) {
	file, err := sessions.OpenFile(path)
	if err != nil {
		return
	}
	defer func() { _ = file.Close() }() // only read
	in := jsonl.NewReader(io.LimitReader(file, maxHead), 0, jsonl.Options{Starts: starts})
	for range headRecords {
		rec, err := in.Next()
		if err != nil {
			return
		}
		e := decode(rec.JSON())
		e.offset = rec.Offset
		if !use(e) {
			return
		}
	}
}

// How far a head is read. Bookkeeping before the first message is short.
const (
	maxHead     = 1 << 20
	headRecords = 256
)
