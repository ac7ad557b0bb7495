package aider

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"yore/sessions"
	"yore/sessions/lazy"
)

// maxLine is how much of a line is kept: more than anything that somebody reads.
const maxLine = 1 << 20

// checkEvery is after how many lines the end of a context is looked for.
const checkEvery = 4096

// line is one line of a history, without its end.
type line struct {
	text   []byte // until the next line
	offset int64
	cut    bool // text is only its beginning
}

// eachLine reads the lines between two offsets that are written to their ends,
// and returns where the last one ends.
func eachLine(ctx context.Context, path string, from, to int64, each func(line)) (int64, error) {
	file, err := sessions.OpenFile(path)
	if err != nil {
		return from, err
	}
	defer func() { _ = file.Close() }() // only read
	r := bufio.NewReaderSize(io.NewSectionReader(file, from, to-from), 64<<10)
	var kept []byte
	at, next := from, from // where the line begins, and how far was read
	for n := 0; ; {
		part, err := r.ReadSlice('\n')
		next += int64(len(part))
		whole := len(kept)+len(part) <= maxLine
		if room := maxLine - len(kept); !whole && room < len(part) {
			part = part[:room]
		}
		switch kept = append(kept, part...); {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF):
			return at, nil
		case err != nil:
			return at, fmt.Errorf("read %s: %w", path, err)
		}
		cut := int64(len(kept)) < next-at
		text := bytes.TrimRight(kept, "\r\n")
		each(line{text, at, cut})
		at, kept = next, kept[:0]
		if n++; n%checkEvery == 0 && ctx.Err() != nil {
			return at, ctx.Err()
		}
	}
}

// header is how a run begins. The time is local.
var header = lazy.Regexp(`^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$`)

// run is one run of Aider within a history.
type run struct {
	offset  int64
	began   time.Time
	header  string
	ordinal int // among those with the same header
}

// outline is what a history is like as a whole.
type outline struct {
	runs   []run // what stands before the first header is one too
	strict bool  // Aider's own lines end in two blanks
	end    int64 // of the last line that is written to its end
}

// readOutline finds the runs. Some editors take the blanks at the ends of lines
// away: they tell nothing where most prompts have none.
func readOutline(ctx context.Context, path string) (o outline, err error) {
	o.runs = []run{{}}
	ordinals := map[string]int{}
	prompts, blanks := 0, 0
	o.end, err = eachLine(ctx, path, 0, 1<<62, func(l line) {
		switch {
		case bytes.HasPrefix(l.text, promptMark):
			prompts++
			if bytes.HasSuffix(l.text, ownEnd) {
				blanks++
			}
		case bytes.HasPrefix(l.text, headerMark):
			match := header().FindSubmatch(l.text)
			if match == nil {
				return
			}
			began, err := time.ParseInLocation(time.DateTime, string(match[1]), time.Local)
			if err != nil {
				return
			}
			if l.offset == 0 {
				o.runs = nil
			}
			text := string(match[1])
			o.runs = append(o.runs, run{offset: l.offset, began: began.UTC(), header: text, ordinal: ordinals[text]})
			ordinals[text]++
		}
	})
	o.strict = 2*blanks >= prompts
	return o, err
}

// How Aider's lines begin and end.
var (
	headerMark = []byte("# ")
	promptMark = []byte("#### ")
	outputMark = []byte("> ")
	ownEnd     = []byte("  ")
)
