package claude

import (
	"io/fs"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"yore/sessions"
)

// stamp is that of a file by its name, false when it is no plain one, such as a link.
func (d *directory) stamp(name string) (stamp sessions.Stamp, plain bool, err error) {
	var is unix.Stat_t
	for {
		err = unix.Fstatat(int(d.file.Fd()), name, &is, unix.AT_SYMLINK_NOFOLLOW)
		if err != unix.EINTR {
			break
		}
	}
	if err != nil {
		return stamp, false, &fs.PathError{Op: "lstat", Path: filepath.Join(d.path, name), Err: err}
	}
	return sessions.Stamp{Size: is.Size, Mtime: time.Unix(is.Mtim.Unix()), Inode: is.Ino}, is.Mode&unix.S_IFMT == unix.S_IFREG, nil
}
