package claude

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"yore/sessions"
	"yore/sessions/store"
)

const (
	transcriptExt = ".jsonl"
	agentPrefix   = "agent-"
	subagentsDir  = "subagents"
	maxNesting    = 8 // folders below subagents: workflow runs take two
)

// List sends the sessions and sub-agents of every project below root. Projects
// and files behind symbolic links count, each real one once. No file is opened.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	return s.Skim(ctx, root, wholly{}, send)
}

// wholly has a listing leave out nothing.
type wholly struct{}

func (wholly) Rests(sessions.Folder) (within []string, rests bool) { return nil, false }
func (wholly) Listed(sessions.Folder, []string)                    {}

// Skim is List that leaves out the folders of sub-agents that rest.
func (s *Source) Skim(ctx context.Context, root sessions.Root, skim sessions.Skim, send func(sessions.Transcript)) error {
	l := lister{ctx: ctx, root: root, send: send, skim: skim, seen: map[string]bool{}}
	l.beside.SetLimit(max(runtime.GOMAXPROCS(0)-1, 1))
	if isDesktop(root.Path) {
		l.desktop(root.Path, 0)
	} else {
		l.projects(projectsOf(root.Path))
	}
	_ = l.beside.Wait() // the errors stand in errs
	l.linked()
	return errors.Join(append(l.errs, ctx.Err())...)
}

// lister walks one root. A processor that has nothing else to do lists a folder beside.
type lister struct {
	ctx    context.Context
	root   sessions.Root
	skim   sessions.Skim
	beside errgroup.Group

	mu   sync.Mutex // of all below, and held while something is sent
	send func(sessions.Transcript)
	seen map[string]bool // folders and linked files by their real paths
	errs []error

	linkedFolders []string
	linkedFiles   []sessions.Transcript
}

// projects lists the folders of a projects folder: real ones before links, so
// that a linked project that is also there itself goes by its own name.
func (l *lister) projects(dir string) {
	l.enter(dir) // a link back to it is no project
	var links []string
	for _, e := range l.entries(dir) {
		switch {
		case e.IsDir():
			l.project(filepath.Join(dir, e.Name()))
		case e.Type()&fs.ModeSymlink != 0:
			links = append(links, filepath.Join(dir, e.Name()))
		}
	}
	_ = l.beside.Wait()
	for _, link := range links {
		if store.IsDir(link) {
			l.project(link)
			_ = l.beside.Wait()
		}
	}
}

// project lists one project: its files, and the sub-agents of its sessions.
func (l *lister) project(dir string) {
	at, first := l.enter(dir)
	if !first {
		return
	}
	files := l.folder(at, isSessionFile)
	stamps := make(map[string]sessions.Stamp, len(files.sent))
	for i := range files.sent {
		stamps[files.sent[i].ID] = files.sent[i].Stamp
	}
	for _, name := range files.folders {
		list := func() error {
			l.agentsOf(at.below(name).below(subagentsDir), stamps[name])
			return nil
		}
		if !l.beside.TryGo(list) {
			_ = list()
		}
	}
}

// agentsOf lists the folder of the sub-agents of a session, whose transcript has a stamp.
func (l *lister) agentsOf(at place, parent sessions.Stamp) {
	switch info, err := os.Lstat(at.path); {
	case err != nil:
	case info.IsDir():
		l.subagents(at, sessions.StampOf(info), parent, 0)
	case info.Mode()&fs.ModeSymlink != 0:
		l.mu.Lock()
		defer l.mu.Unlock()
		l.linkedFolders = append(l.linkedFolders, at.path)
	}
}

// subagents lists the sub-agents of one session, of its workflow runs too. Parent is the
// zero Stamp where nothing may be left out.
func (l *lister) subagents(at place, stamp, parent sessions.Stamp, depth int) {
	if depth > maxNesting || !l.meet(at.real) {
		return
	}
	f := sessions.Folder{Path: at.path, Stamp: stamp, Parent: parent}
	known := parent != sessions.Stamp{}
	var within []string
	rests := false
	if known {
		within, rests = l.skim.Rests(f)
	}
	if !rests {
		files := l.folder(at, nil)
		if within = files.folders; known && files.whole {
			l.skim.Listed(f, within)
		}
	}
	for _, name := range within {
		in := at.below(name)
		info, err := os.Lstat(in.path)
		if l.fail(err); err == nil && info.IsDir() {
			l.subagents(in, sessions.StampOf(info), parent, depth+1)
		}
	}
}

// place is a folder, with its real path.
type place struct{ path, real string }

// below is a real folder in it.
func (p place) below(name string) place {
	const separator = string(filepath.Separator)
	return place{p.path + separator + name, p.real + separator + name}
}

// listed is what lies in a folder.
type listed struct {
	sent    []sessions.Transcript
	folders []string
	whole   bool // all transcripts in it were sent
}

// folder lists a folder: it sends the sub-agents in it and, where session is given, the
// sessions.
func (l *lister) folder(at place, session func(name string) bool) (out listed) {
	if l.ctx.Err() != nil {
		return out
	}
	folder, entries, err := openDirectory(at.path)
	l.fail(err)
	if folder == nil {
		return out
	}
	defer folder.close()
	failed := err != nil
	var links []sessions.Transcript
	out.sent = make([]sessions.Transcript, 0, len(entries))
	for _, e := range entries {
		side := isAgentFile(e.Name())
		switch {
		case e.IsDir():
			out.folders = append(out.folders, e.Name())
			continue
		case isDerived(e.Name()), !side && (session == nil || !session(e.Name())):
			continue
		}
		t := sessions.Transcript{Root: l.root, Path: at.path + string(filepath.Separator) + e.Name(), Side: side}
		t.ID = stem(t.Path)
		if e.Type()&fs.ModeSymlink != 0 {
			links = append(links, t)
			continue
		}
		var plain bool
		if t.Stamp, plain, err = folder.stamp(e.Name()); err != nil {
			failed = true
			l.fail(err)
		} else if plain {
			out.sent = append(out.sent, t)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.linkedFiles = append(l.linkedFiles, links...)
	for _, t := range out.sent {
		l.send(t)
	}
	out.whole = !failed && len(links) == 0
	return out
}

// linked lists the folders of sub-agents behind links, and sends the files behind links:
// after all others and in order, so that each goes by the same path every time.
func (l *lister) linked() {
	slices.Sort(l.linkedFolders)
	for _, dir := range l.linkedFolders {
		if real, err := filepath.EvalSymlinks(dir); err == nil && store.IsDir(real) {
			l.subagents(place{dir, real}, sessions.Stamp{}, sessions.Stamp{}, 0)
		}
	}
	slices.SortFunc(l.linkedFiles, func(a, b sessions.Transcript) int { return strings.Compare(a.Path, b.Path) })
	for _, t := range l.linkedFiles {
		info, err := os.Stat(t.Path)
		if err != nil {
			l.fail(err)
		} else if _, first := l.enter(t.Path); first && info.Mode().IsRegular() {
			t.Stamp = sessions.StampOf(info)
			l.send(t)
		}
	}
}

// fail notes an error. That something is gone since, or a dead link, is none.
func (l *lister) fail(err error) {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.errs = append(l.errs, err)
}

// entries reads a folder; one that is absent has none.
func (l *lister) entries(dir string) []fs.DirEntry {
	if l.ctx.Err() != nil {
		return nil
	}
	entries, err := os.ReadDir(dir)
	l.fail(err)
	return entries
}

// enter finds the real file or folder behind path, and tells whether it is met for the
// first time.
func (l *lister) enter(path string) (at place, first bool) {
	real, err := filepath.EvalSymlinks(path)
	return place{path, real}, err == nil && l.meet(real)
}

// meet tells whether a real file or folder is met for the first time.
func (l *lister) meet(real string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seen[real] {
		return false
	}
	l.seen[real] = true
	return true
}

// isAgentFile tells a sub-agent's transcript by its name.
func isAgentFile(name string) bool {
	return strings.HasPrefix(name, agentPrefix) && filepath.Ext(name) == transcriptExt
}

// isSessionFile tells a session's transcript by its name. The two others of its
// kind hold no conversation.
func isSessionFile(name string) bool {
	return filepath.Ext(name) == transcriptExt && name != transcriptExt && !isAgentFile(name) &&
		name != "journal.jsonl" && name != "history.jsonl"
}

// stem is a file's name without its extension: the session's id.
func stem(path string) string { return strings.TrimSuffix(filepath.Base(path), transcriptExt) }
