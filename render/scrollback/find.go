package scrollback

import (
	"context"
	"slices"
)

// Find is the first row from number from on, or back from there where back is set,
// that ok accepts, which must not call the Log. It ends without one with the kept
// rows, or with ctx.
func (l *Log) Find(ctx context.Context, from int64, back bool, ok func(Row) bool) (n int64, found bool) {
	step := int64(1)
	if back {
		step = -1
	}
	for more := true; more && ctx.Err() == nil; {
		if n, found, more = l.findIn(from, step, ok); found {
			return n, true
		}
		from = n
	}
	return 0, false
}

// findIn looks through the block that row n is in, so that writers wait no longer than
// for one. It returns the row that ok accepts, else the row to go on with and whether
// there is one.
func (l *Log) findIn(n, step int64, ok func(Row) bool) (next int64, found, more bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	first, end := l.closed()
	if n >= end {
		rows := l.open()
		if step < 0 {
			slices.Reverse(rows)
		}
		for _, r := range rows {
			if (r.Number-n)*step >= 0 && ok(r) {
				return r.Number, true, false
			}
		}
		return end - 1, false, step < 0 && end > first
	}
	if n < first { // what stood there is gone
		return first, false, step > 0
	}
	b := l.blockOf(n)
	for ; b != nil && n >= b.first && n < b.end(); n += step {
		if ok(b.row(n)) {
			return n, true, false
		}
	}
	return n, false, b != nil
}
