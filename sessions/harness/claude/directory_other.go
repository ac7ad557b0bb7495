//go:build !linux

package claude

import (
	"os"
	"path/filepath"

	"yore/sessions"
)

// stamp is that of a file by its name, false when it is no plain one, such as a link.
func (d *directory) stamp(name string) (stamp sessions.Stamp, plain bool, err error) {
	info, err := os.Lstat(filepath.Join(d.path, name))
	if err != nil {
		return stamp, false, err
	}
	return sessions.StampOf(info), info.Mode().IsRegular(), nil
}
