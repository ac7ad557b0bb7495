//go:build !linux

package store

import (
	"os"
	"path/filepath"

	"yore/sessions"
)

// Stamp is that of a file by its name, false when it is no plain one, such as a link.
func (f *Folder) Stamp(name string) (stamp sessions.Stamp, plain bool, err error) {
	info, err := os.Lstat(filepath.Join(f.path, name))
	if err != nil {
		return stamp, false, err
	}
	return sessions.StampOf(info), info.Mode().IsRegular(), nil
}
