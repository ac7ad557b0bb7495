package fold

import (
	"sort"
	"sync"

	"github.com/cespare/xxhash/v2"
)

// maxPeriod is the longest block, in rows, that is looked for.
const maxPeriod = 8

// kept is how many rows can be folded; what is older stands alone again.
const kept = 1 << 18

// Options say what is folded.
type Options struct {
	Blocks  bool // of up to eight rows that repeat
	Similar bool // rows that differ only in times and numbers
}

// Row is a line, or a run of equal ones.
type Row struct {
	Number int64 // the next one has the number after it
	Source int
	Text   string
	Count  int64
	Alone  bool // never to be folded
}

// Group is rows that stand together.
type Group struct {
	First, End int64 // of them, the end not included
	Period     int   // rows that repeat; 1 for rows that are similar, or a row alone
	Lines      int64 // that its rows stand for
}

// Rows is how many there are.
func (g Group) Rows() int64 { return g.End - g.First }

// Repeats is how often the period came; 1 for a row that stands alone.
func (g Group) Repeats() int64 { return g.Rows() / int64(g.Period) }

// Folds is the groups of a log. It is safe for several goroutines.
type Folds struct {
	opts Options

	mu     sync.Mutex
	groups []group
	count  int64 // of the last row, as it was told
}

// group is a Group and what its rows are compared by.
type group struct {
	Group
	keys []uint64 // one for each row of the period
	fold bool     // it may be folded with others
}

func (g *group) single() bool { return g.fold && g.Rows() == 1 }

// New makes Folds without rows.
func New(o Options) *Folds { return &Folds{opts: o} }

// Add takes the next row. One that does not follow on the last one begins anew.
func (f *Folds) Add(r Row) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n := len(f.groups); n > 0 && f.groups[n-1].End != r.Number {
		f.groups = nil
	}
	f.count = r.Count
	key := f.key(r)
	if f.opts.Similar && !r.Alone && f.similar(r, key) {
		return
	}
	f.groups = append(f.groups, group{Group: Group{r.Number, r.Number + 1, 1, r.Count}, keys: []uint64{key}, fold: !r.Alone})
	if f.opts.Blocks && !r.Alone && !f.again() {
		f.block()
	}
	f.forget()
}

func (f *Folds) key(r Row) uint64 {
	text := r.Text
	if f.opts.Similar {
		text = Mask(text)
	}
	return xxhash.Sum64String(text) + uint64(r.Source)
}

// similar adds the row to the last group when it is like its rows.
func (f *Folds) similar(r Row, key uint64) bool {
	n := len(f.groups)
	if n == 0 {
		return false
	}
	g := &f.groups[n-1]
	if !g.fold || g.Period > 1 || g.keys[0] != key {
		return false
	}
	g.End++
	g.Lines += r.Count
	return true
}

// again adds the last rows to the block before them when they are its rows once more.
func (f *Folds) again() bool {
	n := len(f.groups)
	for i := n - 1; i >= max(0, n-1-maxPeriod); i-- {
		g := &f.groups[i]
		if g.Period > 1 {
			if n-1-i != g.Period || !f.repeats(g.keys, f.groups[i+1:]) {
				return false
			}
			f.join(i)
			return true
		}
		if !g.single() {
			return false
		}
	}
	return false
}

// repeats tells whether rows are those of a period.
func (f *Folds) repeats(keys []uint64, rows []group) bool {
	for i := range rows {
		if rows[i].keys[0] != keys[i] {
			return false
		}
	}
	return true
}

// join makes group i one with all that follow.
func (f *Folds) join(i int) {
	g := &f.groups[i]
	for _, o := range f.groups[i+1:] {
		g.End, g.Lines = o.End, g.Lines+o.Lines
	}
	f.groups = f.groups[:i+1]
}

// block makes a block of the last rows, when they are the same rows twice; the
// shortest such.
func (f *Folds) block() {
	n := len(f.groups)
	for p := 2; p <= maxPeriod && 2*p <= n; p++ {
		first, second := f.groups[n-2*p:n-p], f.groups[n-p:]
		if !first[0].single() || first[p-1].keys[0] != second[p-1].keys[0] {
			continue
		}
		keys := make([]uint64, 0, p)
		for i := range first {
			if !first[i].single() || !second[i].single() {
				return // no longer period can do without these rows
			}
			keys = append(keys, first[i].keys[0])
		}
		if f.repeats(keys, second) {
			f.join(n - 2*p)
			f.groups[n-2*p].Period, f.groups[n-2*p].keys = p, keys
			return
		}
	}
}

// forget drops the oldest groups.
func (f *Folds) forget() {
	end := f.groups[len(f.groups)-1].End
	if end-f.groups[0].First <= 2*kept || len(f.groups) == 1 {
		return
	}
	i := sort.Search(len(f.groups), func(i int) bool { return f.groups[i].End > end-kept })
	f.groups = append([]group(nil), f.groups[min(i, len(f.groups)-1):]...)
}

// Next is the row that is expected next: the one after the last, or the first of
// those that can be folded when there are rows up to end.
func (f *Folds) Next(end int64) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	from := max(0, end-kept)
	if n := len(f.groups); n > 0 {
		from = max(from, f.groups[n-1].End)
	}
	return from
}

// Grown tells that the last row came more often, count times by now.
func (f *Folds) Grown(count int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n := len(f.groups); n > 0 {
		f.groups[n-1].Lines += count - f.count
		f.count = count
	}
}

// At is the group that row n belongs to; one of its own when none is known.
func (f *Folds) At(n int64) Group {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := sort.Search(len(f.groups), func(i int) bool { return f.groups[i].End > n })
	if i == len(f.groups) || f.groups[i].First > n {
		return Group{n, n + 1, 1, 0}
	}
	return f.groups[i].Group
}
