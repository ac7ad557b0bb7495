package sessions

import (
	"context"
	"slices"
	"time"
)

// A worker collects Updates and hands them on when it has about batchBytes of
// text, or when the oldest has waited for batchTime, or when there is nothing
// more to do: few large batches are cheap to index, and yet search answers
// while reading goes on.
const (
	batchBytes = 2 << 20
	batchTime  = 100 * time.Millisecond
)

// worker reads transcripts, one after the other.
type worker struct {
	l     *Library
	apply func([]Update)

	updates []Update
	bytes   int
	since   time.Time // of the oldest update
	steady  bool      // nothing is saved meanwhile
	read    []outcome // the transcripts that they come from, until they are applied
}

// outcome is a transcript that was looked at.
type outcome struct {
	t        *transcript
	failed   bool
	awaited  bool // see job
	recalled bool // the same
}

// run works until the queue is closed.
func (w *worker) run(ctx context.Context) {
	for {
		t, j := w.next(ctx)
		if t == nil {
			if len(w.read) == 0 {
				return
			}
			w.flush()
			continue
		}
		if len(w.updates) > 0 && j.at.Size > batchBytes {
			w.flush() // what is there need not wait for a long reading
		}
		w.hold()
		w.l.unsaved.begin(t)
		err := w.l.refresh(ctx, t, j, w.add)
		if ctx.Err() != nil {
			w.leave()
			return
		}
		w.read = append(w.read, outcome{t, err != nil, j.awaited, j.recalled})
		if w.bytes >= batchBytes || len(w.updates) > 0 && time.Since(w.since) >= batchTime {
			w.flush()
		}
	}
}

// next is what is to be read next, nil when there is nothing, or too little to wait with
// what was read. What sleeps and is to be read anew comes last, and is not waited for
// with what was read either: a listing that takes long may be in the way.
func (w *worker) next(ctx context.Context) (*transcript, job) {
	for {
		if t, j := w.l.queue.pop(false); t != nil {
			return t, j
		}
		idle := len(w.read) == 0
		if !w.l.renew(ctx, idle) {
			return w.l.queue.pop(idle)
		}
	}
}

func (w *worker) add(u Update) {
	if len(w.updates) == 0 {
		w.since = time.Now()
	}
	w.updates = append(w.updates, u)
	for i := range u.Passages {
		w.bytes += len(u.Passages[i].Text)
	}
	for i := range u.Hung {
		w.bytes += len(u.Hung[i].Text)
	}
	if w.bytes >= batchBytes {
		w.hand()
	}
}

// flush applies what was collected. Only then may another worker read the same
// transcripts: so the Updates of one session never overlap.
func (w *worker) flush() {
	w.hand()
	for _, o := range w.read {
		w.l.settle(o)
	}
	clear(w.read)
	w.read = w.read[:0]
	w.release()
}

// leave applies, of what was collected when the work ends in the middle, what was taken
// back: what is read is read anew at another start, but what gave up a name has another
// by now, and would not take it back then.
func (w *worker) leave() {
	w.updates = slices.DeleteFunc(w.updates, func(u Update) bool { return !u.Removed })
	w.hand()
	w.release()
}

// hold keeps Save from taking up what is half applied, until release.
func (w *worker) hold() {
	if !w.steady {
		w.l.steady.RLock()
		w.steady = true
	}
}

func (w *worker) release() {
	if w.steady {
		w.l.steady.RUnlock()
		w.steady = false
	}
}

func (w *worker) hand() {
	if len(w.updates) > 0 {
		w.apply(w.updates)
	}
	w.updates, w.bytes = nil, 0
}
