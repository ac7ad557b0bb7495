package collapse

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// The errors of expanding. What was given back before one of them stays written,
// in whole lines.
var (
	// ErrNotCollapsed: the text is not in the form, and nothing was written.
	ErrNotCollapsed = errors.New("this is not collapsed text: its first line is not that of the form")
	// ErrDamaged: the text was changed or shortened after it was collapsed.
	ErrDamaged = errors.New("the collapsed text is damaged")
	// ErrTooLarge: there is more than may be written.
	ErrTooLarge = errors.New("the text is longer than may be written")
)

// Expand reads the marked form from r and writes the exact bytes that it was
// made from to w, but no more than limit bytes. Its memory is bounded by MaxLine,
// whatever the markers claim. A line of more than MaxLine bytes that does not fit
// is cut where the limit is; others are left out.
func Expand(w io.Writer, r io.Reader, limit int64) error {
	in := bufio.NewReaderSize(r, bufferBytes)
	first, err := in.ReadSlice('\n')
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return err
	}
	if string(bytes.TrimSuffix(first, []byte("\n"))) != header {
		return ErrNotCollapsed
	}
	e := &expander{out: newLimited(w, limit)}
	err = feed(in, &e.split, e, &e.fault)
	if e.split.End(e); e.fault == nil && err == nil {
		err = e.finish()
	}
	return errors.Join(err, e.fault, e.out.flush())
}

// feed pushes all of r until it ends or fault is set.
func feed(r io.Reader, split *splitter, to lineSink, fault *error) error {
	buf := make([]byte, bufferBytes)
	for *fault == nil {
		n, err := r.Read(buf)
		split.Push(buf[:n], to)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// expander turns lines of the marked form into lines of the text. The newest
// line is held back: only what follows tells whether a newline ends it.
type expander struct {
	out    *limited
	split  splitter
	totals Totals
	held   []byte
	holds  bool // held is to be written
	long   bool // the line before was a long one: its newline is to be written
	inLong bool
	read   int64 // bytes of lines and markers
	ended  bool  // the trailer was read
	fault  error
}

func (e *expander) line(line []byte) {
	switch {
	case e.fault != nil:
	case e.ended:
		e.fault = fmt.Errorf("%w: something follows its last line", ErrDamaged)
	case !isReserved(line):
		e.text(line)
	case bytes.HasPrefix(line, []byte(escape)):
		e.text(line[len(escape):])
		e.read += int64(len(escape))
	case bytes.HasPrefix(line, []byte(trailerBegin)):
		e.trailer(line)
	default:
		e.marker(line)
	}
}

// text takes a line of the text.
func (e *expander) text(line []byte) {
	e.release(true)
	e.held, e.holds = append(e.held[:0], line...), true
	e.totals.Lines++
	e.read += int64(len(line)) + 1
}

// release writes the line that is held back.
func (e *expander) release(newline bool) {
	end := []byte("\n")
	if !newline {
		end = nil
	}
	var err error
	switch {
	case e.holds:
		e.totals.Bytes += int64(len(e.held) + len(end))
		err = e.out.line(e.held, end)
	case e.long:
		e.totals.Bytes += int64(len(end))
		err = e.out.piece(end)
	}
	e.holds, e.long = false, false
	if e.fault == nil {
		e.fault = err
	}
}

// marker repeats the line before.
func (e *expander) marker(line []byte) {
	n, ok := markerCount(line)
	if !ok || !e.holds {
		e.fault = fmt.Errorf("%w: line %d of the text is followed by a marker that says nothing", ErrDamaged, e.totals.Lines)
		return
	}
	e.read += int64(len(line)) + 1
	e.totals.Lines += n - 1
	e.totals.Collapsed += n - 2
	each := int64(len(e.held)) + 1
	if n-1 > e.out.left/each+1 {
		n = e.out.left/each + 2 // more would not be written
	}
	e.totals.Bytes += (n - 1) * each
	e.fault = e.out.repeat(append(slices.Clip(e.held), '\n'), n-1)
	// One is still held back: the last.
}

// markerCount reads a marker of this form.
func markerCount(line []byte) (int64, bool) {
	digits, ok := bytes.CutSuffix(line[len(reserved):], []byte(markerEnd))
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(string(digits), 10, 64)
	return n, err == nil && n >= MinRun && string(appendMarker(nil, n)) == string(line)
}

// trailer compares what the last line counts with what was read.
func (e *expander) trailer(line []byte) {
	t := e.totals
	t.NoNewline = !bytes.HasSuffix(line, []byte(" saved]"))
	e.release(!t.NoNewline)
	e.ended = true
	t.Bytes, t.Saved = e.totals.Bytes, e.totals.Bytes-e.read
	if e.fault == nil && t.trailer() != string(line) {
		e.fault = fmt.Errorf("%w: its last line counts something else than what it holds", ErrDamaged)
	}
}

// piece takes a part of a long line.
func (e *expander) piece(p []byte, last bool) {
	if e.fault != nil {
		return
	}
	if !e.inLong {
		e.release(true)
		e.totals.Lines++
		if isReserved(p) {
			if !bytes.HasPrefix(p, []byte(escape)) {
				e.fault = fmt.Errorf("%w: a long line begins like a marker", ErrDamaged)
				return
			}
			p = p[len(escape):]
			e.read += int64(len(escape))
		}
	}
	e.inLong = !last
	e.read += int64(len(p))
	e.totals.Bytes += int64(len(p))
	e.fault = e.out.piece(p)
	if last {
		e.read++
		e.long = true
	}
}

func (e *expander) finish() error {
	if e.ended {
		return nil
	}
	e.release(true)
	return errors.Join(e.fault, fmt.Errorf("%w: its last line is missing", ErrDamaged))
}
