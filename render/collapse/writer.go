package collapse

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// What the marked form is made of.
const (
	reserved     = "[×"  // a line that begins so means something
	escape       = "[×]" // before a line of the input that begins with reserved
	markerEnd    = " identical lines]"
	soFarEnd     = " identical lines so far]"
	header       = "[×: collapsed by yore, form 1]"
	trailerBegin = "[×: end: "
)

// bufferBytes is the size of the buffers to and from streams.
const bufferBytes = 256 << 10

// Totals counts what a text is and what collapsing did to it.
type Totals struct {
	Lines     int64 // of the input; one without a newline at its end counts
	Collapsed int64 // lines that are gone: for each run its length less two
	Bytes     int64 // of the input
	Saved     int64 // bytes by which lines and markers are fewer than Bytes; may be negative
	NoNewline bool  // the input does not end in a newline
}

// trailer is the marked form's last line.
func (t Totals) trailer() string {
	end := "]"
	if t.NoNewline {
		end = ", no newline at the end]"
	}
	return fmt.Sprintf("%s%d lines, %d repeated lines collapsed, %d bytes, %d saved%s",
		trailerBegin, t.Lines, t.Collapsed, t.Bytes, t.Saved, end)
}

// appendMarker appends the marker of a run of n lines.
func appendMarker(b []byte, n int64) []byte {
	b = append(b, reserved...)
	b = strconv.AppendInt(b, n, 10)
	return append(b, markerEnd...)
}

// isReserved tells whether a line begins with reserved.
func isReserved(line []byte) bool {
	return len(line) >= len(reserved) && line[0] == reserved[0] && string(line[:len(reserved)]) == reserved
}

// Writer collapses what is written to it. A line goes out when it is complete,
// its marker when the run has ended.
type Writer struct {
	out    *bufio.Writer
	runs   Runs
	marked bool
	totals Totals
	sent   int64 // bytes of lines and markers
	count  int64 // lines of the run that goes on
	inLong bool
	marker []byte
}

// NewWriter writes the marked form to w.
func NewWriter(w io.Writer) *Writer {
	c := NewLineWriter(w)
	c.marked = true
	// An error stays with the buffer, and every later write returns it.
	_, _ = c.out.WriteString(header + "\n")
	return c
}

// NewLineWriter writes only the lines and markers: to be read, not expanded.
func NewLineWriter(w io.Writer) *Writer {
	return &Writer{out: bufio.NewWriterSize(w, bufferBytes)}
}

// Write takes the next bytes of the text.
func (c *Writer) Write(p []byte) (int, error) {
	c.totals.Bytes += int64(len(p))
	c.runs.Push(p, (*lines)(c))
	_, err := c.out.Write(nil)
	return len(p), err
}

// Flush sends on what is complete; a run that may go on keeps its marker.
func (c *Writer) Flush() error { return c.out.Flush() }

// Cut ends the run and the line as if the text ended; what follows begins anew.
func (c *Writer) Cut() {
	c.totals.NoNewline = c.runs.End((*lines)(c))
	c.end()
}

// Run is the run that goes on: the number of lines before it, and of its own so far.
func (c *Writer) Run() (before, count int64) { return c.totals.Lines - c.count, c.count }

// SoFar writes how long the run is that goes on. That is for a reader who would wait
// long for its end: the form that is expanded has no place for it.
func (c *Writer) SoFar() {
	if c.marked || c.count < MinRun {
		return
	}
	_, _ = fmt.Fprintf(c.out, "%s%d%s\n", reserved, c.count, soFarEnd)
}

// Close ends the text; the stream below stays open.
func (c *Writer) Close() error {
	c.Cut()
	if c.marked {
		c.totals.Saved = c.totals.Bytes - c.sent
		_, _ = c.out.WriteString(c.totals.trailer() + "\n")
	}
	return c.out.Flush()
}

// Totals are complete after Close.
func (c *Writer) Totals() Totals { return c.totals }

// end writes what is due when a run has ended.
func (c *Writer) end() {
	switch {
	case c.count == 2:
		c.put(c.runs.last)
	case c.count >= MinRun:
		c.marker = append(appendMarker(c.marker[:0], c.count), '\n')
		c.raw(c.marker)
		c.totals.Collapsed += c.count - 2
	}
	c.count = 0
}

// put writes a line of the input.
func (c *Writer) put(line []byte) {
	if isReserved(line) {
		c.raw([]byte(escape))
	}
	c.raw(line)
	c.sent++
	_ = c.out.WriteByte('\n')
}

func (c *Writer) raw(p []byte) {
	c.sent += int64(len(p))
	_, _ = c.out.Write(p)
}

// lines is the Writer as a Sink.
type lines Writer

func (l *lines) Line(line []byte) {
	c := (*Writer)(l)
	c.end()
	c.totals.Lines++
	c.count = 1
	c.put(line)
}

func (l *lines) Again() {
	l.totals.Lines++
	l.count++
}

func (l *lines) Long(piece []byte, last bool) {
	c := (*Writer)(l)
	if !c.inLong {
		c.end()
		c.totals.Lines++
		if isReserved(piece) {
			c.raw([]byte(escape))
		}
	}
	c.raw(piece)
	c.inLong = !last
	if last {
		c.raw([]byte{'\n'})
	}
}
