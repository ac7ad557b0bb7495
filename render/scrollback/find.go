package scrollback

import "context"

// Find is the first row from number from on, or back from there where back is set,
// that ok accepts, which must not call the Log. It ends without one with the kept rows, or with ctx.
func (l *Log) Find(ctx context.Context, from int64, back bool, ok func(Row) bool) (n int64, found bool) {
	step := int64(1)
	if back {
		step = -1
	}
	for n = from; ctx.Err() == nil; n += step {
		kept := l.Use(n, func(r Row) { found = ok(r) })
		if !kept {
			first, end := l.Range()
			if !back && n < first {
				n = first - 1 // what stood there is gone
				continue
			}
			if back && n >= end && end > first {
				n = end
				continue
			}
			return 0, false
		}
		if found {
			return n, true
		}
	}
	return 0, false
}
