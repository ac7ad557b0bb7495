package store

import (
	"context"
	"errors"
	"fmt"
	"io"

	"yore/sessions"
	"yore/sessions/jsonl"
)

// checkEvery is after how many records the end of a context is looked for.
const checkEvery = 256

// Lines reads the records of a transcript of JSON lines from an offset on, and
// returns the offset behind the last complete one. Starts are how records begin,
// to find one behind damage; damage is counted as skipped. The error is that of
// the file or of ctx.
func Lines(ctx context.Context, t sessions.Transcript, from int64, starts []string, to sessions.Sink, each func(jsonl.Record)) (int64, error) {
	file, err := sessions.OpenFile(t.Path)
	if err != nil {
		return from, err
	}
	defer func() { _ = file.Close() }() // only read
	if _, err := file.Seek(from, io.SeekStart); err != nil {
		return from, fmt.Errorf("read %s: %w", t.Path, err)
	}
	return LinesOf(ctx, file, t, from, starts, to, func(rec jsonl.Record) bool { each(rec); return true })
}

// LinesOf is Lines for what is open already, and stands at the offset; it ends when
// each returns false.
func LinesOf(ctx context.Context, src io.Reader, t sessions.Transcript, from int64, starts []string, to sessions.Sink, each func(jsonl.Record) bool) (int64, error) {
	lines := jsonl.NewReader(src, from, jsonl.Options{Starts: starts})
	defer func() {
		for _, d := range lines.Damaged() {
			to.Skip(d.Reason, Place(t, d.Offset))
		}
		for range lines.DamagedCount() - len(lines.Damaged()) {
			to.Skip(jsonl.ReasonDamaged, t.Path)
		}
	}()
	for n := 0; ; n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return lines.Offset(), ctx.Err()
		}
		rec, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return lines.Offset(), nil
		}
		if err != nil {
			return lines.Offset(), fmt.Errorf("read %s: %w", t.Path, err)
		}
		if !each(rec) {
			return lines.Offset(), nil
		}
	}
}

// Again reads the records before an offset once more, for what a state does not
// remember. What cannot be read is left out.
func Again(ctx context.Context, t sessions.Transcript, before int64, starts []string, each func(jsonl.Record)) {
	file, err := sessions.OpenFile(t.Path)
	if err != nil {
		return // the first reading will report it
	}
	defer func() { _ = file.Close() }() // only read
	// The first reading has counted the damage too.
	_, _ = LinesOf(ctx, file, t, 0, starts, Nobody{}, func(rec jsonl.Record) bool {
		if rec.Offset < before {
			each(rec)
		}
		return rec.Offset < before
	})
}

// Records reads all records of a transcript for what another one leaves to it. The
// error is as that of Lines.
func Records(ctx context.Context, path string, starts []string, each func(jsonl.Record)) error {
	_, err := Lines(ctx, sessions.Transcript{Path: path}, 0, starts, Nobody{}, each)
	return err
}

// Nobody is the Sink of a reading that is told elsewhere.
type Nobody struct{}

// Facts is not listened to.
func (Nobody) Facts(sessions.Session) {}

// Turn is not listened to.
func (Nobody) Turn(string, sessions.Turn, bool) {}

// Undo is not listened to.
func (Nobody) Undo(string, []string, bool) {}

// Skip is not listened to.
func (Nobody) Skip(string, string) {}

// Place says where in a transcript something stands.
func Place(t sessions.Transcript, offset int64) string {
	return fmt.Sprintf("%s, byte %d", t.Path, offset)
}
