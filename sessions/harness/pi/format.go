package pi

import "yore/sessions"

// Format is Pi's format of transcripts, which other harnesses have taken over.
type Format struct {
	Harness string // its contract name
	// ID is the session's id in a transcript's path.
	ID func(path string) string
	// Complete adds to a session what stands outside its transcript.
	Complete func(t sessions.Transcript, of *sessions.Session)
	// Own is the provider in whose name the harness itself writes: its messages
	// tell no model, and may repeat a reply.
	Own string
	// Injected tells a message in the user's name that nobody wrote. It may be nil.
	Injected func(message string) bool
	// Said is what was said of a turn's text: all of it, a part, or nothing where
	// the harness put it there. Title names a session that nobody else gives a
	// title: its scheduled job. When it is nil everything was said.
	Said func(kind sessions.Kind, text string) (said, title string)
	// Beside are the ids of records that stand wherever the newest one hangs, as they
	// were found elsewhere than the others. Records fills it; it may be nil.
	Beside map[string]bool
}
