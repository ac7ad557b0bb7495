package recall

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"time"

	"yore/recall/index"
	"yore/recall/topic"
	"yore/sessions"
)

// The embedded table is adapted to what is read: in the background, by the process
// that writes the index, once it has read everything and was left in peace for a
// while. The adapted table lies beside the index; all vectors are made anew with it,
// segment by segment, and until a segment has its new ones its old ones are good.
// Another process takes the table up when it meets vectors that it made.

// adaptedName is the file of the adapted table in Config.DataDir.
const adaptedName = "table"

// anyHash asks adaptedTable for whatever table there is.
const anyHash = 0

const (
	// adaptGrowth is how much larger than the corpus that a table was adapted to one
	// is at least for which that is done again: half as large again. A table that
	// knows two thirds of the passages finds nearly as much.
	adaptGrowth = 1.5
	// adaptAfter is how long a process has read everything before it begins, so that
	// a command that ends at once never does, and adaptAgain how often it looks
	// whether it is due.
	adaptAfter = 10 * time.Second
	adaptAgain = 10 * time.Minute
	// remadePause is how often it looks whether all vectors are made.
	remadePause = 200 * time.Millisecond
)

// readAdapted reads the table that lies in a directory. The error wraps
// fs.ErrNotExist when there is none.
func readAdapted(dir string, base *topic.Table) (topic.Adapted, error) {
	f, err := sessions.OpenFile(filepath.Join(dir, adaptedName))
	if err != nil {
		return topic.Adapted{}, err
	}
	defer func() { _ = f.Close() }() // it was only read
	return topic.ReadAdapted(f, base)
}

// adaptedTable is the table that was adapted from base and has this hash; nil when
// there is none, or none that can be used: then it is made again.
func adaptedTable(dir string, base topic.Model, hash uint64) topic.Model {
	table, ok := base.(*topic.Table)
	if !ok || dir == "" {
		return nil
	}
	a, err := readAdapted(dir, table)
	if err != nil || hash != anyHash && a.Table.Hash() != hash {
		return nil
	}
	return a.Table
}

// AdaptedIn is the table in a Config.DataDir that the embedded one was adapted to, with
// the number of passages; ok is false when there is none that can be used.
func AdaptedIn(dataDir string) (a topic.Adapted, ok bool) {
	a, err := readAdapted(dataDir, topic.Embedded())
	return a, err == nil
}

// DropAdapted removes the adapted table, and tells whether there was one. Who reads the
// vectors that it made has them made anew. It is ErrNotWriting that another process writes
// in the directory, which may just put another table there, or a newer yore has.
func DropAdapted(dataDir string) (was bool, err error) {
	was, may, err := index.RemoveFrom(dataDir, adaptedName, topic.Revision)
	if err == nil && !may {
		err = ErrNotWriting
	}
	return was && err == nil, err
}

// What Adapt says when it leaves the table as it is.
var (
	ErrChosenModel = errors.New("only the embedded model is adapted, and another is in use")
	ErrNotWriting  = errors.New("this process does not write the index: another yore does, or its folder cannot be written")
	ErrFewPassages = fmt.Errorf("there are fewer than %d different passages, from which little but chance can be learned", topic.LeastPassages)
	ErrStillFits   = errors.New("it is adapted to nearly as many passages already")
)

// keepAdapting adapts whenever it is due, until ctx ends.
func (e *Engine) keepAdapting(ctx context.Context) {
	wait := adaptAfter
	if e.Wait(ctx) != nil {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		_ = e.Adapt(ctx) // what failed is tried again
		wait = adaptAgain
	}
}

// Adapt adapts the embedded table to the passages that are there, if that is due and
// this process writes the index, and has all vectors made with it. It takes up to
// half a minute of one core and then as long as the vectors take. Without an error
// another table is in use then; else nothing was changed, and the error is one of the
// four above, ctx's, or tells which file could not be written.
func (e *Engine) Adapt(ctx context.Context) error {
	base, ok := e.models.base.(*topic.Table)
	if !ok {
		return ErrChosenModel
	}
	n := e.edition()
	if n.archive == nil || !isClosed(n.archive.opened) || n.archive.note != "" || !n.archive.store.Kept().Writes {
		return ErrNotWriting
	}
	snap := e.snapshot()
	passages := snap.Live(index.Talk) + snap.Live(index.Agents)
	before, err := readAdapted(e.cfg.DataDir, base)
	if err == nil && float64(passages) < adaptGrowth*float64(before.Passages) {
		return ErrStillFits
	}
	table, err := topic.Adapt(ctx, base, talks(ctx, snap))
	if err != nil {
		return err
	}
	if table == base {
		return ErrFewPassages
	}
	if err := e.Keep(); err != nil { // so that the index tells which version adapts tables there
		return err
	}
	adapted := topic.Adapted{Table: table, Passages: passages}
	kept, err := n.archive.store.Put(adaptedName, func(f *os.File) error { return adapted.Write(f, base) })
	switch {
	case err != nil:
		return fmt.Errorf("the adapted table could not be kept: %w", err)
	case !kept:
		return ErrNotWriting
	}
	e.models.use(table)
	return e.Remake(ctx)
}

// Calibrate finds the floor of a model for the passages that are there; see
// topic.Calibrate.
func (e *Engine) Calibrate(ctx context.Context, m topic.Model) (float32, error) {
	return topic.Calibrate(ctx, m, talks(ctx, e.snapshot()))
}

// Remake has all vectors made with the model in use, and kept; until a segment has
// its new ones, its old ones or its words answer.
func (e *Engine) Remake(ctx context.Context) error {
	n := e.edition()
	n.index.Remake()
	tick := time.NewTicker(remadePause)
	defer tick.Stop()
	for !n.index.Remade() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
	e.signal()
	return e.Keep()
}

// talks are the texts of each session's passages in their order.
func talks(ctx context.Context, snap *index.Snapshot) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for ord, entry := range snap.Entries() {
			if ctx.Err() != nil {
				return
			}
			texts := make([]string, 0, entry.Numbered)
			for number := range uint32(entry.Numbered) {
				if ref, ok := snap.At(ord, number); ok {
					texts = append(texts, ref.Seg.Passage(ref.Doc).Text)
				}
			}
			if !yield(texts) {
				return
			}
		}
	}
}
