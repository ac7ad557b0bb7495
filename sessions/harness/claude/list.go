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
	l := lister{ctx: ctx, root: root, send: send, seen: map[string]bool{}}
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
	l.folder(dir, func(name string) {
		sub := filepath.Join(dir, name, subagentsDir)
		list := func() error {
			switch info, err := os.Lstat(sub); {
			case err != nil:
			case info.IsDir():
				l.subagents(sub, 0)
			case info.Mode()&fs.ModeSymlink != 0:
				l.mu.Lock()
				defer l.mu.Unlock()
				l.linkedFolders = append(l.linkedFolders, sub)
			}
			return nil
		}
		if !l.beside.TryGo(list) {
			_ = list()
		}
	}, isSessionFile)
}

// subagents lists the sub-agents of one session, of its workflow runs too.
func (l *lister) subagents(dir string, depth int) {
	if depth <= maxNesting {
		l.folder(dir, func(name string) { l.subagents(filepath.Join(dir, name), depth+1) }, nil)
	}
}

// folder lists a folder, unless it was listed before: it sends the sub-agents and, where
// session is given, the sessions, and calls within with the folders in it.
func (l *lister) folder(dir string, within func(name string), session func(name string) bool) {
	if !l.enter(dir) || l.ctx.Err() != nil {
		return
	}
	folder, entries, err := openDirectory(dir)
	l.fail(err)
	if folder == nil {
		return
	}
	defer folder.close()
	var all, links []sessions.Transcript
	for _, e := range entries {
		side := isAgentFile(e.Name())
		switch {
		case e.IsDir():
			within(e.Name())
			continue
		case isDerived(e.Name()), !side && (session == nil || !session(e.Name())):
			continue
		}
		t := sessions.Transcript{Root: l.root, Path: dir + string(filepath.Separator) + e.Name(), Side: side}
		t.ID = stem(t.Path)
		if e.Type()&fs.ModeSymlink != 0 {
			links = append(links, t)
			continue
		}
		var plain bool
		if t.Stamp, plain, err = folder.stamp(e.Name()); err != nil {
			l.fail(err)
		} else if plain {
			all = append(all, t)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.linkedFiles = append(l.linkedFiles, links...)
	for _, t := range all {
		l.send(t)
	}
}

// linked lists the folders of sub-agents behind links, and sends the files behind links:
// after all others and in order, so that each goes by the same path every time.
func (l *lister) linked() {
	slices.Sort(l.linkedFolders)
	for _, dir := range l.linkedFolders {
		if store.IsDir(dir) {
			l.subagents(dir, 0)
		}
	}
	slices.SortFunc(l.linkedFiles, func(a, b sessions.Transcript) int { return strings.Compare(a.Path, b.Path) })
	for _, t := range l.linkedFiles {
		info, err := os.Stat(t.Path)
		if err != nil {
			l.fail(err)
		} else if l.enter(t.Path) && info.Mode().IsRegular() {
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

// enter tells whether the real file or folder behind path is met for the first
// time.
func (l *lister) enter(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil || l.seen[real] {
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
