package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"yore/sessions"
	"yore/sessions/jsonl"
)

// The longest documents that are read. They are held whole in memory; real
// sessions have a few megabytes, files beside them a few kilobytes.
const (
	maxDocument = 64 << 20
	maxSidecar  = 4 << 20
)

// ErrUnfinished says that a file is not a whole JSON document. Harnesses rewrite
// documents in place, so that half of one may be met: a reader that returns this
// error before it sent anything leaves what was known of the sessions as it was,
// and the file is read again when it changes.
//
// A document that is whole is read from its beginning whenever it changed, for
// which its reader returns the zero Mark.
var ErrUnfinished = errors.New("not a whole JSON document")

// errTooLong says that a file is longer than what is read of its kind.
var errTooLong = errors.New("not read")

// recently is how long ago the last write of a file is that its harness may still be at.
const recently = time.Minute

// Recent tells whether a file was written not long ago, or cannot be looked at: what it
// lacks may be written yet.
func Recent(path string) bool {
	info, err := os.Stat(path)
	return err != nil || time.Since(info.ModTime()) < recently
}

// Document is the JSON document in a file. The error wraps ErrUnfinished when
// there is none.
func Document(path string) (string, error) { return document(path, maxDocument) }

// Sidecar is the JSON document in a small file beside transcripts; "" when it
// cannot be read.
func Sidecar(path string) string {
	doc, err := document(path, maxSidecar)
	if err != nil {
		return ""
	}
	return doc
}

// Small is the text of a small file beside transcripts, or why there is none.
func Small(path string) (string, error) {
	text, err := content(path, maxSidecar)
	if err != nil {
		return "", err
	}
	return strings.ToValidUTF8(text, "\uFFFD"), nil
}

func document(path string, limit int64) (string, error) {
	doc, err := content(path, limit)
	if err != nil {
		return "", err
	}
	if !jsonl.Valid(doc) {
		return "", fmt.Errorf("%s is %w", path, ErrUnfinished)
	}
	return doc, nil
}

// content is the text of a plain file without a byte order mark.
func content(path string, limit int64) (string, error) {
	file, err := sessions.OpenFile(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }() // only read
	var b strings.Builder
	n, err := io.Copy(&b, io.LimitReader(file, limit+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("read %s: %w", path, err)
	case n > limit:
		return "", fmt.Errorf("%s is longer than %d MB and %w", path, limit>>20, errTooLong)
	}
	return strings.TrimPrefix(b.String(), "\uFEFF"), nil
}

// Spilled is an output that was too long for a transcript and stands in a file
// of its own: name is the transcript's word, which may hold another machine's
// path, so it counts only where, links followed, it names a plain file in dir.
func Spilled(dir, name string) (string, bool) {
	own, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", false
	}
	real, err := filepath.EvalSymlinks(filepath.Join(own, name[strings.LastIndexAny(name, `/\`)+1:]))
	if err != nil || filepath.Dir(real) != own {
		return "", false
	}
	text, err := content(real, maxDocument)
	return strings.ToValidUTF8(text, "\uFFFD"), err == nil
}
