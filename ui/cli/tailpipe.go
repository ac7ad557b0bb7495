package cli

import (
	"os"

	"yore/sessions"
)

// isPipe tells whether name is a pipe in the file system: one with a name of its
// own, or what a shell makes of <(command).
func isPipe(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode()&os.ModeNamedPipe != 0
}

// pipe reads a named pipe until all that write into it are done. It is opened by
// the first Read, since that waits for the first of them.
type pipe struct {
	path string
	file *os.File
}

// Read implements io.Reader.
func (p *pipe) Read(buf []byte) (int, error) {
	if p.file == nil {
		file, err := os.Open(p.path)
		if err != nil {
			return 0, err
		}
		p.file = file
	}
	return p.file.Read(buf)
}

// canFollow fails when path is no file that can be read now.
func canFollow(path string) error {
	file, err := sessions.OpenFile(path)
	if err != nil {
		return usageError{err.Error()}
	}
	_ = file.Close() // nothing was written
	return nil
}
