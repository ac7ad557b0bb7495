package collapse

import (
	"bufio"
	"bytes"
	"io"
	"math"
)

// lineSink takes lines, without their newlines, and pieces of those that are
// longer than MaxLine and the longest mark of a form.
type lineSink interface {
	line(line []byte)
	piece(p []byte, last bool)
}

// splitter cuts bytes that come in pieces into lines.
type splitter struct {
	pending []byte
	long    bool
}

// splitLine is the longest line that comes whole: one of MaxLine bytes, escaped.
const splitLine = MaxLine + len(escape)

func (s *splitter) Push(p []byte, to lineSink) {
	for len(p) > 0 {
		i := bytes.IndexByte(p, '\n')
		end, next := i, i+1
		if i < 0 {
			end, next = len(p), len(p)
		}
		s.take(p[:end], i >= 0, to)
		p = p[next:]
	}
}

func (s *splitter) take(p []byte, last bool, to lineSink) {
	if !s.long && last && len(s.pending) == 0 && len(p) <= splitLine {
		to.line(p)
		return
	}
	if s.long {
		to.piece(p, last)
		s.long = !last
		return
	}
	s.pending = append(s.pending, p...)
	switch {
	case len(s.pending) > splitLine:
		to.piece(s.pending, last)
		s.long = !last
	case last:
		to.line(s.pending)
	default:
		return
	}
	s.pending = s.pending[:0]
}

// End makes a line of what follows the last newline, if there is something.
func (s *splitter) End(to lineSink) {
	if s.long || len(s.pending) > 0 {
		s.finish(to)
	}
}

// finish makes a line of what follows the last newline, also of nothing.
func (s *splitter) finish(to lineSink) { s.take(nil, true, to) }

// limited writes whole lines while they fit.
type limited struct {
	out  *bufio.Writer
	left int64
}

// mostBytes is a limit that is none, with room for sums.
const mostBytes = math.MaxInt64 / 4

func newLimited(w io.Writer, limit int64) *limited {
	return &limited{bufio.NewWriterSize(w, bufferBytes), min(limit, mostBytes)}
}

// line writes a line with its end, or nothing of it.
func (l *limited) line(text, end []byte) error {
	if int64(len(text)+len(end)) > l.left {
		l.left = 0
		return ErrTooLarge
	}
	l.left -= int64(len(text) + len(end))
	_, _ = l.out.Write(text)
	_, err := l.out.Write(end)
	return err
}

// repeat writes a unit n times, as often as it fits.
func (l *limited) repeat(unit []byte, n int64) error {
	each := int64(len(unit))
	fits := min(n, l.left/each)
	block := bytes.Repeat(unit, int(min(fits, max(1, bufferBytes/each))))
	for left := fits; left > 0; {
		k := min(left, int64(len(block))/each)
		if _, err := l.out.Write(block[:k*each]); err != nil {
			return err
		}
		left -= k
	}
	l.left -= fits * each
	if fits < n {
		l.left = 0
		return ErrTooLarge
	}
	return nil
}

// piece writes as much as fits.
func (l *limited) piece(p []byte) error {
	fits := min(int64(len(p)), l.left)
	l.left -= fits
	_, err := l.out.Write(p[:fits])
	if err == nil && fits < int64(len(p)) {
		err = ErrTooLarge
	}
	return err
}

func (l *limited) flush() error { return l.out.Flush() }
