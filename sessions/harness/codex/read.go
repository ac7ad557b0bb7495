package codex

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// starts are how lines of the eras begin, to find one behind damage.
var starts = []string{`{"timestamp":`, `{"type":`, `{"record_type":`, `{"id":`}

// Read reads a rollout on from the mark. The plain ones are appended to; those
// of the TypeScript program and compressed ones are read whole whenever they
// have changed, and only what is new is sent.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	r := s.rollout(ctx, t, to)
	if strings.HasSuffix(t.Path, lineSuffix) {
		if from.Offset > 0 {
			if known, ok := decode(from.State); ok {
				r.state = known
			}
			r.ledger.whole = false
		}
		offset, err := r.readLines(from.Offset, math.MaxInt64)
		return r.mark(offset), err
	}
	if from.Offset > 0 {
		if from.Offset == t.Size {
			return from, nil
		}
		if known, ok := decode(from.State); ok {
			r.omit = known.Turns
		}
	}
	var err error
	if strings.HasSuffix(t.Path, packedSuffix) {
		err = r.readPacked()
	} else {
		err = r.readObject()
	}
	if err != nil {
		return from, err
	}
	r.Turns = max(r.Turns, r.omit) // what was sent stays sent, though the file be damaged now
	return r.mark(t.Size), nil
}

// rollout is the reader of a rollout from its beginning.
func (s *Source) rollout(ctx context.Context, t sessions.Transcript, to sessions.Sink) *rollout {
	r := &rollout{ctx: ctx, source: s, file: t, to: to, ledger: ledger{whole: true}}
	r.Session.ID = t.ID
	return r
}

// mark tells the facts as they are now, and where to read on.
func (r *rollout) mark(offset int64) sessions.Mark {
	if r.Lines > 0 {
		r.facts()
	}
	return sessions.Mark{Offset: offset, State: r.encode()}
}

// readLines reads a plain rollout from one offset up to another, and returns
// the one after the last complete line.
func (r *rollout) readLines(from, before int64) (int64, error) {
	file, err := sessions.OpenFile(r.file.Path)
	if err != nil {
		return from, err
	}
	defer file.Close()
	if _, err := file.Seek(from, io.SeekStart); err != nil {
		return from, fmt.Errorf("read %s: %w", r.file.Path, err)
	}
	return store.LinesOf(r.ctx, file, r.file, from, starts, r.to, func(rec jsonl.Record) bool {
		if rec.Offset >= before {
			return false
		}
		r.line(rec)
		return true
	})
}

// end sends what was held back: nothing will follow.
func (r *rollout) end() {
	r.flushPrompts()
	r.flush()
}

// readObject reads the one object that the TypeScript program kept a session
// in, {session, items}.
func (r *rollout) readObject() error {
	doc, err := store.Document(r.file.Path)
	if err != nil {
		return err
	}
	var session, items string
	fields(doc, map[string]*string{"session": &session, "items": &items})
	if session == "" {
		r.to.Skip("unknown kind of file", r.file.Path)
		return nil
	}
	r.Bare = true
	r.header(session)
	for item := range jsonl.Elements(items) {
		r.Lines++
		r.response(plain(jsonl.Field(item, "type")), item)
	}
	r.end()
	return nil
}
