package cursor

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/sqlite"
	"yore/sessions/store"
)

// Names in the stores.
const (
	projectsDir    = "projects"
	transcriptsDir = "agent-transcripts"
	subagentsDir   = "subagents"
	chatsDir       = "chats"
	chatName       = "store.db"
	chatFactsName  = "meta.json"
	storageDir     = "globalStorage"
	editorName     = gather.EditorData
)

// rank says how much a store tells, most first.
type rank int

const (
	inEditor rank = iota
	inChats
	inTranscripts
)

// found is a transcript with the store that it is in.
type found struct {
	sessions.Transcript
	rank rank
}

// survey is what all roots have: each session in the root and file that are to tell it.
type survey struct {
	sent   map[string][]found // by root
	failed map[string]error   // what could not be looked at, by root
}

// Survey looks which root is to tell each session, and from which of its files: the one
// that tells most, which may be another one while they grow. One survey ends before the
// next begins, so that none is replaced by an older one.
func (s *Source) Survey(ctx context.Context, excluded func(path string) bool) {
	s.survey(ctx, excluded)
}

// survey is Survey, and gives what it saw.
func (s *Source) survey(ctx context.Context, excluded func(path string) bool) *survey {
	s.surveying.Lock()
	defer s.surveying.Unlock()
	s.mu.Lock()
	roots := slices.Clone(s.roots)
	s.mu.Unlock()
	now := &survey{map[string][]found{}, map[string]error{}}
	all := map[string][]found{}
	for _, root := range roots {
		var files []found
		files, now.failed[root] = s.stores(ctx, root)
		for _, f := range files {
			if f.Root.Path = root; !excluded(f.Path) {
				all[f.ID] = append(all[f.ID], f)
			}
		}
	}
	for id, files := range all {
		files = bestFirst(files)
		root := s.twins.Holder(id, rootsOf(files)...)
		best := slices.IndexFunc(files, func(f found) bool { return f.Root.Path == root })
		now.sent[root] = append(now.sent[root], files[best])
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.surveyed = now
	return now
}

// List sends the sessions that a root is to tell, of all where nobody surveyed them.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	s.mu.Lock()
	now := s.surveyed
	s.mu.Unlock()
	if now == nil {
		now = s.survey(ctx, func(string) bool { return false })
	}
	for _, f := range now.sent[root.Path] {
		f.Root = root
		send(f.Transcript)
	}
	return errors.Join(now.failed[root.Path], ctx.Err())
}

// bestFirst are the files of a session, the one that tells most first.
func bestFirst(all []found) []found {
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.Size, a.Size), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Root.Path, b.Root.Path))
	})
	return all
}

// rootsOf are the roots in which files lie.
func rootsOf(files []found) []string {
	var roots []string
	for _, f := range files {
		if !slices.Contains(roots, f.Root.Path) {
			roots = append(roots, f.Root.Path)
		}
	}
	return roots
}

// stores are all sessions below a root, which may be any of the folders in
// which Cursor keeps some.
func (s *Source) stores(ctx context.Context, root string) ([]found, error) {
	l := &lister{s: s}
	l.projects(store.Below(root, projectsDir))
	l.chats(store.Below(root, chatsDir))
	if path := editorOf(root); path != "" {
		l.failed(s.composers(ctx, path, l))
		s.tabs(ctx, path, l)
	}
	return l.all, errors.Join(l.errs...)
}

type lister struct {
	s    *Source
	all  []found
	errs []error
}

func (l *lister) failed(err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.errs = append(l.errs, err)
	}
}

func (l *lister) entries(dir string) []fs.DirEntry {
	entries, err := os.ReadDir(dir)
	l.failed(err)
	return entries
}

// projects lists the transcripts of every project: each in a folder with its
// sub-agents, or, in older releases, beside the others.
func (l *lister) projects(dir string) {
	for _, project := range l.entries(dir) {
		folder := filepath.Join(dir, project.Name(), transcriptsDir)
		if !store.IsDir(folder) {
			continue
		}
		for _, e := range l.entries(folder) {
			path := filepath.Join(folder, e.Name())
			if !store.IsDir(path) {
				l.transcript(path, false)
				continue
			}
			l.transcript(filepath.Join(path, e.Name()+linesExt), false)
			for _, sub := range l.entries(filepath.Join(path, subagentsDir)) {
				l.transcript(filepath.Join(path, subagentsDir, sub.Name()), true)
			}
		}
	}
}

func (l *lister) transcript(path string, side bool) {
	ext := filepath.Ext(path)
	id := strings.TrimSuffix(filepath.Base(path), ext)
	info, err := os.Stat(path)
	if ext != linesExt && ext != textExt || id == "" || err != nil || !info.Mode().IsRegular() {
		return
	}
	l.all = append(l.all, found{sessions.Transcript{Path: path, ID: id, Stamp: sessions.StampOf(info), Side: side}, inTranscripts})
}

// chats lists the databases of the command line, one a session.
func (l *lister) chats(dir string) {
	for _, folder := range l.entries(dir) {
		if !folder.IsDir() {
			continue
		}
		for _, chat := range l.entries(filepath.Join(dir, folder.Name())) {
			path := filepath.Join(dir, folder.Name(), chat.Name(), chatName)
			if !store.IsFile(path) {
				continue
			}
			stamp, err := sqlite.StampOf(path)
			l.failed(err)
			facts := filepath.Join(filepath.Dir(path), chatFactsName)
			if info, err := os.Stat(facts); err == nil {
				stamp.Extra ^= gather.Version(info)
			}
			side := l.s.chatFacts(facts).subagent
			l.all = append(l.all, found{sessions.Transcript{Path: path, Unit: chat.Name(), ID: chat.Name(), Stamp: stamp, Side: side}, inChats})
		}
	}
}

// editorOf is the editor's database at a root, "" when there is none.
func editorOf(root string) string {
	if filepath.Base(root) == editorName && store.IsFile(root) {
		return root
	}
	for _, dir := range []string{root, filepath.Join(root, storageDir), filepath.Join(root, "User", storageDir)} {
		if path := filepath.Join(dir, editorName); store.IsFile(path) {
			return path
		}
	}
	return ""
}
