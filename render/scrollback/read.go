package scrollback

import "sort"

// cacheBlocks is how many blocks of the file are kept unpacked: going over a border
// between two is not to unpack them again and again.
const cacheBlocks = 4

// cache is the blocks of the file that were read last, the newest last.
type cache struct{ blocks []*block }

func (c *cache) find(first int64) *block {
	for _, b := range c.blocks {
		if b.first == first {
			return b
		}
	}
	return nil
}

// room is a block to unpack into: the one that was read longest ago, once there are
// enough.
func (c *cache) room() *block {
	if len(c.blocks) < cacheBlocks {
		return &block{}
	}
	b := c.blocks[0]
	c.blocks = append(c.blocks[:0], c.blocks[1:]...)
	return b
}

// shrink moves the oldest blocks to the file until the others are few enough. The
// newest one always stays: a row of it may still be repeated.
func (l *Log) shrink() {
	for l.held > l.opts.Memory && l.packed < len(l.blocks)-1 {
		b := l.blocks[l.packed]
		l.held -= b.bytes()
		at, err := l.file.put(b)
		if err != nil {
			// Without the file only memory is left, and what was in neither is lost.
			l.blocks = append(l.blocks[:0], l.blocks[l.packed+1:]...)
			l.packed = 0
			continue
		}
		l.blocks[l.packed] = &block{first: b.first, count: b.count, at: at}
		if b.reset() {
			l.spare = append(l.spare, b)
		}
		l.packed++
		l.overwritten(at)
	}
}

// overwritten forgets the blocks over which the newest was written, and all that is
// older: near the end of the file there may be some that it left alone.
func (l *Log) overwritten(at place) {
	if !l.file.again {
		return
	}
	gone := 0
	for i, b := range l.blocks[:l.packed-1] {
		if b.at.overlaps(at) {
			gone = i + 1
		} else if gone > 0 {
			break
		}
	}
	l.blocks, l.packed = l.blocks[gone:], l.packed-gone
}

// Size counts what came: lines, and bytes.
func (l *Log) Size() (lines, bytes int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines, l.bytes
}

// Err says why older rows cannot be kept, nil when they can.
func (l *Log) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file.err
}

// Range is the number of the oldest row that is kept and the one after the newest,
// open ones included.
func (l *Log) Range() (first, end int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	first, end = l.closed()
	return first, end + int64(len(l.open()))
}

func (l *Log) closed() (first, end int64) {
	if b := l.newest(); b != nil {
		return l.blocks[0].first, b.end()
	}
	return 0, 0
}

// open is what the sources wrote without a newline.
func (l *Log) open() []Row {
	var rows []Row
	_, end := l.closed()
	for _, s := range l.sources {
		if p := s.runs.Pending(); len(p) > 0 {
			rows = append(rows, Row{Number: end + int64(len(rows)), Source: s.id, Kind: Open, Count: 1, Text: p})
		}
	}
	return rows
}

// Row is row n, if it is kept.
func (l *Log) Row(n int64) (row Row, ok bool) {
	ok = l.Use(n, func(r Row) {
		row = r
		row.Text = append([]byte(nil), r.Text...)
	})
	return row, ok
}

// Use hands row n to use, if it is kept, and reports whether it is. The row's text is
// valid during the call only, in which use must not call the Log.
func (l *Log) Use(n int64, use func(Row)) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	first, end := l.closed()
	if n < first {
		return false
	}
	if n >= end {
		rows := l.open()
		if n-end >= int64(len(rows)) {
			return false
		}
		use(rows[n-end])
		return true
	}
	if b := l.blockOf(n); b != nil {
		use(b.row(n))
	} else {
		use(Row{Number: n, Kind: Note, Count: 1, Text: []byte(errDamaged.Error())})
	}
	return true
}

// blockOf is the block that holds row n, which has to be kept; nil when the file does
// not give it back.
func (l *Log) blockOf(n int64) *block {
	i := sort.Search(len(l.blocks), func(i int) bool { return l.blocks[i].end() > n })
	if i < l.packed {
		return l.unpacked(l.blocks[i])
	}
	return l.blocks[i]
}

// unpacked is a block that is in the file only, with its rows; nil when it cannot
// be read.
func (l *Log) unpacked(stub *block) *block {
	if b := l.read.find(stub.first); b != nil {
		return b
	}
	b := l.read.room()
	packed, err := l.file.get(stub.at)
	if err != nil || b.unpack(stub, packed) != nil {
		return nil
	}
	l.read.blocks = append(l.read.blocks, b)
	return b
}
