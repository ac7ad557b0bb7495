package sessions

import (
	"context"
	"time"
)

// Sleepers that are to be read anew are woken one block after the other, when nothing
// else is to be read: there may be a hundred thousand, and one that is awake takes some
// kilobytes.

// beginRenewal counts them, and lets the workers begin with them.
func (l *Library) beginRenewal() {
	any, transcripts, bytes := l.sleepers.beginRenewal(l.reads)
	if !any {
		return
	}
	l.outstanding.Add(1) // until all are awake
	l.transcripts.Add(int64(transcripts))
	l.bytes.Add(bytes)
}

// reads tells whether there is a source that reads transcripts of a root.
func (l *Library) reads(root Root) bool { return l.sourceOf(root) != nil }

// renew puts the sleepers of one stale block in line if nothing is in line, and tells
// whether something is. Without wait it does nothing where it would have to wait; when ctx
// has ended nothing is read any more, though it may be in line.
func (l *Library) renew(ctx context.Context, wait bool) bool {
	if !l.sleepers.renewing.Load() {
		return false
	}
	if wait {
		l.lulling.Lock()
	} else if !l.lulling.TryLock() {
		return false
	}
	woken, ended := ctx.Err() == nil, false // by another worker
	if woken && l.queue.empty() {
		woken, ended = l.renewBlock()
	}
	l.lulling.Unlock()
	if ended {
		l.arrived()
	}
	return woken
}

// renewBlock does so. It is told by ended, once, that there is none any more. The caller
// holds lulling.
func (l *Library) renewBlock() (woken, ended bool) {
	var line []change
	var gone []*transcript
	woken, ended = l.sleepers.renew(l.reads, func(k *kept) {
		if t := &k.transcript; k.gone {
			l.restore(k, time.Now())
			gone = append(gone, t)
		} else {
			k.due = true // until it is put in line
			l.expect(k)
			l.restore(k, time.Now())
			line = append(line, change{t: t})
		}
	})
	l.queue.line(line)
	for _, t := range gone {
		l.layDownAgain(t)
	}
	return woken, ended
}

// expect counts a sleeper that is to be read anew among what is outstanding.
func (l *Library) expect(k *kept) {
	size := k.at.Size
	k.first = &size
	l.outstanding.Add(1)
}

// layDownAgain makes a sleeper of a transcript of which nothing is to be read, and tells
// whether it did.
func (l *Library) layDownAgain(t *transcript) bool {
	if !l.restful(t) || !l.layDown(t) {
		return false
	}
	l.unsaved.settle(t, false)
	return true
}

// beginRenewal counts what there is in stale blocks of some roots. From then on what
// wakes of them is to be read.
func (s *sleepers) beginRenewal(of func(Root) bool) (any bool, transcripts int, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.blocks {
		if !b.stale || !of(b.root) {
			continue
		}
		any = true
		b.each(func(_ int, d *dormant) bool {
			if !d.gone {
				transcripts++
				bytes += d.at.Size
			}
			return true
		})
	}
	s.renewing.Store(any)
	return any, transcripts, bytes
}

// renew wakes the stale block of some roots in which one changed last. It is told by
// ended, once, that there is none any more.
func (s *sleepers) renew(of func(Root) bool, waker func(*kept)) (woken, ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.renewing.Load() {
		return false, false
	}
	var next *block
	for _, b := range s.blocks {
		if b.stale && of(b.root) && (next == nil || b.newest > next.newest) {
			next = b
		}
	}
	if next == nil {
		s.renewing.Store(false)
		return false, true
	}
	s.wake(next, func(int, *dormant) bool { return true }, waker)
	return true, false
}

// doubt has those of which want is true be read anew.
func (s *sleepers) doubt(want func(d *dormant) bool, number func() uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.numbers() {
		if b := s.blocks[n]; !b.stale {
			var doubtful []*kept
			s.wake(b, func(_ int, d *dormant) bool { return want(d) }, func(k *kept) { doubtful = append(doubtful, k) })
			for _, k := range doubtful {
				k.revision = 0
				s.add(k, number)
			}
		}
	}
}
