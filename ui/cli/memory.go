package cli

import (
	"context"
	"runtime"
	"runtime/debug"

	"yore/render/mask"
)

// By how much the heap grows between two collections. What an index keeps in memory
// are numbers, which cost a collection nothing: so a process that searches 200,000
// passages takes the same time of a processor for a key at 20 as at Go's usual 100,
// and 214 MB at 50 become 177 (BenchmarkTyping). A small heap is collected too often
// that way, and a first reading, which makes much that is thrown away, too.
const (
	gcPercent      = 50
	gcPercentLarge = 20
	largeHeap      = 48 << 20 // bytes in use from which on a heap is large
)

// setMemory has little more memory taken than is in use, unless the user says how much
// with GOGC.
func (s Streams) setMemory(percent int) {
	if s.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// settle waits until all is read, then gives back what reading took.
func (a *app) settle(ctx context.Context, e *mask.Engine) {
	if e.Wait(ctx) != nil {
		return
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.HeapAlloc >= largeHeap {
		a.setMemory(gcPercentLarge)
		debug.FreeOSMemory()
	}
}
