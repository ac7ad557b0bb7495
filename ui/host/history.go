package host

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"yore/sessions"
)

const (
	keptQueries  = 1000      // of the history; older ones go
	historyBytes = 256 << 10 // of its file that are read, from its end
)

// Queries are the queries of before that a history file holds, oldest first.
// Without a file, or with one that cannot be read, there are none.
func Queries(path string) []string {
	text, _ := tail(path) // a history that cannot be read is no reason not to search
	var out []string
	for line := range strings.SplitSeq(string(text), "\n") {
		if line != "" {
			out = append(out, line)
		}
	}
	return out[max(0, len(out)-keptQueries):]
}

// tail is the end of a file, from the beginning of a line on.
func tail(path string) ([]byte, error) {
	file, err := sessions.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	from := max(0, info.Size()-historyBytes)
	text, err := io.ReadAll(io.NewSectionReader(file, from, historyBytes))
	if from > 0 {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	return text, err
}

// KeepQueries adds queries to a history file, which only its owner may read. A
// query that was there already moves to the end.
func KeepQueries(path string, queries []string) error {
	if len(queries) == 0 {
		return nil
	}
	all := Queries(path)
	for _, q := range queries {
		q = strings.ReplaceAll(q, "\n", " ")
		all = append(slices.DeleteFunc(all, func(old string) bool { return old == q }), q)
	}
	all = all[max(0, len(all)-keptQueries):]
	return replace(path, []byte(strings.Join(all, "\n")+"\n"))
}

// replace writes a file anew, so that it is whole whatever happens.
func replace(path string, text []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, filepath.Base(path)+"-*") // 0600
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		if gone := os.Remove(file.Name()); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}
