package gather_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"yore/sessions/harness/gather"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/sqlite"
)

// Files beside a database are left out while it cannot be told which of them it has
// too: for the time of a lock, and not where the database stays unreadable.
func TestPassing(t *testing.T) {
	open := func(path string) error {
		return sqlite.With(context.Background(), path, func(*sql.DB) error { return nil })
	}
	broken := filepath.Join(t.TempDir(), "broken.db")
	harnesstest.Write(t, broken, "no database, and longer than the head of one would be, so that it is looked at: "+fmt.Sprint(make([]int, 200)))
	denied := filepath.Join(t.TempDir(), "denied.db")
	harnesstest.Write(t, denied, "")
	if err := os.Chmod(denied, 0); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		err  error
		want bool
	}{
		"none":     {nil, false},
		"busy":     {errors.New("database is locked"), true},
		"damaged":  {open(broken), false},
		"denied":   {fmt.Errorf("open a copy: %w", &fs.PathError{Op: "open", Path: denied, Err: fs.ErrPermission}), false},
		"of a mix": {errors.Join(open(broken), nil), false},
	} {
		if got := gather.Passing(test.err); got != test.want {
			t.Errorf("%s: %v is passing: %v", name, test.err, got)
		}
	}
	if os.Geteuid() > 0 { // root may read all
		if err := open(denied); err == nil || gather.Passing(err) {
			t.Errorf("a denied file: %v", err)
		}
	}
}
