package codex

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// lineage is what the rollouts of sub-agents and forks need to know of the one
// they come from. The zero lineage is that of a session that is not there. It
// is safe for use by several goroutines.
type lineage struct {
	mu      sync.Mutex
	path    string
	offset  int64
	turnIDs map[string]struct{}
	calls   map[string]string // call that started a sub-agent, by the sub-agent's id
}

// maxLineages bounds the parents that are remembered. Children are read near
// their parent in time, so a few do.
const maxLineages = 32

// lineage finds the rollout of a session by its id, for one of its children,
// and reads what was added to it since it was last asked for.
func (s *Source) lineage(ctx context.Context, child sessions.Transcript, id string) *lineage {
	if !uuid(id) {
		return &lineage{}
	}
	s.mu.Lock()
	l := s.lineages[id]
	if l == nil {
		if len(s.lineages) >= maxLineages {
			clear(s.lineages)
		}
		l = &lineage{turnIDs: map[string]struct{}{}, calls: map[string]string{}}
		s.lineages[id] = l
	}
	s.mu.Unlock()

	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := os.Stat(l.path); l.path == "" || err != nil {
		l.path = find(child, id)
		l.offset = 0
	}
	if l.path != "" {
		l.read(ctx)
	}
	return l
}

// turns tells whether the parent is there and its turns have ids.
func (l *lineage) turns() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.turnIDs) > 0
}

// has tells whether the parent has a turn of that id.
func (l *lineage) has(turn string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, ok := l.turnIDs[turn]
	return ok
}

// call is the call that started a sub-agent, "" when unknown.
func (l *lineage) call(agent string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.calls[agent]
}

// read goes on through the parent's rollout. A part that cannot be read costs
// the knowledge in it, no more.
func (l *lineage) read(ctx context.Context) {
	file, err := sessions.OpenFile(l.path)
	if err != nil {
		return
	}
	defer file.Close()
	var src io.Reader = file
	if strings.HasSuffix(l.path, packedSuffix) {
		if l.offset > 0 {
			return // packed rollouts do not grow
		}
		packed, err := unpack(file)
		if err != nil {
			return
		}
		defer packed.Close()
		src = packed
	} else if info, err := file.Stat(); err != nil || info.Size() <= l.offset {
		return
	} else if _, err := file.Seek(l.offset, io.SeekStart); err != nil {
		return
	}
	l.offset, _ = store.LinesOf(ctx, src, sessions.Transcript{Path: l.path}, l.offset, starts, store.Nobody{}, func(rec jsonl.Record) bool {
		l.line(parse(rec.JSON()))
		return true
	})
}

// line notes a turn, or the start of a sub-agent. Older versions told it in the
// output of the call alone.
func (l *lineage) line(line record) {
	var turn, event, call, agent, spawned string
	switch {
	case line.kind == kindContext, line.item == "task_started", line.item == "turn_started":
		if turn = jsonl.Text(jsonl.Field(line.payload, "turn_id")); turn != "" {
			l.turnIDs[turn] = struct{}{}
		}
	case line.item == "sub_agent_activity", line.item == "collab_agent_spawn_end":
		fields(line.payload, map[string]*string{
			"event_id": &event, "call_id": &call, "agent_thread_id": &agent, "new_thread_id": &spawned,
		})
		l.started(jsonl.Text(cmp.Or(agent, spawned)), jsonl.Text(cmp.Or(event, call)))
	case line.item == "function_call_output" && strings.Contains(line.payload, "agent_id"):
		var output string
		fields(line.payload, map[string]*string{"call_id": &call, "output": &output})
		// The output is text, which need not be the JSON it looks like.
		if text := jsonl.Text(output); len(text) < maxSpawnOutput && json.Valid([]byte(text)) {
			l.started(plain(jsonl.Field(text, "agent_id")), jsonl.Text(call))
		}
	}
}

// maxSpawnOutput is longer than what starting a sub-agent returns.
const maxSpawnOutput = 4096

// started notes a call; the first that names a sub-agent started it.
func (l *lineage) started(agent, call string) {
	if agent == "" || call == "" || l.calls[agent] != "" {
		return
	}
	l.calls[strings.Clone(agent)] = call
}

// find is the path of a session's rollout, "" when it is not there. Folders are
// by local day and the id holds the time in UTC, so three days may hold it; ids
// without time are looked for everywhere.
func find(child sessions.Transcript, id string) string {
	root := child.Root.Path
	folders := []string{filepath.Dir(child.Path)}
	at := born(id)
	if !at.IsZero() {
		for day := -1; day <= 1; day++ {
			folders = append(folders, filepath.Join(root, "sessions", filepath.FromSlash(at.Add(time.Duration(day)*24*time.Hour).Format("2006/01/02"))))
		}
	}
	folders = append(folders, filepath.Join(root, "archived_sessions"), filepath.Join(root, "sessions"))
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if sessionID(e.Name()) == id {
				return filepath.Join(folder, e.Name())
			}
		}
	}
	if !at.IsZero() {
		return ""
	}
	found := ""
	err := filepath.WalkDir(filepath.Join(root, "sessions"), func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && sessionID(e.Name()) == id {
			found = path
			return fs.SkipAll
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return found
}
