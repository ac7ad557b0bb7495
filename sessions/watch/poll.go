package watch

import (
	"context"
	"io/fs"
	"os"
	"time"
)

// pollShare bounds what polling costs: a walk that takes long is repeated
// after this many times its own duration.
const pollShare = 20

// poll is what polling knows of the files below the polled roots.
type poll struct {
	roots map[string]map[string]seen // root -> file -> as it was last
	took  time.Duration
	paths []string // what the last look found changed
	first bool     // a root was looked at for the first time: anything may have changed before
}

// seen is what tells a changed file.
type seen struct {
	size     int64
	modified time.Time
}

// look walks the roots again and compares.
func (p poll) look(ctx context.Context, roots []string, o Options) poll {
	begin := time.Now()
	next := poll{roots: make(map[string]map[string]seen, len(roots))}
	for _, root := range roots {
		before, known := p.roots[root]
		now := lookAt(ctx, root, o)
		next.roots[root] = now
		if !known {
			next.first = true
			continue
		}
		for path, file := range now {
			if before[path] != file {
				next.paths = append(next.paths, path)
			}
		}
		for path := range before {
			if _, still := now[path]; !still {
				next.paths = append(next.paths, path)
			}
		}
	}
	next.took = time.Since(begin)
	return next
}

func lookAt(ctx context.Context, root string, o Options) map[string]seen {
	files := make(map[string]seen)
	note := func(path string, info fs.FileInfo, err error) {
		if err == nil && !o.ignored(path) {
			files[path] = seen{info.Size(), info.ModTime()}
		}
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		note(root, info, err)
		return files
	}
	_ = tree{ // enter never fails
		enter: func(path, _ string) (bool, error) { return !o.excluded(path), nil },
		file: func(path string, entry fs.DirEntry) {
			info, err := entry.Info()
			if entry.Type()&fs.ModeSymlink != 0 {
				info, err = os.Stat(path)
			}
			note(path, info, err)
		},
	}.walk(ctx, root)
	return files
}

// polls runs one look at a time, beside the loop.
type polls struct {
	w       *Watcher
	last    poll
	timer   *time.Timer
	results chan poll
	pending bool // the timer is set, or a look goes on
}

func newPolls(w *Watcher) *polls {
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	return &polls{w: w, timer: timer, results: make(chan poll, 1)}
}

// begin sets the timer when there is something to poll.
func (p *polls) begin() {
	if p.pending || !p.w.mayPoll {
		return
	}
	if p.w.mayPoll = len(p.w.polled()) > 0; !p.w.mayPoll {
		return
	}
	p.pending = true
	wait := max(p.w.o.Poll, pollShare*p.last.took)
	if p.last.roots == nil {
		wait = 0 // the first look only says what to compare with
	}
	p.timer.Reset(wait)
}

func (p *polls) run() {
	roots, last := p.w.polled(), p.last
	p.w.ended.Go(func() { p.results <- last.look(p.w.ctx, roots, p.w.o) })
}

func (p *polls) take(now poll) {
	p.last, p.pending = now, false
	if now.first {
		p.w.collect.addFull()
	}
	for _, path := range now.paths {
		p.w.collect.add(path)
	}
}
