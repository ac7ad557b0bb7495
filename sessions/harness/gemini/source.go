package gemini

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

const (
	harness     = "gemini"
	homeVar     = "GEMINI_CLI_HOME" // stands for the user's home folder
	geminiDir   = ".gemini"
	tmpDir      = "tmp" // below it
	chatsDir    = "chats"
	namePrefix  = "session-"
	linesExt    = ".jsonl"
	documentExt = ".json"
)

// Source reads Gemini CLI.
type Source struct {
	store.Excluded
	projects projects

	retention store.Cache[string] // what the settings say of it

	calls store.Cache[map[string]string] // call by sub-agent, by transcript
	own   store.Cache[string]            // hashes of directories, by transcript
	times store.Cache[time.Time]         // of the last update, of sessions in both forms
	paths sync.Map                       // transcript by the id of its session, as they were listed
	heads store.Heads                    // of a session's id, a name tells only the beginning
}

var (
	_ sessions.Hasher   = (*Source)(nil)
	_ sessions.Surveyor = (*Source)(nil)
)

// New is a Source that has read nothing yet.
func New() *Source { return &Source{} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the tmp folder of .gemini and those that the user added, which may
// also be .gemini folders.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	home := store.Home(env, homeVar, ".")
	if home.Path != "" {
		home.Path = filepath.Join(home.Path, geminiDir, tmpDir)
	}
	return store.Roots(env, harness, home)
}

// Resume goes on with a session; a sub-agent cannot be gone on with.
func (s *Source) Resume(of sessions.Session) []string {
	if of.Subagent || of.ID == "" || strings.HasPrefix(of.ID, "-") {
		return nil
	}
	return []string{"gemini", "--resume", of.ID}
}

// List sends the sessions of all projects and their sub-agents. Of a session
// that was kept in both forms, the one that was updated last counts.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	l := store.NewListing(ctx, root, send)
	dir := store.Below(root.Path, tmpDir)
	projects, _ := l.Folder(dir)
	for _, project := range projects {
		chats := filepath.Join(dir, project, chatsDir)
		parents, files := l.Folder(chats)
		for _, name := range s.newest(chats, s.Rest(chats, files)) {
			path := filepath.Join(chats, name)
			if id, begun := s.heads.ID(path); begun {
				s.paths.Store(id, path)
				l.Send(path, id, false)
			}
		}
		for _, parent := range parents {
			parent = filepath.Join(chats, parent)
			_, files := l.Folder(parent)
			for _, name := range files {
				if id, ok := strings.CutSuffix(name, linesExt); ok && id != "" {
					l.Send(filepath.Join(parent, name), id, true)
				}
			}
		}
	}
	return l.Err()
}

// isSession tells sessions by their names, among plans, backups and files that
// could not be read.
func isSession(name string) bool {
	return strings.HasPrefix(name, namePrefix) && filepath.Ext(name) == linesExt || IsDocument(name)
}

// IsDocument tells by its name a session that is one JSON object.
func IsDocument(name string) bool {
	return strings.HasPrefix(name, namePrefix) && filepath.Ext(name) == documentExt
}

// newest are the sessions among the files of a folder, of those in both forms
// the one that was updated last. Lines win where that cannot be told: they are
// what goes on.
func (s *Source) newest(dir string, files []string) []string {
	var names []string
	for _, name := range files {
		stem, isDocument := strings.CutSuffix(name, documentExt)
		switch {
		case !isSession(name):
		case isDocument && slices.Contains(files, stem+linesExt):
			// The pair is looked at once, since it may change meanwhile.
			document, lines := filepath.Join(dir, name), filepath.Join(dir, stem+linesExt)
			inDocument, _ := s.times.Whole(document, updated)
			inLines, _ := s.times.Whole(lines, updated)
			if inDocument.After(inLines) {
				names = append(names, name)
			} else {
				names = append(names, stem+linesExt)
			}
		case isDocument || !slices.Contains(files, strings.TrimSuffix(name, linesExt)+documentExt):
			names = append(names, name)
		}
	}
	return names
}

// updated is when a transcript was updated last, as it says itself; zero when it
// does not.
func updated(path string) (time.Time, error) {
	var f store.Facts
	look := func(json string) {
		for key, v := range jsonl.Fields(json) {
			switch key {
			case "lastUpdated", "timestamp":
				f.Said(jsonl.Time(v))
			case "$set":
				f.Said(jsonl.Time(jsonl.Field(v, "lastUpdated")))
			}
		}
	}
	if filepath.Ext(path) == documentExt {
		doc, err := store.Document(path)
		if err != nil {
			return time.Time{}, err
		}
		look(doc)
		for message := range jsonl.Elements(jsonl.Field(doc, "messages")) {
			look(message)
		}
		return f.Last, nil
	}
	err := store.Records(context.Background(), path, starts, func(rec jsonl.Record) { look(rec.JSON()) })
	return f.Last, err
}

// caller is the call that started a sub-agent, which its parent's transcript
// tells.
func (s *Source) caller(agent, parent string) string {
	path, listed := s.paths.Load(parent)
	if !listed {
		return ""
	}
	calls, _ := s.calls.Whole(path.(string), readCalls)
	return calls[agent]
}

// readCalls collects the calls of a transcript that started sub-agents.
func readCalls(path string) (map[string]string, error) {
	calls := map[string]string{}
	message := func(json string) {
		if !strings.Contains(json, `"agentId"`) {
			return
		}
		for call := range jsonl.Elements(jsonl.Field(json, "toolCalls")) {
			if agent := jsonl.Text(jsonl.Field(call, "agentId")); agent != "" {
				calls[agent] = cmp.Or(jsonl.Text(jsonl.Field(call, "id")), calls[agent])
			}
		}
	}
	if filepath.Ext(path) == documentExt {
		doc, err := store.Document(path)
		for m := range jsonl.Elements(jsonl.Field(doc, "messages")) {
			message(m)
		}
		return calls, err
	}
	err := store.Records(context.Background(), path, starts, func(rec jsonl.Record) { message(rec.JSON()) })
	return calls, err
}
