package sessions

import (
	"slices"
	"sync"
)

// job says what a transcript is now, for the worker that looks at it next.
type job struct {
	at   Transcript
	gone bool

	again    bool // it is to be read though it did not change
	awaited  bool // and not everything is loaded before it was
	recalled bool // it holds what was called back
}

// queue hands transcripts to workers, each to one at a time. What changed goes
// before what is still to be read for the first time.
type queue struct {
	mu      sync.Mutex
	filled  sync.Cond
	urgent  []*transcript
	backlog []*transcript // in the order in which they are read
	closed  bool
}

func newQueue() *queue {
	q := &queue{}
	q.filled.L = &q.mu
	return q
}

// line puts transcripts that were never read at the end, with what changes tell of
// each.
func (q *queue) line(all []change) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.backlog = slices.Grow(q.backlog, len(all))
	for i := range all {
		c := &all[i]
		c.t.waiting, c.t.due = true, false
		if c.first != nil {
			c.t.ahead = c.first
		}
		if c.at != nil {
			c.t.learn(*c.job())
		}
		q.backlog = append(q.backlog, c.t)
	}
	q.filled.Broadcast()
}

// push puts a transcript at the front. The job says what is known of it now;
// nil leaves that as it was. It is false when the transcript was retired.
func (q *queue) push(t *transcript, j *job) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if t.retired {
		return false
	}
	t.due = false
	if j != nil {
		t.learn(*j)
	}
	q.urge(t)
	return true
}

// press puts a transcript at the front as it is. It tells whether it is waited for from
// now on; want says whether that is asked.
func (q *queue) press(t *transcript, want bool) (awaited bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if t.retired {
		return false
	}
	awaited = want && !t.urged
	t.urged, t.due = t.urged || want, false
	q.urge(t)
	return awaited
}

// learn takes over what is known of a transcript now. That it is to be read all the same
// stays. The caller holds the queue's mu.
func (t *transcript) learn(j job) {
	j.again, j.awaited, j.recalled = t.job.again, t.job.awaited, t.job.recalled
	t.job = j
}

// urge puts a transcript at the front. The caller holds mu.
func (q *queue) urge(t *transcript) {
	t.waiting = true
	if !t.busy {
		q.urgent = append(q.urgent, t)
		q.filled.Signal()
	}
}

// again puts a transcript at the front that is to be read though it did not change, and
// tells whether it was not in line for that. There is no use in it for one that is gone,
// or has yet to be put in line for the first time. It is not in force when the transcript
// was retired.
func (q *queue) again(t *transcript, awaited bool) (taken, inForce bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if t.retired {
		return false, false
	}
	if t.job.again || t.job.gone || t.job.at.Path == "" {
		return false, true
	}
	t.job.again, t.job.awaited = true, awaited
	q.urge(t)
	return true, true
}

// isAgain tells whether t is in line for that, or with a worker.
func (q *queue) isAgain(t *transcript) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return t.job.again || t.anew
}

// recall puts a transcript at the front that holds what was called back, and tells whether
// it was not in line for that.
func (q *queue) recall(t *transcript) (taken bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if t.retired {
		return false
	}
	taken = !t.job.recalled
	t.due, t.job.recalled = false, true
	q.urge(t)
	return taken
}

// expect keeps t from being retired until it is put in line.
func (q *queue) expect(t *transcript) {
	q.mu.Lock()
	defer q.mu.Unlock()
	t.due = true
}

// unexpect takes back that t is going to be put in line.
func (q *queue) unexpect(t *transcript) {
	q.mu.Lock()
	defer q.mu.Unlock()
	t.due = false
}

// retire takes a transcript out of use of which nothing is waited for, and tells whether
// it did.
func (q *queue) retire(t *transcript) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	same := t.job.gone == t.gone && t.job.at.Path == t.at.Path && t.job.at.Same(t.at.Stamp)
	t.retired = same && !t.waiting && !t.busy && !t.due && !t.failed
	return t.retired
}

// state is what push was told last about t, and whether reading it failed.
func (q *queue) state(t *transcript) (j job, failed bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return t.job, t.failed
}

// pop takes the next transcript, which is the caller's until done. Without one
// it waits if told so; it returns nil when there is none, or the queue is
// closed.
func (q *queue) pop(wait bool) (*transcript, job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.closed {
		if t := q.next(); t != nil {
			t.waiting, t.busy = false, true
			t.owing, t.urged, t.anew = t.urged, false, t.job.again
			if t.ahead != nil {
				t.first, t.ahead = t.ahead, nil
			}
			j := t.job
			t.job.again, t.job.awaited, t.job.recalled = false, false, false
			return t, j
		}
		if !wait {
			break
		}
		q.filled.Wait()
	}
	return nil, job{}
}

// empty tells whether nothing is in line.
func (q *queue) empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.urgent)+len(q.backlog) == 0
}

// next leaves out what was handed out already: a transcript can stand in both
// lines, and done brings back what changed while it was read.
func (q *queue) next() *transcript {
	for _, line := range []*[]*transcript{&q.urgent, &q.backlog} {
		for len(*line) > 0 {
			t := (*line)[0]
			(*line)[0] = nil
			*line = (*line)[1:]
			if t.waiting && !t.busy {
				return t
			}
		}
	}
	return nil
}

// done gives a transcript back.
func (q *queue) done(t *transcript, failed bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	t.busy, t.anew, t.failed = false, false, failed
	if t.waiting {
		q.urge(t)
	}
}

// close lets the workers end.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.filled.Broadcast()
}
