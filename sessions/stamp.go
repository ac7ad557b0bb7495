package sessions

import "io/fs"

// StampOf is the stamp of a plain file.
func StampOf(info fs.FileInfo) Stamp {
	return Stamp{Size: info.Size(), Mtime: info.ModTime(), Inode: inode(info)}
}

// Same tells whether nothing changed between two stamps.
func (s Stamp) Same(o Stamp) bool {
	return s.Size == o.Size && s.Mtime.Equal(o.Mtime) && s.Inode == o.Inode && s.Extra == o.Extra
}
