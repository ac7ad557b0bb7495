package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"yore/sessions"
)

// copyTries bounds how often a copy is begun again because the database changed
// meanwhile.
const copyTries = 4

// snapshot copies the database at path and its logs into dir, which is private,
// and returns the copy's path. The logs are copied after the database: a log
// that is newer than its database is replayed, an older one would lose what was
// checkpointed between the two. The -shm is rebuilt from the log.
func snapshot(ctx context.Context, path, dir string) (string, error) {
	target := filepath.Join(dir, "copy.db")
	for range copyTries {
		before, err := StampOf(path)
		if err != nil {
			return "", err
		}
		for _, suffix := range []string{"", "-journal", "-wal"} {
			err := copyFile(ctx, path+suffix, target+suffix)
			if errors.Is(err, fs.ErrNotExist) && suffix != "" {
				err = os.RemoveAll(target + suffix)
			}
			if err != nil {
				return "", err
			}
		}
		after, err := StampOf(path)
		if err != nil {
			return "", err
		}
		if before == after {
			return target, nil
		}
	}
	return "", fmt.Errorf("%s kept changing while it was copied", path)
}

func copyFile(ctx context.Context, from, to string) (err error) {
	in, err := sessions.OpenFile(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, reader{ctx, in})
	return err
}

// reader ends a long copy when its context ends.
type reader struct {
	ctx context.Context
	src io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.src.Read(p)
}
