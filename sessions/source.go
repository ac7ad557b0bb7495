package sessions

import (
	"context"
	"errors"
	"time"
)

// ErrRewritten is what Read returns, before it has sent anything, when what it
// read earlier has changed in a way that the mark cannot go on from. The
// Library then reads the transcript from its beginning.
var ErrRewritten = errors.New("what was read before has changed")

// ErrHeld is wrapped by the error of what cannot be read as long as another program
// holds it.
var ErrHeld = errors.New("another program holds it")

// Env is where a program looks for transcripts. It stands for the process's
// environment so that a test, or the demo, can have its own.
type Env struct {
	Home   string
	Getenv func(string) string // never nil
	GOOS   string
	// Extra holds further roots by harness (configuration).
	Extra map[string][]string
	Dir   string // the directory that the program is used in; "" when that says nothing
}

// Root is one directory tree in which a harness keeps transcripts.
type Root struct {
	Harness string
	Path    string // absolute, cleaned; may not exist
	From    string // "default", the variable's name, or "config"
}

// place is the root as far as it says what lies in it: however it came to be looked at.
func (r Root) place() Root { return Root{Harness: r.Harness, Path: r.Path} }

// Transcript is one unit that a Source can read: a file, or one session's rows
// in a database. Equal stamps mean that nothing changed.
type Transcript struct {
	Root Root
	Path string // the file to open and to show
	Unit string // tells units of one file apart (a database row's id); else ""
	ID   string // the session's id where the name tells it; else ""
	Stamp
	// Side marks a transcript of a sub-agent: read after the others.
	Side bool
}

// Stamp is the cheap identity of a transcript's content.
type Stamp struct {
	Size  int64
	Mtime time.Time
	Inode uint64 // 0 where the system has none
	Extra int64  // what else tells a change: a WAL's size and mtime, a row's version
}

// Mark is the place from which a transcript is to be read on. The zero Mark is
// its beginning. Marks can be written to disk.
type Mark struct {
	Offset int64  // after the last complete record
	State  []byte // what the reader has to remember of what stands before Offset; its own form
}

// Sink takes what a reader finds, in transcript order. One Read sends to one
// Sink from one goroutine.
type Sink interface {
	// Facts replaces what is known of a session. A reader may send it more than
	// once; the Library fills in Prompts, Replies, ToolCalls, Passages and, when
	// Title is "", a title from the first prompt that is not a copy.
	Facts(Session)
	// Turn adds a turn to session id. A conversation turn with the id, kind and
	// role of an earlier one replaces its text when replace is true (an answer
	// written again, longer; a record repeated, later wins).
	Turn(id string, t Turn, replace bool)
	// Undo marks or unmarks the turns with these ids as abandoned.
	Undo(id string, turns []string, undone bool)
	// Skip counts a record that was not read: reason is a short constant
	// ("unknown record kind x", "damaged line"), at says where.
	Skip(reason, at string)
}

// AllSeer is a Sink that wants to know when a reading from a Mark on looked at all
// of the transcript again: then what it skipped was counted before.
type AllSeer interface {
	Sink
	// SawAll says so, before the reading ends.
	SawAll()
}

// DamageKnower is a Sink that wants to know when a part of what a reading looks at
// cannot be read though it is there: then what was known of it before counts.
type DamageKnower interface {
	Sink
	// Damaged says so, before the reading ends.
	Damaged()
}

// Pointer is a Sink that wants to know that a transcript says something of a session in
// another one, and keeps what it is told.
type Pointer interface {
	Sink
	// Concerns has the transcript in the file at path read after this reading, though it
	// did not change: with a Mark, from there. One that is not known is left alone.
	Concerns(path string)
	// Known tells whether the transcript in the file at path was read before this start:
	// then it is not read again unless it changes, or what is read concerns it.
	Known(path string) bool
}

// Source reads one harness. Its methods are safe for use by several goroutines.
type Source interface {
	// Name is the harness's contract name.
	Name() string
	// Roots says where its transcripts are looked for, existing or not.
	Roots(Env) []Root
	// List sends every transcript below the root, without reading content
	// beyond what tells a transcript from another file. An absent root has none.
	// An unreadable part is an error after all that could be listed was sent.
	List(ctx context.Context, root Root, send func(Transcript)) error
	// Read reads t from the mark on and returns the mark after the last
	// complete record; what follows it is left for the next call. It never
	// fails for bad content, only when t cannot be opened or ctx ends, or with
	// ErrRewritten; the mark returned is good in any case.
	Read(ctx context.Context, t Transcript, from Mark, to Sink) (Mark, error)
	// Resume is the argument vector that goes on with the session, nil if the
	// harness cannot.
	Resume(Session) []string
}

// Folder is one in which transcripts of sub-agents lie, all of one session, and other
// folders.
type Folder struct {
	Path   string
	Stamp  Stamp // its own: it changes when something in it comes or goes
	Parent Stamp // of the transcript of their session; zero when there is none
}

// Skim says what a listing may leave out. Its methods are safe for use by several
// goroutines.
type Skim interface {
	// Rests tells whether the transcripts in a folder are taken to be as they were. Then
	// none of them is sent, and only the folders within it are to be looked at.
	Rests(f Folder) (within []string, rests bool)
	// Listed says that all transcripts in a folder were sent, none of which is a link, and
	// which folders are in it. It was as f says before they were looked at.
	Listed(f Folder, within []string)
}

// Skimmer is a Source whose harness may have thousands of folders of sub-agents.
type Skimmer interface {
	Source
	// Skim is List that leaves out what it may.
	Skim(ctx context.Context, root Root, s Skim, send func(Transcript)) error
}

// Surveyor is a Source whose harness may keep one session in several places: what
// tells it in one root depends on what is in the others.
type Surveyor interface {
	Source
	// Survey looks at all roots, before each look at some of them. The Lists that follow
	// go by what it saw, and the Reads: what is excluded is for them as if it were not
	// there.
	Survey(ctx context.Context, excluded func(path string) bool)
}

// Note is a fact about a session that stands outside its transcript.
type Note struct {
	Title      string // "" leaves the transcript's own
	Parent     string
	ParentCall string
	Running    bool
	Directory  string    // where the transcript tells none
	Active     time.Time // when it is later than what the transcript tells; zero when unknown
}

// Annotator is a Source whose harness keeps facts beside its transcripts:
// renames, a registry of running sessions.
type Annotator interface {
	Source
	// Notes reads them all, by session id.
	Notes(ctx context.Context, root Root) (map[string]Note, error)
	// Aside tells whether a changed path is one that Notes reads.
	Aside(root Root, path string) bool
}

// Sharer is an Annotator whose transcripts and notes may stand in one file.
type Sharer interface {
	Annotator
	// Shared tells whether a changed path is one that List and Notes both read.
	Shared(root Root, path string) bool
}

// Wanderer is a Source whose harness has no place of its own: its transcripts lie
// where it was used. Of its roots, folders are listed and not followed; what is
// listed in them is.
type Wanderer interface {
	Source
	// In says where transcripts may lie of work in a directory or in one below it:
	// files, existing or not. It looks at nothing.
	In(dir string) []Root
}

// Hasher is a Source whose harness may keep transcripts of which the hash of a directory
// alone tells in which they were made.
type Hasher interface {
	Source
	// Hashed is the hash in a transcript's path, or at its beginning, "" when there is none.
	// It is asked only where nothing else tells the directory.
	Hashed(path string) string
	// Hash is that of a directory.
	Hash(dir string) string
}

// Purger is a Source whose harness deletes transcripts that did not change for
// long.
type Purger interface {
	Source
	// Keeps is for how long after its last change a transcript below the root is
	// kept; false when the harness keeps it, or does not say.
	Keeps(root Root) (time.Duration, bool)
}
