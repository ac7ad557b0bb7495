//go:build !unix

package recall

import "time"

// cpuTime is not known here.
func cpuTime() time.Duration { return 0 }
