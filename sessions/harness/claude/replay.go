package claude

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// Some sub-agents go on from the talk of their parent: one that is asked beside
// it, and forks. Their files begin with the parent's records over again, which
// the parent has.

// sideQuestion begins the name of a sub-agent that answers a question asked
// beside the talk.
const sideQuestion = agentPrefix + "aside_question-"

// derived begin the names of files that the program made from the parent's talk
// for itself: to sum it up, which the parent then has, and to guess the next
// prompt. Nobody asked anything there.
var derived = []string{agentPrefix + "acompact-", agentPrefix + "aprompt_suggestion-"}

// isDerived tells such files by their names.
func isDerived(name string) bool {
	return slices.ContainsFunc(derived, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// replays tells whether a record of a sub-agent's file repeats its parent's.
func (r *reader) replays(e record) bool {
	if r.st.Own || e.kind != "user" && e.kind != "assistant" && !r.st.Repeats {
		return false
	}
	if !r.st.Repeats {
		if !r.mayRepeat(e) {
			r.st.Own = true
			return false
		}
		r.st.Repeats = true
	}
	if r.until == 0 {
		r.until = r.repeatedUntil(e.offset)
	}
	if e.offset < r.until {
		return true
	}
	r.st.Own = e.kind == "assistant" // all that is repeated is written before
	return false
}

// mayRepeat tells by the first message whether a file may begin with its
// parent's: a task is new, and follows nothing.
func (r *reader) mayRepeat(e record) bool {
	if strings.HasPrefix(r.id, sideQuestion) || e.kind == "assistant" || e.compact {
		return true
	}
	return e.uuid != "" && slices.Equal(r.source.begins.Get(r.parentFile(e), begins), e.identities())
}

// begins are the identities of a transcript's first record of the user.
func begins(path string) (first []uint64) {
	head(path, func(e record) bool {
		if e.kind == "user" {
			first = e.identities()
		}
		return first == nil
	})
	return first
}

// parentFile is the transcript of the session that a sub-agent worked for, or of
// the sub-agent.
func (r *reader) parentFile(e record) string {
	if parent := r.beside().parent; parent != "" {
		return filepath.Join(filepath.Dir(r.t.Path), filepath.Base(parent)+transcriptExt)
	}
	if dir := r.nestedIn(); dir != "" {
		return dir + transcriptExt
	}
	return filepath.Join(filepath.Dir(r.t.Path), filepath.Base(e.session)+transcriptExt)
}

// repeatedUntil is the place behind the last record from an offset on that the
// parent has too; the offset itself when there is none.
func (r *reader) repeatedUntil(offset int64) int64 {
	var parents []uint64
	asked := false
	until := max(offset, 1)
	in := jsonl.NewReader(io.NewSectionReader(r.file, offset, maxFile-offset), offset, jsonl.Options{Starts: starts})
	for {
		rec, err := in.Next()
		if err != nil {
			return until
		}
		e := decode(rec.JSON())
		if !asked {
			asked = true
			// Of what cannot be read, what could be is compared.
			parents, _ = r.source.told.Try(r.parentFile(e), identities)
		}
		for _, id := range e.identities() {
			if _, repeated := slices.BinarySearch(parents, id); repeated {
				until = rec.Offset + 1
			}
		}
	}
}

// identities are hashes of what tells a record from others, in every copy of it:
// what it says with its id, and with that of the message it brings a part of.
func (e *record) identities() []uint64 {
	var ids []uint64
	content := jsonl.Field(e.rawMessage, "content")
	for _, id := range []string{e.uuid, jsonl.Plain(jsonl.Field(e.rawMessage, "id"))} {
		if id != "" {
			ids = append(ids, store.Hash(id+content))
		}
	}
	return ids
}

// keptParents is of how many transcripts the identities are kept: sub-agents of the
// same one are read one after the other.
const keptParents = 4

// identities are those of all records of a transcript, in order.
func identities(path string) (ids []uint64, err error) {
	err = store.Records(context.Background(), path, starts, func(rec jsonl.Record) {
		e := decode(rec.JSON())
		ids = append(ids, e.identities()...)
	})
	slices.Sort(ids)
	return ids, err
}
