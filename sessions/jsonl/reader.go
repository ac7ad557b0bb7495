package jsonl

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"unsafe"
)

// Sizes of a Reader's buffer.
const (
	// DefaultMaxLine is the longest line that is kept. Pasted images and tool
	// outputs make lines of tens of megabytes.
	DefaultMaxLine = 64 << 20
	firstBuffer    = 32 << 10  // for the many short files
	usualBuffer    = 256 << 10 // for long ones; larger only while a line needs it
)

// maxDamages bounds the list of damages that a Reader keeps.
const maxDamages = 100

// Reasons of a Damage.
const (
	ReasonDamaged = "damaged line"
	ReasonTooLong = "line too long"
)

// Record is one JSON object of a file.
type Record struct {
	Data      []byte // valid JSON; only until the next call of Next
	Offset    int64  // where it begins in the file
	Recovered bool   // its line holds something else besides
}

// JSON is Data as a string without a copy: it too is valid only until the next
// call of Next. What is kept has to be copied, as Text does.
func (r Record) JSON() string {
	return unsafe.String(unsafe.SliceData(r.Data), len(r.Data))
}

// Damage is a stretch of a file that could not be read.
type Damage struct {
	Offset int64
	Reason string // ReasonDamaged or ReasonTooLong
}

// Options of a Reader.
type Options struct {
	// MaxLine is the longest line kept, in bytes; DefaultMaxLine when 0. A
	// longer one is skipped and counted.
	MaxLine int
	// Starts are the byte strings that begin a record, each with "{" first. In
	// a damaged line they tell where the next record may begin.
	Starts []string
}

// Reader reads the records of one file, front to back. Lines may end in CRLF;
// blank lines, byte order marks and runs of NULs before a record are passed
// over. It is not safe for use by several goroutines.
type Reader struct {
	src     io.Reader
	maxLine int
	starts  []string

	buf        []byte // what is read and not yet passed: buf[start:end]
	start, end int
	at         int64 // place in the file of buf[start]
	from       int64 // place in the file of what src began with
	filled     bool  // the last read filled the buffer: a larger one pays
	offset     int64

	rest   rest
	damage []Damage
	count  int
}

// rest is what remains of a line that is not just one record.
type rest struct {
	data   []byte
	at     int64 // place in the file of data[0]
	after  int64 // place behind the line
	losing bool  // the damage that reaches to data[0] is counted already
	budget int   // bytes that may still be looked at in search of a record
}

// NewReader reads r, which stands at the given offset of its file.
func NewReader(r io.Reader, offset int64, o Options) *Reader {
	if o.MaxLine <= 0 {
		o.MaxLine = DefaultMaxLine
	}
	return &Reader{src: r, maxLine: o.MaxLine, starts: o.Starts, from: offset, at: offset, offset: offset}
}

// Offset is the place in the file from which to read on: behind the last record
// returned and all that was passed over with it. A last line without newline
// that is not a whole record yet lies behind it.
func (r *Reader) Offset() int64 { return r.offset }

// Damaged lists the first stretches that could not be read.
func (r *Reader) Damaged() []Damage { return r.damage }

// DamagedCount counts all of them.
func (r *Reader) DamagedCount() int { return r.count }

// Next returns the next record, or io.EOF when no complete one is left. Other
// errors are the source's.
func (r *Reader) Next() (Record, error) {
	for {
		if rec, ok := r.recover(); ok {
			return rec, nil
		}
		line, ended, err := r.line()
		if err != nil {
			return Record{}, err
		}
		after := r.at
		from, to := trim(line)
		begin := after - int64(len(line)) + int64(from)
		if ended {
			begin--
		}
		data := line[from:to]
		if len(data) == 0 {
			if !ended {
				return Record{}, io.EOF
			}
			r.offset = after
			continue
		}
		if stop, ok := object(data); ok && stop == len(data) {
			r.offset = after
			return Record{Data: data, Offset: begin}, nil
		}
		if !ended && !whole(data) {
			return Record{}, io.EOF
		}
		r.rest = rest{data: data, at: begin, after: after, budget: recoverBudget(len(data))}
	}
}

// recoverBudget bounds the search for records in a damaged line of n bytes, so
// that a line made of nothing but beginnings costs no square of its length.
func recoverBudget(n int) int { return 16*n + 1<<20 }

// recover returns the next record of a line that is not just one.
func (r *Reader) recover() (Record, bool) {
	l := &r.rest
	for len(l.data) > 0 {
		end, ok := object(l.data)
		l.budget -= end
		if ok {
			rec := Record{Data: l.data[:end], Offset: l.at, Recovered: true}
			l.losing = false
			r.pass(end)
			return rec, true
		}
		if !l.losing {
			l.losing = true
			r.lost(Damage{Offset: l.at, Reason: ReasonDamaged})
		}
		if l.budget < 0 {
			r.pass(len(l.data))
		} else {
			r.pass(nextStart(l.data, r.starts))
		}
	}
	return Record{}, false
}

// pass moves on by n bytes, and what fills the gaps, in the rest of a line.
func (r *Reader) pass(n int) {
	l := &r.rest
	from, _ := trim(l.data[n:])
	l.data = l.data[n+from:]
	l.at += int64(n + from)
	r.offset = l.at
	if len(l.data) == 0 {
		r.offset = l.after
	}
}

// nextStart is the place of the first start behind data[0], or the end.
func nextStart(data []byte, starts []string) int {
	for i := 1; i < len(data); i++ {
		next := bytes.IndexByte(data[i:], '{')
		if next < 0 {
			break
		}
		i += next
		for _, s := range starts {
			if bytes.HasPrefix(data[i:], []byte(s)) {
				return i
			}
		}
	}
	return len(data)
}

// lost counts a damage.
func (r *Reader) lost(d Damage) {
	r.count++
	if len(r.damage) < maxDamages {
		r.damage = append(r.damage, d)
	}
}

// line returns the next line without its newline, and whether it had one. The
// place r.at lies behind it then. io.EOF when nothing is left.
func (r *Reader) line() (line []byte, ended bool, err error) {
	searched := 0
	for {
		if i := bytes.IndexByte(r.buf[r.start+searched:r.end], '\n'); i >= 0 {
			n := searched + i
			line = r.buf[r.start : r.start+n]
			r.start += n + 1
			r.at += int64(n + 1)
			return line, true, nil
		}
		searched = r.end - r.start
		if searched > r.maxLine {
			if err := r.skipLine(); err != nil {
				return nil, false, err
			}
			searched = 0
			continue
		}
		if err := r.fill(); err != nil {
			if !errors.Is(err, io.EOF) || searched == 0 {
				return nil, false, err
			}
			line = r.buf[r.start:r.end]
			r.start = r.end
			r.at += int64(len(line))
			return line, false, nil
		}
	}
}

// skipLine passes over the line at r.start, which is longer than may be kept.
// While its end is not written yet, it counts as unfinished: io.EOF.
func (r *Reader) skipLine() error {
	begin := r.at
	for {
		if i := bytes.IndexByte(r.buf[r.start:r.end], '\n'); i >= 0 {
			r.start += i + 1
			r.at += int64(i + 1)
			r.offset = r.at
			r.lost(Damage{Offset: begin, Reason: ReasonTooLong})
			return nil
		}
		r.at += int64(r.end - r.start)
		r.start = r.end
		if err := r.fill(); err != nil {
			return err
		}
	}
}

// fill reads more. It makes room first: by moving what is left to the front,
// by a larger buffer for a longer line, by a smaller one when that is over.
func (r *Reader) fill() error {
	n := r.end - r.start
	size := max(len(r.buf), firstBuffer)
	switch {
	case n == len(r.buf) && n > 0:
		size = min(r.room(n), r.maxLine+usualBuffer)
	case r.filled && size < usualBuffer:
		size = min(2*size, usualBuffer)
	case size > usualBuffer && n < usualBuffer/2:
		size = usualBuffer
	}
	if size != len(r.buf) {
		next := make([]byte, size)
		copy(next, r.buf[r.start:r.end])
		r.buf = next
	} else {
		copy(r.buf, r.buf[r.start:r.end])
	}
	r.start, r.end = 0, n
	for range maxEmptyReads {
		n, err := r.src.Read(r.buf[r.end:])
		r.end += n
		r.filled = r.end == len(r.buf)
		if n > 0 {
			return nil // an error that came with bytes will come again
		}
		if err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}

// room is the size of a buffer for a line of which n bytes are there: what it takes,
// where the source is a file or begins in one, so that its end can be looked for, else twice what is
// there. By doubling alone a line of tens of megabytes takes three times its length.
func (r *Reader) room(n int) int {
	var file io.ReaderAt
	begin := r.at + int64(n)
	switch src := r.src.(type) {
	case *os.File:
		file = src
	case *io.SectionReader:
		file, begin = src, begin-r.from
	}
	if file == nil || n < usualBuffer {
		return 2 * n
	}
	block := make([]byte, lookAhead)
	for more := 0; n+more <= r.maxLine; {
		got, err := file.ReadAt(block, begin+int64(more))
		if i := bytes.IndexByte(block[:got], '\n'); i >= 0 {
			return max(n+more+i+1+len(block), n+n/4) // the file may be another one by now
		}
		more += got
		if err != nil {
			return max(n+more+len(block), n+n/4) // the line may be written on
		}
	}
	return r.maxLine + usualBuffer
}

// lookAhead is how much is read at once in search of a line's end, in bytes.
const lookAhead = 32 << 10

// maxEmptyReads is how often a source may return nothing before it counts as
// broken, as in package bufio.
const maxEmptyReads = 100

// object finds the end of the object that data begins with.
func object(data []byte) (end int, ok bool) {
	if data[0] != '{' {
		return 0, false
	}
	return value(Record{Data: data}.JSON(), 0)
}

// whole tells whether data is nothing but complete objects.
func whole(data []byte) bool {
	for len(data) > 0 {
		end, ok := object(data)
		if !ok {
			return false
		}
		from, _ := trim(data[end:])
		data = data[end+from:]
	}
	return true
}

const byteOrderMark = "\xEF\xBB\xBF"

// trim finds what is left of a line without byte order marks, NULs, carriage
// returns and blanks at its ends.
func trim(line []byte) (from, to int) {
	to = len(line)
	for to > 0 && filler(line[to-1]) {
		to--
	}
	for from < to {
		switch {
		case filler(line[from]):
			from++
		case strings.HasPrefix(Record{Data: line[from:to]}.JSON(), byteOrderMark):
			from += len(byteOrderMark)
		default:
			return from, to
		}
	}
	return from, to
}

// filler tells whether a byte stands around records and means nothing.
func filler(c byte) bool { return c == 0 || c == ' ' || c == '\t' || c == '\r' }
