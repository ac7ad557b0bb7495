package watch

import (
	"slices"
	"strings"
	"time"
)

// logSuffix ends the name of a database's log. What is written to it counts only
// when its index in memory says so, a moment later, of which no event tells: so
// its change is told once more when it has been quiet for logQuiet.
const logSuffix = "-wal"

// collector makes Changes of single paths.
type collector struct {
	paths []string
	known map[string]bool // the same
	full  bool
	since time.Time // of the oldest path that waits

	due   bool // to be told now
	quiet bool // a Change was told a short time ago: what comes now waits
	timer *time.Timer

	unhurried     bool          // every Change waits
	calm, longest time.Duration // quietTime and longestWait, or gatherTime

	logs []string // databases' logs that changed and are to be told once more
	last bool     // they are, when timer fires, unless something changes before
}

func newCollector(unhurried bool) *collector {
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	c := &collector{timer: timer, known: make(map[string]bool), unhurried: unhurried, calm: quietTime, longest: longestWait}
	if unhurried {
		c.calm, c.longest = gatherTime, gatherTime
	}
	return c
}

// add notes that path changed.
func (c *collector) add(path string) {
	if strings.HasSuffix(path, logSuffix) {
		c.last = false
		if !slices.Contains(c.logs, path) {
			c.logs = append(c.logs, path)
		}
	}
	c.wait()
	if c.full || c.known[path] {
		return
	}
	c.paths = append(c.paths, path)
	c.known[path] = true
	if len(c.paths) > pathsMost {
		c.addFull()
	}
}

// addFull notes that anything may have changed.
func (c *collector) addFull() {
	c.wait()
	c.full, c.paths = true, nil
	clear(c.known)
}

func (c *collector) wait() {
	if !c.quiet && !c.unhurried {
		c.due = true
	}
	if c.due {
		return
	}
	if c.empty() {
		c.since = time.Now()
	}
	c.timer.Reset(min(c.calm, c.longest-time.Since(c.since)))
}

func (c *collector) empty() bool { return !c.full && len(c.paths) == 0 }

// elapsed is to be called when timer fires.
func (c *collector) elapsed() {
	switch {
	case !c.empty():
		c.due = true
	case len(c.logs) == 0:
		c.due, c.quiet = false, false
	case !c.last:
		c.last = true
		c.timer.Reset(max(c.longest, logQuiet))
	default:
		c.paths, c.logs, c.last = c.logs, nil, false
		c.due = true
	}
}

// ready is the Change to tell now.
func (c *collector) ready() (Change, bool) {
	if !c.due {
		return Change{}, false
	}
	return Change{Paths: c.paths, Full: c.full}, true
}

// told is to be called when what was ready is delivered.
func (c *collector) told() {
	clear(c.known)
	c.paths, c.full, c.due, c.quiet = nil, false, false, true
	c.timer.Reset(c.calm)
}
