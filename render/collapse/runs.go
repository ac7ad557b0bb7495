package collapse

import "bytes"

// MinRun is the shortest run that becomes a line and a marker: from three lines
// on that is shorter to look at.
const MinRun = 3

// MaxLine is the longest line, in bytes and without its newline, that is kept to
// be compared with the next. It bounds the memory that a text without newlines
// costs; longer lines pass unchanged and are never counted together.
const MaxLine = 1 << 20

// Sink is told of lines. What it is given is valid during the call only.
type Sink interface {
	// Line is a line that differs from the one before, without its newline.
	Line(line []byte)
	// Again says that the line came once more.
	Again()
	// Long is a piece of a line of more than MaxLine bytes; the first piece has
	// more than MaxLine bytes. last says that the line ends with it.
	Long(piece []byte, last bool)
}

// Runs finds repeated lines in bytes that come in pieces. What it tells does not
// depend on how they are cut, the pieces of long lines aside. Its memory is
// bounded by MaxLine. The zero Runs is ready.
type Runs struct {
	last    []byte // the line before
	known   bool   // there is one, and last holds it
	pending []byte // what follows the last newline
	long    bool   // pending has gone to the sink as part of a long line
}

// Push takes the next bytes.
func (r *Runs) Push(p []byte, to Sink) {
	for len(p) > 0 {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			r.part(p, to)
			return
		}
		switch {
		case r.long:
			r.long = false
			to.Long(p[:i], true)
		case len(r.pending) > 0:
			r.pending = append(r.pending, p[:i]...)
			r.line(r.pending, to)
			r.pending = r.pending[:0]
		default:
			r.line(p[:i], to)
		}
		p = p[i+1:]
	}
}

// part takes bytes that end within a line.
func (r *Runs) part(p []byte, to Sink) {
	if r.long {
		to.Long(p, false)
		return
	}
	r.pending = append(r.pending, p...)
	if len(r.pending) > MaxLine {
		r.long, r.known = true, false
		to.Long(r.pending, false)
		r.pending = r.pending[:0]
	}
}

func (r *Runs) line(line []byte, to Sink) {
	switch {
	case r.known && bytes.Equal(line, r.last):
		to.Again()
	case len(line) > MaxLine:
		r.known = false
		to.Long(line, true)
	default:
		to.Line(line) // while last still is the line before
		r.last, r.known = append(r.last[:0], line...), true
	}
}

// Break has the next line compared with none; what follows the last newline stays.
func (r *Runs) Break() { r.known = false }

// Pending is what follows the last newline, as far as it is kept. It counts as
// no line before End.
func (r *Runs) Pending() []byte { return r.pending }

// End makes a line of what follows the last newline and reports whether there
// was something. The next line is compared with none.
func (r *Runs) End(to Sink) bool {
	open := r.long || len(r.pending) > 0
	if open {
		r.finish(to)
	}
	r.long, r.known, r.pending = false, false, r.pending[:0]
	return open
}

// finish makes a line of what follows the last newline, also of nothing.
func (r *Runs) finish(to Sink) {
	if r.long {
		to.Long(nil, true)
		return
	}
	r.line(r.pending, to)
}
