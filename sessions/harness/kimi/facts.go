package kimi

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/jsonl"
	"yore/sessions/lazy"
	"yore/sessions/store"
)

// noTitle is the title of a session of Kimi Code that has none yet, and imported
// what its lists put before that of one that was taken over.
const (
	noTitle  = "New Session"
	imported = "[imported] "
)

// known is what stands beside a transcript.
type known struct {
	title, dir, model, parent, forked string
	began, active                     time.Time
	original                          string // id of the session of Kimi CLI that was taken over
}

// cliKnown reads what Kimi CLI says of a session or a sub-agent.
func (s *Source) cliKnown(t sessions.Transcript, at place) known {
	project := filepath.Dir(t.Path) // of a transcript without a folder
	k := known{}
	if at.dir != "" {
		project = filepath.Dir(at.dir)
		k.title = gather.Text(sidecar(at.dir, stateName).Get("custom_title"))
	}
	if at.agent != "" {
		meta := sidecar(filepath.Dir(t.Path), "meta.json")
		k.title, k.parent = gather.Text(meta.Get("description")), at.id
		k.model = short(gather.Text(meta.Get("launch_spec.effective_model")))
		k.began = gather.Moment(meta.Get("created_at").Num)
		k.active = gather.Moment(meta.Get("updated_at").Num)
	}
	name := filepath.Base(project) // that of another machine begins with the machine's
	k.dir = s.dirs.Sidecar(filepath.Join(filepath.Dir(filepath.Dir(project)), "kimi.json"), workDirs)[name[strings.LastIndexByte(name, '_')+1:]]
	return k
}

// workDirs are the directories in which Kimi CLI was used, by their hashes.
func workDirs(doc string) map[string]string {
	dirs := map[string]string{}
	for _, dir := range gather.Parse(doc).Get("work_dirs").Array() {
		path := gather.Text(dir.Get("path"))
		sum := md5.Sum([]byte(path))
		dirs[hex.EncodeToString(sum[:])] = path
	}
	return dirs
}

// codeKnown reads what Kimi Code says of a session or a sub-agent.
func (s *Source) codeKnown(at place) known {
	state := sidecar(at.dir, stateName)
	k := known{
		title: strings.TrimPrefix(strings.TrimSpace(gather.Text(state.Get("title"))), imported), dir: gather.Text(state.Get("workDir")),
		forked: gather.Text(state.Get("forkedFrom")), began: gather.Written(gather.Text(state.Get("createdAt"))),
		active: gather.Written(gather.Text(state.Get("updatedAt"))),
	}
	if k.title == noTitle {
		k.title = ""
	}
	if k.dir == "" {
		k.dir = s.indexOf(filepath.Dir(filepath.Dir(at.dir)))[at.id].dir
	}
	if custom := state.Get("custom"); custom.Get("imported_from_kimi_cli").Bool() {
		if id := gather.Text(custom.Get("kimi_cli_session_id")); s.original(id) {
			k.original, k.forked = id, id
		}
	}
	if at.agent != "" {
		k.title, k.active = "", time.Time{} // they are the session's
		k.parent = at.id
		if parent := gather.Text(agentOf(state, at.agent).Get("parentAgentId")); parent != mainAgent {
			k.parent = agentKey(parent, at.id)
		}
		if k.forked != "" {
			k.forked = agentKey(at.agent, k.forked)
		}
	}
	return k
}

// agentOf is what a session's state says of a sub-agent.
func agentOf(state gjson.Result, name string) (of gjson.Result) {
	state.Get("agents").ForEach(func(key, v gjson.Result) bool {
		if key.String() == name {
			of = v
		}
		return true
	})
	return of
}

func sidecar(dir, name string) gjson.Result {
	return gather.Parse(store.Sidecar(filepath.Join(dir, name)))
}

// short is a model's name without the service's before it.
func short(model string) string { return model[strings.LastIndexByte(model, '/')+1:] }

// indexed is what the list of all sessions of Kimi Code says of one.
type indexed struct {
	dir     string
	deleted bool
}

// indexOf reads that list, which lies beside the sessions folder. The last line
// about a session counts.
func (s *Source) indexOf(sessionsDir string) map[string]indexed {
	path := filepath.Join(filepath.Dir(sessionsDir), "session_index.jsonl")
	return s.index.Get(path, func(path string) map[string]indexed {
		all := map[string]indexed{}
		for line := range strings.Lines(store.Small(path)) {
			entry := gather.Parse(line)
			if id := gather.Text(entry.Get("sessionId")); id != "" {
				all[id] = indexed{dir: gather.Text(entry.Get("workDir")), deleted: entry.Get("deleted").Bool()}
			}
		}
		return all
	})
}

// agentLine is how the output of a call names the sub-agent that it began.
var agentLine = lazy.Regexp(`(?m)^agent_id: (\S+)`)

// callOf is the call of the parent that began a sub-agent; "" while its
// transcript does not tell.
func (s *Source) callOf(ctx context.Context, at place) string {
	calls, _ := s.calls.Try(at.main(), func(path string) (map[string]string, error) {
		calls := map[string]string{}
		err := store.Records(ctx, path, nil, func(rec jsonl.Record) {
			if !strings.Contains(rec.JSON(), "agent_id") {
				return
			}
			doc := gjson.Parse(rec.JSON())
			if p := doc.Get("message.payload"); p.Get("agent_id").Exists() {
				calls[gather.Text(p.Get("agent_id"))] = gather.Text(p.Get("parent_tool_call_id"))
			}
			for _, at := range []struct{ call, output string }{
				{"message.payload.tool_call_id", "message.payload.return_value.output"}, {"event.toolCallId", "event.result.output"},
			} {
				if match := agentLine().FindStringSubmatch(store.Text(doc.Get(at.output).Raw)); match != nil {
					calls[strings.Clone(match[1])] = gather.Text(doc.Get(at.call))
				}
			}
		})
		return calls, err
	})
	return calls[at.agent]
}
