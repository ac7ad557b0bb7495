package antigravity

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

const (
	promptsName = "history.jsonl"              // the list of prompts, in the command line's folder
	latestName  = "last_conversations.json"    // the latest conversation of each folder
	aboutName   = "conversation_metadata.json" // titles and folders of conversations
	cacheDir    = "cache"                      // where these two are
)

// prompts are the prompts that were typed, with the places where.
type prompts struct {
	byID  map[string]string // directory by the conversation
	first []prompt          // those that began a conversation, whose id was not known yet
}

type prompt struct {
	at        time.Time
	text      uint64 // hash
	directory string
}

// readPrompts reads the list of prompts.
func readPrompts(ctx context.Context, path string) (prompts, error) {
	p := prompts{byID: map[string]string{}}
	err := store.Records(ctx, path, []string{`{"display":`}, func(rec jsonl.Record) {
		line := gjson.Parse(rec.JSON())
		dir, id := store.Local(gather.Text(line.Get("workspace"))), gather.Text(line.Get("conversationId"))
		_, known := p.byID[id]
		switch {
		case dir == "" || known:
		case id != "":
			p.byID[id] = dir
		default:
			p.first = append(p.first, prompt{gather.Moment(line.Get("timestamp").Num), store.Hash(strings.TrimSpace(gather.Text(line.Get("display")))), dir})
		}
	})
	return p, err
}

// beside is the folder that has the two lists, and the folder of conversations.
func beside(root sessions.Root) string { return filepath.Dir(store.Below(root.Path, brainDir)) }

func (s *Source) promptsOf(ctx context.Context, dir string) prompts {
	p, _ := s.prompts.Try(filepath.Join(dir, promptsName), func(path string) (prompts, error) { return readPrompts(ctx, path) })
	return p // of what cannot be read whole, what could be
}

// Notes are the titles and directories of conversations.
func (s *Source) Notes(ctx context.Context, root sessions.Root) (map[string]sessions.Note, error) {
	notes := map[string]sessions.Note{}
	dir := beside(root)
	about, _ := store.Document(filepath.Join(dir, cacheDir, aboutName)) // what cannot be read tells nothing
	gather.Parse(about).Get("conversations").ForEach(func(id, known gjson.Result) bool {
		note := sessions.Note{Title: strings.TrimSpace(gather.Text(known.Get("summary.Title")))}
		note.Directory = store.LocalPath(gather.Text(known.Get("summary.WorkspaceURIs.0")))
		if note != (sessions.Note{}) {
			notes[gather.Text(id)] = note
		}
		return true
	})
	placed := func(id, folder string) {
		note := notes[id]
		note.Directory = folder
		notes[id] = note
	}
	latest := gather.Parse(store.Sidecar(filepath.Join(dir, cacheDir, latestName)))
	latest.ForEach(func(folder, id gjson.Result) bool {
		if id := gather.Text(id); id != "" {
			placed(id, store.Local(gather.Text(folder)))
		}
		return true
	})
	for id, folder := range s.promptsOf(ctx, dir).byID {
		placed(id, folder)
	}
	return notes, ctx.Err()
}

// Aside tells the files that Notes alone reads.
func (s *Source) Aside(root sessions.Root, path string) bool {
	dir := beside(root)
	return slices.Contains([]string{filepath.Join(dir, cacheDir, latestName), filepath.Join(dir, cacheDir, aboutName)}, path)
}

// Shared tells the list of prompts, by which List tells what is to be looked at again.
func (s *Source) Shared(root sessions.Root, path string) bool {
	return path == filepath.Join(beside(root), promptsName)
}

// unplaced is a conversation of which it was not known where it began when it was read.
type unplaced struct {
	at   time.Time
	text uint64 // hash of its first prompt
}

// awaitPlace notes that it is not known where the conversation in a file began.
func (s *Source) awaitPlace(path string, u unplaced) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.nowhere == nil {
		s.nowhere = map[string]unplaced{}
	}
	s.nowhere[path] = u
}

// placedSince tells by a number other than 0 that it is known where a conversation began,
// which was not when it was read first.
func (s *Source) placedSince(ctx context.Context, dir, path string) int64 {
	s.mu.Lock()
	u, waits := s.nowhere[path]
	s.mu.Unlock()
	if waits && s.promptsOf(ctx, dir).began(u.at, u.text) != "" {
		return 1
	}
	return 0
}

// near is how far apart the same prompt's times are at most in the two files.
const near = time.Minute

// began is where the conversation began whose first prompt has this hash; "" when
// the list of prompts does not have it.
func (p prompts) began(at time.Time, text uint64) string {
	for _, f := range p.first {
		if f.text == text && f.at.Sub(at).Abs() <= near {
			return f.directory
		}
	}
	return ""
}
