package index

import (
	"sync"
	"sync/atomic"
)

// Scope parts what is searched, so that the bulk of one kind of text costs the
// search of another nothing.
type Scope uint8

// The scopes. A passage stands in Talk or Agents, a hung turn in Tools.
const (
	Talk   Scope = iota // the conversation of sessions
	Agents              // the conversation of sub-agents
	Tools               // thinking, tool calls and their outputs; without words until Index.IndexTools
	scopes
)

// Options say what an Index keeps beside words and text.
type Options struct {
	// Model gives the model that vectors are made with from now on. Where it gives
	// another one than before, those that there are stay as they are until Remake has
	// replaced them. Nil means that no vectors are kept.
	Model func() *Model
	// Known gives another model whose vectors are good until they are replaced, nil
	// when the hash is none's. Without it there is no other.
	Known func(hash uint64) *Model
	// Table is the revision of the embedded table that this program has, whichever model
	// is chosen: a directory in which one with a higher revision has written is left to it.
	Table uint32
	// Parts adds up to three vectors to a passage of more than 500 characters,
	// one for each 400 or so: four times the embedding work.
	Parts bool
	// Brief: the process ends as soon as it has answered, so that nothing is merged or made
	// anew in the background which takes long, but for words without which nothing is found.
	Brief bool
}

// Model makes vectors.
type Model struct {
	Hash uint64 // names what Embed does: vectors of different models never meet
	Dim  int
	// Embed writes the unit vector of text to dst, which has Dim elements, or
	// reports false when it knows no word of it. It is called by several
	// goroutines at once.
	Embed func(text string, dst []int8) bool
}

// model is the one in use, nil when there is none.
func (x *Index) model() *Model {
	if x.opts.Model == nil {
		return nil
	}
	return x.opts.Model()
}

// known is the model with a hash, nil when it is none's whose vectors are good.
func (x *Index) known(hash uint64) *Model {
	if m := x.model(); m == nil || m.Hash == hash {
		return m
	}
	if x.opts.Known == nil {
		return nil
	}
	return x.opts.Known(hash)
}

// Remake makes the vectors of all passages anew that are not the present model's, in
// the background and one segment after the other, so that each has vectors of one
// model at all times. Remade tells whether that is done.
func (x *Index) Remake() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.mergeSoon()
}

// Remade tells whether all vectors are the present model's.
func (x *Index) Remade() bool {
	m := x.model()
	if m == nil {
		return true
	}
	for scope, segs := range x.Snapshot().segs {
		for _, s := range segs {
			if Scope(scope) != Tools && s.vectors.model != m.Hash {
				return false
			}
		}
	}
	return true
}

// Index takes Updates and gives Snapshots. All its methods are safe for use by
// several goroutines.
type Index struct {
	opts  Options
	names names
	cache *recordCache
	now   atomic.Pointer[Snapshot]

	mu      sync.Mutex // held to publish, never while text is cut or merged
	written uint64     // segments published so far; the last one's ID
	merging bool       // a goroutine merges
	lost    []loss     // files that Heal found unusable, until the Store takes them
	lacks   bool       // text was in them

	doubtful bool // what was read of files may lack something, or be replaced

	tools   atomic.Bool   // the words of Tools are wanted
	jobMu   sync.Mutex    // held by who does a job of merging; before mergeMu
	mergeMu sync.Mutex    // held by who puts others in the place of segments
	aside   []*Segment    // a group of which something is made meanwhile; under mergeMu
	urgent  atomic.Int32  // how many want jobMu who may not wait for what takes long
	relaxed chan struct{} // closed when one of them has ended; under mu
	fresh   freshTexts
	relieve atomic.Pointer[func()] // as Relieve has it
	dir     atomic.Pointer[string] // where a Store keeps it
	work    sync.WaitGroup
	closed  atomic.Bool
}

// New makes an empty index.
func New(o Options) *Index {
	x := &Index{opts: o, cache: newRecordCache(), relaxed: make(chan struct{})}
	x.now.Store(&Snapshot{names: &x.names})
	return x
}

// Snapshot is the corpus as it stands: every Update applied so far whole, none
// in part. It costs nothing to take and never changes.
func (x *Index) Snapshot() *Snapshot { return x.now.Load() }

// IndexTools makes what is in Tools searchable by words: in the background what
// was taken in so far, and from now on whatever comes. Until then Tools holds
// texts alone, to be read with their passages. Tool outputs are many times the
// conversation and nobody searches them by default, so call it when the first
// reading is complete, or when they are searched for the first time.
func (x *Index) IndexTools() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.tools.Store(true)
	x.mergeSoon()
}

// Close ends the merging in the background and waits for it. Snapshots stay
// good, and Apply goes on to work, but nothing is merged any more.
func (x *Index) Close() {
	x.mu.Lock()
	x.closed.Store(true)
	x.mu.Unlock()
	x.work.Wait()
}

// segment makes content part of the index. The caller holds mu.
func (x *Index) segment(c *content) *Segment {
	x.written++
	c.id = x.written
	return newSegment(c, x.cache)
}
