package install

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aymanbagabas/go-udiff"

	"yore/sessions"
)

// ErrRefused is wrapped by the error for a configuration that was left as it is; the
// error names the file and says what to do.
var ErrRefused = errors.New("left as it is")

// Change is what is to become of one configuration file.
type Change struct {
	Agent string
	File  string // as the agent knows it; it may be a link

	before, after []byte
	exists        bool // the file is there
	remove        bool // it is to go: it holds what Put made of nothing
	mode          fs.FileMode
	target        string // of the link, or File
}

// Put is the change by which an agent, named in any spelling, starts the server with
// command, an absolute path and arguments.
func Put(env sessions.Env, called string, command []string) (Change, error) {
	return plan(env, called, func(a agent, c *Change) (err error) {
		c.after, err = a.form.put(c.before, command)
		return err
	})
}

// Drop is the change that takes the server away from an agent. What Put has changed
// and nothing else since comes back byte for byte.
func Drop(env sessions.Env, called string) (Change, error) {
	return plan(env, called, func(a agent, c *Change) error {
		command, err := a.form.command(c.before)
		if err != nil || command == nil {
			c.after = c.before
			return err
		}
		for _, backup := range c.backups() {
			if c.made(a, backup, command) {
				c.after = backup
				return nil
			}
		}
		if c.made(a, nil, command) {
			c.remove, c.after = true, nil
			return nil
		}
		c.after, err = a.form.drop(c.before)
		return err
	})
}

// made tells whether the file is what Put makes of was, and was has no entry.
func (c *Change) made(a agent, was []byte, command []string) bool {
	if old, err := a.form.command(was); err != nil || old != nil {
		return false
	}
	now, err := a.form.put(was, command)
	return err == nil && bytes.Equal(now, c.before)
}

// largest bounds a configuration file, in bytes: Claude Code keeps its history in it. A
// change takes some twenty times as much memory.
const largest = 16 << 20

func plan(env sessions.Env, called string, make func(agent, *Change) error) (Change, error) {
	a, ok := find(called)
	if !ok {
		return Change{}, fmt.Errorf("%w: no agent that can be told of a server is called %q; known are %s", ErrRefused, called, strings.Join(Names(), ", "))
	}
	file, unmade, err := a.file(env)
	if err != nil {
		return Change{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	c := Change{Agent: a.name, File: file, mode: 0o600}
	if err := c.read(); err != nil {
		return c, fmt.Errorf("%s: %w, and %w", file, err, ErrRefused)
	}
	err = make(a, &c)
	if err == nil && unmade != nil && !c.None() {
		return c, fmt.Errorf("%w: %w", ErrRefused, unmade)
	}
	if err == nil && c.exists && c.mode&0o200 == 0 && !c.None() {
		err = errors.New("it is read-only")
	}
	if err != nil {
		return c, fmt.Errorf("%s: %w, and it is %w", file, err, ErrRefused)
	}
	return c, nil
}

// read takes up what the file holds.
func (c *Change) read() error {
	target, err := filepath.EvalSymlinks(c.File)
	if errors.Is(err, fs.ErrNotExist) {
		c.target = c.File
		if _, err := os.Lstat(c.File); err == nil {
			return errors.New("it is a link to nothing")
		}
		return nil
	}
	if err != nil {
		return err
	}
	c.target = target
	f, err := sessions.OpenFile(target)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if c.before, err = io.ReadAll(io.LimitReader(f, largest+1)); err != nil {
		return err
	}
	if len(c.before) > largest {
		return fmt.Errorf("it is longer than %d MB: make it shorter, or tell it of the server by hand", largest>>20)
	}
	c.exists, c.mode = true, info.Mode().Perm()
	return nil
}

// None tells whether nothing is to be done.
func (c Change) None() bool { return !c.remove && bytes.Equal(c.before, c.after) }

// Removes tells whether the file goes.
func (c Change) Removes() bool { return c.remove }

// Diff shows the change, as patch reads it.
func (c Change) Diff() string {
	from, to := c.File, c.File
	if !c.exists {
		from = os.DevNull
	}
	if c.remove {
		to = os.DevNull
	}
	return udiff.Unified(from, to, string(c.before), string(c.after))
}

// backupInfix stands in the name of a copy between the file's name and the time.
const backupInfix = ".yore-backup-"

// backups are the copies of the file, the newest first.
func (c *Change) backups() [][]byte {
	names, err := filepath.Glob(escaped(c.target) + backupInfix + "*")
	if err != nil {
		return nil
	}
	slices.Sort(names)
	slices.Reverse(names)
	var out [][]byte
	for _, n := range names {
		copied := Change{File: n}
		if copied.read() == nil && copied.exists {
			out = append(out, copied.before)
		}
	}
	return out
}

// escaped is a path as a pattern that matches it alone.
func escaped(path string) string {
	var out []rune
	for _, r := range path {
		if r == '*' || r == '?' || r == '[' {
			out = append(out, '[', r, ']')
			continue
		}
		out = append(out, r)
	}
	return string(out)
}

// Apply makes the change, and gives the path of the copy of what was there before, ""
// when nothing was, or nothing but the entry. A file that has changed since it was looked at is left alone.
func (c Change) Apply(now time.Time) (backup string, err error) {
	again := Change{File: c.File}
	if err := again.read(); err != nil {
		return "", fmt.Errorf("%s: %w, and %w", c.File, err, ErrRefused)
	}
	if again.exists != c.exists || again.target != c.target || !bytes.Equal(again.before, c.before) {
		return "", fmt.Errorf("%s: it has changed just now, and it is %w: try again", c.File, ErrRefused)
	}
	switch {
	case c.remove:
		if err := os.Remove(c.target); err != nil {
			return "", fmt.Errorf("%s: %w, and it is %w", c.File, err, ErrRefused)
		}
		return "", nil
	case c.exists:
		backup = c.target + backupInfix + now.UTC().Format("20060102T150405.000Z")
		if err := write(backup, c.before, c.mode); err != nil {
			return "", fmt.Errorf("no copy of %s can be made: %w, and it is %w", c.File, err, ErrRefused)
		}
	default:
		if err := os.MkdirAll(filepath.Dir(c.target), 0o700); err != nil {
			return "", fmt.Errorf("%s: %w", c.File, err)
		}
	}
	if err := write(c.target, c.after, c.mode); err != nil {
		return backup, fmt.Errorf("%s: %w, and it is %w", c.File, err, ErrRefused)
	}
	return backup, nil
}

// write puts data into a file, whole or not at all.
func write(path string, data []byte, mode fs.FileMode) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // it may be gone already
		}
	}()
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
