package recall

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

const (
	// searchers is how many goroutines one question uses: one more gains a factor of
	// 1.4 to 1.6 on two free cores, and the screen and the watcher need the rest.
	searchers = 2

	// inlinePassages is up to how many passages a second goroutine costs more than
	// it gains.
	inlinePassages = 8192
)

// perSegment does work for each segment of the corpus, two at a time where there is
// much to do, and returns ctx's error when it ended meanwhile.
func (s *search) perSegment(ctx context.Context, work func(i int)) error {
	return split(ctx, len(s.corpus.segs), s.corpus.passages > inlinePassages, work)
}

// split does work for 0 to n-1, in two goroutines where many says that it is worth
// it. Those not begun when ctx ends are left out.
func split(ctx context.Context, n int, many bool, work func(i int)) error {
	helpers := 0
	if many {
		helpers = min(searchers, n, runtime.GOMAXPROCS(0)) - 1
	}
	var next atomic.Int64
	loop := func() {
		for {
			i := int(next.Add(1)) - 1
			if i >= n || ctx.Err() != nil {
				return
			}
			work(i)
		}
	}
	var others sync.WaitGroup
	for range helpers {
		others.Go(loop)
	}
	loop()
	others.Wait()
	return ctx.Err()
}
