package scrollback

import (
	"sync"

	"yore/render/collapse"
)

// Kind says what a row is.
type Kind uint8

// The kinds.
const (
	Line Kind = iota // of the source, without its newline
	Part             // a piece of a line that is longer than one row can hold, and goes on in the next
	Note             // of the program, on what happened to the source
	Open             // what follows the last newline: it may grow, and counts as no line
)

// Row is a line, the number of times that it came, and where.
type Row struct {
	Number int64 // from 0, among all rows that ever came
	Source int
	Kind   Kind
	Count  int64  // how often it came, one after the other
	Text   []byte // its bytes
}

// Options bound a Log. A zero is the usual bound.
type Options struct {
	Memory int    // bytes of rows in memory
	Disk   int64  // bytes of the temporary file
	Folder string // of the temporary file; the system's when ""
}

// partBytes is the longest piece of a line that is too long for one row.
const partBytes = 32 << 10

const (
	// usualMemory holds some 100,000 lines of a log, and leaves most of 100 MB to
	// the program.
	usualMemory = 16 << 20
	// usualDisk holds some ten times as many bytes of a log.
	usualDisk = 1 << 30
)

// Log is what is kept. It is safe for several goroutines.
type Log struct {
	mu      sync.Mutex
	opts    Options
	sources []*source
	last    int // source of the newest row, -1 for none to which a line could be added
	blocks  []*block
	held    int   // bytes of the blocks in memory
	packed  int   // blocks that are in the file only: the oldest ones
	lines   int64 // that came
	bytes   int64
	file    spill
	read    cache
	spare   []*block
	changed chan struct{}
	ended   bool // it was closed
}

// source is one of several that are followed together.
type source struct {
	log  *Log
	id   int
	runs collapse.Runs
}

// New makes an empty Log.
func New(o Options) *Log {
	if o.Memory <= 0 {
		o.Memory = usualMemory
	}
	if o.Disk <= 0 {
		o.Disk = usualDisk
	}
	return &Log{opts: o, last: -1, file: spill{folder: o.Folder, limit: o.Disk}, changed: make(chan struct{}, 1)}
}

// Changed tells that something came since it told so last. One goroutine listens.
func (l *Log) Changed() <-chan struct{} { return l.changed }

// Write takes the next bytes of a source.
func (l *Log) Write(id int, p []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return
	}
	l.bytes += int64(len(p))
	s := l.turn(id)
	s.runs.Push(p, s)
	l.tell()
}

// Note ends a source's line and run, and has a row say what happened.
func (l *Log) Note(id int, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return
	}
	s := l.turn(id)
	s.runs.End(s)
	if text != "" {
		l.add(id, Note, []byte(text))
	}
	l.last = -1
	l.tell()
}

// End makes a line of what a source wrote without a newline at its end.
func (l *Log) End(id int) { l.Note(id, "") }

// turn has a source write next: a run of another one ends, since what follows
// stands below this one's rows.
func (l *Log) turn(id int) *source {
	for len(l.sources) <= id {
		l.sources = append(l.sources, &source{log: l, id: len(l.sources)})
	}
	s := l.sources[id]
	if l.last != id {
		s.runs.Break()
		l.last = id
	}
	return s
}

func (l *Log) tell() {
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

// Line implements collapse.Sink.
func (s *source) Line(line []byte) {
	s.log.lines++
	s.log.add(s.id, Line, line)
}

// Again implements collapse.Sink.
func (s *source) Again() {
	s.log.lines++
	s.log.newest().again()
}

// Long implements collapse.Sink. Its pieces become rows of at most partBytes.
func (s *source) Long(piece []byte, last bool) {
	for len(piece) > partBytes {
		s.log.add(s.id, Part, piece[:partBytes])
		piece = piece[partBytes:]
	}
	kind := Part
	if last {
		kind = Line
		s.log.lines++
	}
	s.log.add(s.id, kind, piece)
}

// add puts a row at the end.
func (l *Log) add(id int, k Kind, text []byte) {
	b := l.newest()
	if b == nil || b.full(len(text)) {
		next := l.block()
		if b != nil {
			next.first = b.end()
		}
		b = next
		l.blocks = append(l.blocks, b)
		l.shrink()
	}
	l.held += b.add(id, k, text)
}

func (l *Log) newest() *block {
	if len(l.blocks) == 0 {
		return nil
	}
	return l.blocks[len(l.blocks)-1]
}

// block is an empty one, with the memory of one that went to the file.
func (l *Log) block() *block {
	if n := len(l.spare); n > 0 {
		b := l.spare[n-1]
		l.spare = l.spare[:n-1]
		return b
	}
	return &block{text: make([]byte, 0, blockBytes)}
}

// Close gives the memory and the file back. What comes later is not kept.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.blocks, l.packed, l.held, l.spare, l.ended = nil, 0, 0, nil, true
	l.sources, l.read = nil, cache{}
	return l.file.close()
}
