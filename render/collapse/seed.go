package collapse

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// The older form: the header holds the number of lines that are gone, and a text
// that holds a line which could be taken for a header or a marker has no such
// form. "[×3 identical lines]" after a line means that it stands there 3 times.
const (
	seedHead = "[lean-ctx: "
	seedTail = " repeated lines collapsed, lossless]"
)

// SeedForm is what Seed made of a text.
type SeedForm int

const (
	// Collapsed is the older form.
	Collapsed SeedForm = iota
	// Unchanged is the text itself, since nothing in it can be collapsed or a line is
	// reserved. ExpandSeed gives it back.
	Unchanged
	// Mistakable is the text itself, too, but ExpandSeed would take its first line for
	// a header of the form.
	Mistakable
)

// Seed writes the text in the older form where it has one, and as it is otherwise. It
// reads the text twice, since the form begins with its total.
//
// Lines end at newlines only, so that what follows the last newline is a line
// too, empty or not, as the form has it. Lines of more than MaxLine bytes are
// not collapsed.
func Seed(w io.Writer, text io.ReadSeeker) (SeedForm, error) {
	var count seedCounter
	if err := seedLines(text, &count); err != nil {
		return Unchanged, err
	}
	count.end()
	if _, err := text.Seek(0, io.SeekStart); err != nil {
		return Unchanged, err
	}
	if count.reserved || count.collapsed == 0 {
		_, err := io.Copy(w, text)
		if count.header && count.more {
			return Mistakable, err
		}
		return Unchanged, err
	}
	out := bufio.NewWriterSize(w, bufferBytes)
	_, _ = fmt.Fprintf(out, "%s%d%s", seedHead, count.collapsed, seedTail)
	s := seedWriter{out: out}
	if err := seedLines(text, &s); err != nil {
		return Collapsed, err
	}
	s.end()
	return Collapsed, out.Flush()
}

// seedLines tells the lines of a text with the one behind its last newline.
func seedLines(text io.Reader, to seedSink) error {
	buf := make([]byte, bufferBytes)
	for {
		n, err := text.Read(buf)
		to.lines().Push(buf[:n], to)
		if err == io.EOF {
			to.lines().finish(to)
			return nil
		}
		if err != nil {
			return err
		}
	}
}

type seedSink interface {
	Sink
	lines() *Runs
}

// seedCounter finds out what the header has to say.
type seedCounter struct {
	runs      Runs
	count     int64
	collapsed int64
	reserved  bool
	inLong    bool
	begun     bool
	header    bool // the first line is like one of the form
	more      bool // it is not the only one
}

func (c *seedCounter) lines() *Runs { return &c.runs }

func (c *seedCounter) end() {
	if c.count >= MinRun {
		c.collapsed += c.count - 2
	}
	c.count = 0
}

func (c *seedCounter) Line(line []byte) {
	c.end()
	c.count = 1
	_, marker := seedMarker(line)
	header := isSeedHeader(line)
	c.header = c.header || header && !c.begun
	c.reserved = c.reserved || marker || header
	c.begun, c.more = true, c.begun
}

func (c *seedCounter) Again() { c.count, c.more = c.count+1, true }

// Long has nothing to look at but whether the line could be a header: no number
// of a marker has so many digits, and leading zeros are refused with it.
func (c *seedCounter) Long(piece []byte, last bool) {
	c.end()
	if !c.inLong && (bytes.HasPrefix(piece, []byte(seedHead)) || bytes.HasPrefix(piece, []byte(reserved))) {
		c.reserved = true
	}
	c.begun, c.more = true, c.begun
	c.inLong = !last
}

// seedWriter writes lines and markers, newlines between them.
type seedWriter struct {
	out    *bufio.Writer
	runs   Runs
	count  int64
	marker []byte
	inLong bool
}

func (s *seedWriter) lines() *Runs { return &s.runs }

func (s *seedWriter) end() {
	switch {
	case s.count == 2:
		s.put(s.runs.last)
	case s.count >= MinRun:
		s.marker = appendMarker(s.marker[:0], s.count)
		s.put(s.marker)
	}
	s.count = 0
}

func (s *seedWriter) put(line []byte) {
	_ = s.out.WriteByte('\n')
	_, _ = s.out.Write(line)
}

func (s *seedWriter) Line(line []byte) {
	s.end()
	s.count = 1
	s.put(line)
}

func (s *seedWriter) Again() { s.count++ }

func (s *seedWriter) Long(piece []byte, last bool) {
	if !s.inLong {
		s.end()
		_ = s.out.WriteByte('\n')
	}
	s.inLong = !last
	_, _ = s.out.Write(piece)
}

func isSeedHeader(line []byte) bool {
	return len(line) >= len(seedHead)+len(seedTail) &&
		bytes.HasPrefix(line, []byte(seedHead)) && bytes.HasSuffix(line, []byte(seedTail))
}

// seedMarker reads a marker as the older form does, which takes any decimal
// spelling of a number of 64 bits.
func seedMarker(line []byte) (uint64, bool) {
	digits, begins := bytes.CutPrefix(line, []byte(reserved))
	digits, ends := bytes.CutSuffix(digits, []byte(markerEnd))
	if !begins || !ends {
		return 0, false
	}
	n, err := strconv.ParseUint(string(bytes.TrimPrefix(digits, []byte("+"))), 10, 64)
	return n, err == nil
}

// ExpandSeed reads the older form, or any other text, which it writes unchanged;
// no more than limit bytes. A header that counts something else than the markers
// is ErrDamaged, told after the text was written.
func ExpandSeed(w io.Writer, r io.Reader, limit int64) error {
	e := &seedExpander{out: newLimited(w, limit)}
	err := feed(r, &e.split, e, &e.fault)
	if err == nil && e.fault == nil {
		e.split.finish(e)
		e.finish()
	}
	return errors.Join(err, e.fault, e.out.flush())
}

type seedExpander struct {
	out       *limited
	split     splitter
	first     []byte // the first line, until the second comes; then nil
	claims    uint64 // what the header counts
	begun     bool   // the first line was read
	collapsed bool   // it is a header
	any       bool   // a line of the body was read
	last      []byte
	known     bool // last is the line before
	removed   uint64
	inLong    bool
	fault     error
}

func (e *seedExpander) line(line []byte) {
	if e.fault != nil {
		return
	}
	if !e.begun {
		e.begun, e.first = true, append([]byte{}, line...)
		return
	}
	e.open()
	n, marker := seedMarker(line)
	switch {
	case !e.collapsed || !marker || n < MinRun || !e.any:
		e.write(line)
		e.last, e.known = append(e.last[:0], line...), true
	case !e.known:
		e.fault = fmt.Errorf("%w: a line of more than %d bytes is to be repeated", ErrDamaged, MaxLine)
	default:
		e.removed += n - 2
		e.repeat(n - 1)
	}
}

// open decides by the first line what the text is. A header alone is none.
func (e *seedExpander) open() {
	if e.first == nil {
		return
	}
	first := e.first
	e.first = nil
	if e.collapsed = isSeedHeader(first); e.collapsed {
		number := first[len(seedHead) : len(first)-len(seedTail)]
		e.claims, _ = strconv.ParseUint(string(number), 10, 64)
	} else {
		e.any = true
		e.fault = e.out.line(first, nil)
	}
}

// write writes a line of the body after the newline that ends the one before.
func (e *seedExpander) write(line []byte) {
	if e.fault == nil && e.any {
		e.fault = e.out.line([]byte("\n"), line)
	} else if e.fault == nil {
		e.fault = e.out.line(line, nil)
	}
	e.any = true
}

func (e *seedExpander) repeat(n uint64) {
	n = min(n, uint64(e.out.left)+1) // each takes a byte at least
	e.fault = e.out.repeat(append([]byte("\n"), e.last...), int64(n))
}

func (e *seedExpander) piece(p []byte, last bool) {
	if e.fault != nil {
		return
	}
	if !e.inLong {
		if !e.begun {
			e.begun, e.any = true, true
		} else {
			e.open()
			e.write(nil)
		}
	}
	e.inLong, e.known = !last, false
	if e.fault == nil {
		e.fault = e.out.piece(p)
	}
}

// finish deals with a text of one line, and compares what the header counts with
// what was read.
func (e *seedExpander) finish() {
	switch {
	case e.fault != nil:
	case e.first != nil:
		e.fault = e.out.line(e.first, nil)
	case e.collapsed && e.claims != e.removed:
		e.fault = fmt.Errorf("%w: its first line counts %d lines, its markers %d", ErrDamaged, e.claims, e.removed)
	}
}
