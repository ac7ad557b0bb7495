package aider

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"yore/sessions"
	"yore/sessions/store"
)

// state is what a Read hands to the next one of the same history: its mark is
// where the last run begins, which is read again.
type state struct {
	Strict bool
	Trail  []byte // of the last run
}

// maxRun bounds what is kept of one run while it is read.
const maxRun = 32 << 20

// Read reads the runs from the last one on that was there before.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	o, err := readOutline(ctx, t.Path)
	if err != nil {
		return from, err
	}
	st := store.Load[state](from.State)
	begun := len(from.State) > 0
	goesOn := slices.ContainsFunc(o.runs, func(r run) bool { return r.offset == from.Offset })
	if begun && (st.Strict != o.strict || !goesOn) {
		return from, sessions.ErrRewritten // who said what looks different now
	}
	st.Strict = o.strict
	typed, _ := s.inputs.Whole(s.inputOf(t.Path), inputs)
	for i, r := range o.runs {
		if r.offset < from.Offset {
			continue
		}
		next, end := run{}, o.end
		if i+1 < len(o.runs) {
			next = o.runs[i+1]
			end = next.offset
		}
		trail := sessions.Mark{}
		if begun && r.offset == from.Offset {
			trail.State = st.Trail
		}
		mark, err := s.run(ctx, t, r, next, end, o.strict, typed, trail, to)
		if err != nil {
			return from, err
		}
		from.Offset, st.Trail = r.offset, mark.State
		begun = false
	}
	from.State = store.Save(st)
	return from, nil
}

// run reads one run and sends what is new in it.
func (s *Source) run(ctx context.Context, t sessions.Transcript, r, next run, end int64, strict bool, typed []input, trail sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	k := &talk{strict: strict, typed: during(typed, r.began, next.began)}
	k.Harness, k.Path = harness, t.Path
	k.ID = fmt.Sprintf("%016x", store.Hash(fmt.Sprintf("%s\x00%s\x00%d", t.Path, r.header, r.ordinal)))
	k.Directory, k.Start = filepath.Dir(t.Path), r.began
	size := 0
	skip := func(reason string, offset int64) {
		if len(trail.State) == 0 { // else it was counted
			to.Skip(reason, store.Place(t, offset))
		}
	}
	_, err := eachLine(ctx, t.Path, r.offset, end, func(l line) {
		before := size
		size += len(l.text)
		switch {
		case size > maxRun && before <= maxRun:
			skip("session too long", l.offset)
		case size > maxRun:
		case l.offset > r.offset || r.header == "":
			if l.cut {
				skip("line too long", l.offset)
			}
			k.line(strings.ToValidUTF8(string(l.text), "\uFFFD"))
		}
	})
	if err != nil {
		return trail, err
	}
	k.end()
	if k.Empty() {
		return sessions.Mark{}, nil
	}
	switch {
	case !k.LastActive.IsZero():
		k.TimeFrom = sessions.TimeMessage
	case !next.began.IsZero():
		k.LastActive, k.TimeFrom = next.began, sessions.TimeHeader
	}
	k.Provider = store.Maker(k.Model)
	k.Resume = s.Resume(k.Session.Session)
	return k.Send(trail, to)
}
