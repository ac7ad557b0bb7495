package claude

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

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
	if isDesktop(root.Path) {
		l.desktop(root.Path, 0)
	} else {
		l.projects(projectsOf(root.Path))
	}
	return errors.Join(append(l.errs, ctx.Err())...)
}

// lister walks one root.
type lister struct {
	ctx  context.Context
	root sessions.Root
	send func(sessions.Transcript)
	seen map[string]bool // folders and linked files by their real paths
	errs []error
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
	for _, link := range links {
		if store.IsDir(link) {
			l.project(link)
		}
	}
}

// project lists one project: its files, and the sub-agents of its sessions.
func (l *lister) project(dir string) {
	if !l.enter(dir) {
		return
	}
	for _, e := range l.entries(dir) {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir():
			if sub := filepath.Join(path, subagentsDir); store.IsDir(sub) {
				l.subagents(sub, 0)
			}
		case isDerived(e.Name()):
		case isAgentFile(e.Name()):
			l.transcript(path, e, true)
		case isSessionFile(e.Name()):
			l.transcript(path, e, false)
		}
	}
}

// subagents lists the sub-agents of one session, of its workflow runs too.
func (l *lister) subagents(dir string, depth int) {
	if depth > maxNesting || !l.enter(dir) {
		return
	}
	for _, e := range l.entries(dir) {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir():
			l.subagents(path, depth+1)
		case isDerived(e.Name()):
		case isAgentFile(e.Name()):
			l.transcript(path, e, true)
		}
	}
}

// transcript sends one file if it is a plain one, also behind a link.
func (l *lister) transcript(path string, e fs.DirEntry, side bool) {
	info, err := e.Info()
	if e.Type()&fs.ModeSymlink != 0 {
		if info, err = os.Stat(path); err == nil && !l.enter(path) {
			return
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist): // gone since, or a dead link
	case err != nil:
		l.errs = append(l.errs, err)
	case info.Mode().IsRegular():
		l.send(sessions.Transcript{Root: l.root, Path: path, ID: stem(path), Stamp: sessions.StampOf(info), Side: side})
	}
}

// entries reads a folder; one that is absent has none.
func (l *lister) entries(dir string) []fs.DirEntry {
	if l.ctx.Err() != nil {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.errs = append(l.errs, err)
	}
	return entries
}

// enter tells whether the real file or folder behind path is met for the first
// time.
func (l *lister) enter(path string) bool {
	real, err := filepath.EvalSymlinks(path)
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
