package antigravity

import (
	"context"
	"maps"
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
	dir := beside(root)
	about, _ := s.about.Whole(filepath.Join(dir, cacheDir, aboutName), readAbout) // what cannot be read tells nothing
	notes := maps.Clone(about)
	if notes == nil {
		notes = map[string]sessions.Note{}
	}
	placed := func(id, folder string) {
		note := notes[id]
		note.Directory = folder
		notes[id] = note
	}
	latest, _ := s.latest.Sidecar(filepath.Join(dir, cacheDir, latestName), readLatest)
	for id, folder := range latest {
		placed(id, folder)
	}
	for id, folder := range s.promptsOf(ctx, dir).byID {
		placed(id, folder)
	}
	return notes, ctx.Err()
}

// readAbout reads the titles and folders of conversations, by id.
func readAbout(path string) (map[string]sessions.Note, error) {
	doc, err := store.Document(path)
	if err != nil {
		return nil, err
	}
	notes := map[string]sessions.Note{}
	gather.Parse(doc).Get("conversations").ForEach(func(id, known gjson.Result) bool {
		note := sessions.Note{Title: store.Title(known.Get("summary.Title").Raw)}
		note.Directory = store.LocalPath(gather.Text(known.Get("summary.WorkspaceURIs.0")))
		if note != (sessions.Note{}) {
			notes[gather.Text(id)] = note
		}
		return true
	})
	return notes, nil
}

// readLatest reads the folder of the latest conversation in each, by its id.
func readLatest(doc string) map[string]string {
	folders := map[string]string{}
	gather.Parse(doc).ForEach(func(folder, id gjson.Result) bool {
		if id := gather.Text(id); id != "" {
			folders[id] = store.Local(gather.Text(folder))
		}
		return true
	})
	return folders
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

// opening is how a conversation began.
type opening struct {
	at   time.Time
	text uint64 // hash of its first prompt, 0 where it began otherwise
}

// openingOf reads how the conversation in a file began, once; known is false as long as
// nothing is said in it.
func (s *Source) openingOf(ctx context.Context, path string) (o opening, known bool) {
	s.mu.Lock()
	o, known = s.openings[path]
	s.mu.Unlock()
	if known {
		return o, true
	}
	file, err := sessions.OpenFile(path)
	if err != nil {
		return opening{}, false // the reading will report it
	}
	defer func() { _ = file.Close() }() // only read
	t := sessions.Transcript{Path: path}
	r := &reader{s: s, t: t, to: store.Nobody{}, id: idOf(path), short: filepath.Base(path) == shortName, st: &state{}}
	_, err = store.LinesOf(ctx, file, t, 0, starts, r.to, func(rec jsonl.Record) bool {
		r.record(rec)
		return !r.st.Talk
	})
	if err != nil || !r.st.Talk {
		return opening{}, false
	}
	o = opening{r.st.Start, r.st.First}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.openings == nil {
		s.openings = map[string]opening{}
	}
	s.openings[path] = o
	return o, true
}

// placed tells by a number other than 0 that the first prompt of a conversation is listed:
// where that happens after it was read, it is read again. Where the conversation itself is
// listed, by its id, its beginning need not be known.
func (s *Source) placed(ctx context.Context, dir, path string) int64 {
	p := s.promptsOf(ctx, dir)
	if len(p.first) == 0 || p.byID[idOf(path)] != "" {
		return 0
	}
	if o, known := s.openingOf(ctx, path); known && p.began(o.at, o.text) != "" {
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
