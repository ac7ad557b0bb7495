package recall

import (
	"slices"
	"sync"

	"yore/recall/index"
	"yore/sessions"
	"yore/sessions/watch"
)

// Exclude says which sessions are left out of everything. All paths are absolute.
type Exclude struct {
	Paths    []string // folders of transcripts
	Projects []string // directories in which sessions began, with all below them
	Gone     bool     // sessions whose transcripts were deleted
}

// holds tells whether a session is to be left out.
func (x Exclude) holds(s sessions.Session) bool {
	within := func(path string) func(string) bool {
		return func(dir string) bool { return path != "" && watch.Within(dir, path) }
	}
	return x.Gone && s.Gone || slices.ContainsFunc(x.Paths, within(s.Path)) || slices.ContainsFunc(x.Projects, within(s.Directory))
}

// exclusion keeps sessions out of an index. Once left out, a session stays out
// until it is told from its beginning: what came before is not there.
type exclusion struct {
	Exclude
	forgotten *forgotten
	mu        sync.Mutex
	out       map[sessions.Key]bool
}

func newExclusion(x Exclude, f *forgotten) *exclusion {
	return &exclusion{Exclude: x, forgotten: f, out: map[sessions.Key]bool{}}
}

func (x *exclusion) none() bool {
	return !x.Gone && len(x.Paths)+len(x.Projects) == 0 && x.forgotten.none()
}

func (x *exclusion) holds(s sessions.Session) bool {
	return x.Exclude.holds(s) || x.forgotten.holds(s.Key, s.Parent)
}

// strike turns the Updates of what is left out into removals.
func (x *exclusion) strike(us []sessions.Update) {
	if x.none() {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := range us {
		key := us[i].Key
		if us[i].Removed {
			delete(x.out, key)
			continue
		}
		if x.holds(us[i].Session) || x.out[key] && us[i].From > 0 && !us[i].Reset {
			x.out[key] = true
			us[i] = sessions.Update{Session: sessions.Session{Key: key}, Removed: true}
			continue
		}
		delete(x.out, key)
	}
}

// sweep removes what an index holds and is left out by now: of earlier runs, or since
// it was forgotten. Sub-agents go after the sessions that they worked for. It gives those
// that are left out without being forgotten: what is no longer excluded is read again.
func (x *exclusion) sweep(in *index.Index) (excluded []sessions.Key) {
	for !x.none() {
		swept, any := x.sweepOnce(in)
		excluded = append(excluded, swept...)
		if !any {
			break
		}
	}
	return excluded
}

// sweepOnce gives what it removed of sessions that are not forgotten, and tells whether
// it removed anything.
func (x *exclusion) sweepOnce(in *index.Index) (excluded []sessions.Key, removed bool) {
	var removals []sessions.Update
	for _, entry := range entries(in.Snapshot()) {
		if !x.holds(entry.Session) {
			continue
		}
		removals = append(removals, sessions.Update{Session: sessions.Session{Key: entry.Key}, Removed: true})
		if !x.forgotten.holds(entry.Key, entry.Parent) {
			excluded = append(excluded, entry.Key)
		}
	}
	if len(removals) > 0 {
		in.Apply(removals)
	}
	return excluded, len(removals) > 0
}
