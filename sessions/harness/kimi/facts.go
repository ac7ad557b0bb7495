package kimi

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"path/filepath"
	"strconv"
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
	original                          string // transcript of the session of Kimi CLI that was taken over
}

// cliKnown reads what Kimi CLI says of a session or a sub-agent.
func (s *Source) cliKnown(t sessions.Transcript, at place) known {
	k := known{dir: s.workDir(t.Path, at)}
	switch {
	case at.agent != "":
		m, _ := s.metas.Sidecar(filepath.Join(filepath.Dir(t.Path), metaName), readMeta)
		k.title, k.model, k.began, k.active, k.parent = m.title, m.model, m.began, m.active, at.id
	case at.dir != "":
		told, _ := s.states.Sidecar(filepath.Join(at.dir, stateName), readState)
		k.title = told.Custom
	}
	return k
}

// meta is what stands beside a sub-agent of Kimi CLI.
type meta struct {
	title, model  string
	began, active time.Time
}

func readMeta(doc string) meta {
	of := gather.Parse(doc)
	return meta{
		title: gather.Text(of.Get("description")), model: short(gather.Text(of.Get("launch_spec.effective_model"))),
		began: gather.Moment(of.Get("created_at").Num), active: gather.Moment(of.Get("updated_at").Num),
	}
}

// workDir is where a session of Kimi CLI takes place, by the hash in its path.
func (s *Source) workDir(path string, at place) string {
	project := filepath.Dir(path) // of a transcript without a folder
	if at.dir != "" {
		project = filepath.Dir(at.dir)
	}
	name := filepath.Base(project) // that of another machine begins with the machine's
	dirs, _ := s.dirs.Sidecar(filepath.Join(filepath.Dir(filepath.Dir(project)), "kimi.json"), workDirs)
	return dirs[name[strings.LastIndexByte(name, '_')+1:]]
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

// state is what a session's state.json says.
type state struct {
	Title  string    `json:",omitempty"` // of Kimi Code
	Custom string    `json:"-"`          // title of Kimi CLI, which somebody gave
	Dir    string    `json:",omitempty"`
	Forked string    `json:",omitempty"` // id of the session that this one is a fork of
	Taken  string    `json:",omitempty"` // id of the session of Kimi CLI that was taken over
	Parent string    `json:",omitempty"` // of the sub-agent that it was remembered for
	Began  time.Time `json:",omitzero"`
	Active time.Time `json:",omitzero"`

	parents map[string]string // of sub-agents, by name
}

// keptBeside is how many bytes of it a mark remembers: more than names have.
const keptBeside = 4 << 10

func readState(doc string) state {
	of := gather.Parse(doc)
	text := func(path string) string { return gather.Text(of.Get(path)) }
	told := state{
		Title: strings.TrimPrefix(strings.TrimSpace(store.Title(of.Get("title").Raw)), imported), Custom: store.Title(of.Get("custom_title").Raw),
		Dir: text("workDir"), Forked: text("forkedFrom"), Began: gather.Written(text("createdAt")), Active: gather.Written(text("updatedAt")),
		parents: map[string]string{},
	}
	if told.Title == noTitle {
		told.Title = ""
	}
	if of.Get("custom.imported_from_kimi_cli").Bool() {
		told.Taken = text("custom.kimi_cli_session_id")
	}
	of.Get("agents").ForEach(func(name, agent gjson.Result) bool {
		told.parents[gather.Text(name)] = gather.Text(agent.Get("parentAgentId"))
		return true
	})
	return told
}

// toldOf is what is said of a session, or a sub-agent, which st is to remember: as long as
// that cannot be read, what it remembers.
func (s *Source) toldOf(at place, st *codeState) state {
	told, seen := s.states.Sidecar(filepath.Join(at.dir, stateName), readState)
	if !seen && st.Beside != nil {
		return *st.Beside
	}
	told.Parent = told.parents[at.agent]
	st.Beside = nil // what fills pages is not remembered
	if seen && len(told.Title)+len(told.Dir)+len(told.Forked)+len(told.Taken)+len(told.Parent) <= keptBeside {
		st.Beside = &told
	}
	return told
}

// codeKnown is what Kimi Code says of a session or a sub-agent, with what st remembers of it,
// and is to remember.
func (s *Source) codeKnown(at place, st *codeState) known {
	told := s.toldOf(at, st)
	k := known{title: told.Title, dir: told.Dir, forked: told.Forked, began: told.Began, active: told.Active}
	if k.dir == "" {
		k.dir = s.indexOf(filepath.Dir(filepath.Dir(at.dir)))[at.id].dir
	}
	before := st.Original
	if st.Original = ""; told.Taken != "" {
		st.Original = s.original(told.Taken, before)
	}
	if k.original = st.Original; k.original != "" {
		k.forked = told.Taken
	}
	if at.agent != "" {
		k.title, k.active = "", time.Time{} // they are the session's
		k.parent = at.id
		if told.Parent != mainAgent {
			k.parent = agentKey(told.Parent, at.id)
		}
		if k.forked != "" {
			k.forked = agentKey(at.agent, k.forked)
		}
	}
	return k
}

// lineage is a number that differs when other records than before are those of another
// session; 0 when none are.
func (k known) lineage() int64 {
	if k.forked == "" {
		return 0
	}
	return gather.Version(k.forked, strconv.FormatBool(k.original != ""), k.began.UnixNano())
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
	index, _ := s.index.Whole(path, func(path string) (map[string]indexed, error) {
		text, err := store.Small(path)
		if err != nil {
			return nil, err
		}
		all := map[string]indexed{}
		for line := range strings.Lines(text) {
			entry := gather.Parse(line)
			if id := gather.Text(entry.Get("sessionId")); id != "" {
				all[id] = indexed{dir: gather.Text(entry.Get("workDir")), deleted: entry.Get("deleted").Bool()}
			}
		}
		return all, nil
	})
	return index
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
