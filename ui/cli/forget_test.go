package cli

import (
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"yore/recall"
)

// Where the index's folder cannot be written, one sentence says that nothing was
// forgotten, why, and what to do. What was forgotten, though its text is still there, is
// not called so.
func TestWhyNothingIsForgotten(t *testing.T) {
	denied := &fs.PathError{Op: "open", Path: "/data/yore/tombstones", Err: syscall.EROFS}
	for want, err := range map[string]error{
		"nothing was forgotten: open /data/yore/tombstones: read-only file system; make /data/yore writable, or set XDG_DATA_HOME to a folder that is": fmt.Errorf("%w: %w", recall.ErrNotForgotten, denied),
		"nothing was forgotten: the disk is full":                            fmt.Errorf("%w: the disk is full", recall.ErrNotForgotten),
		"not removed yet: open /data/yore/tombstones: read-only file system": fmt.Errorf("not removed yet: %w", denied),
	} {
		if got := notForgotten(err, "/data/yore").Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
