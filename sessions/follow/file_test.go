package follow

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"yore/sessions/watch"
)

// followed is what was sent, notes in brackets.
type followed struct {
	t    *testing.T
	path string
	got  strings.Builder
	news chan string
	end  chan error
}

func follow(t *testing.T, text string, o Options) *followed {
	t.Helper()
	f := &followed{t: t, path: filepath.Join(t.TempDir(), "log"), news: make(chan string, 100), end: make(chan error, 1)}
	f.write(text)
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		f.end <- File(ctx, f.path, o, func(p Piece) error {
			if p.Note != "" {
				f.news <- "[" + string(p.Note) + "]"
				return nil
			}
			again := make([]byte, len(p.Data))
			if _, err := p.From.ReadAt(again, p.Offset); err != nil || string(again) != string(p.Data) {
				t.Errorf("%q is %q where it is to be read again, %v", p.Data, again, err)
			}
			f.news <- string(p.Data)
			return nil
		})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-f.end; !errors.Is(err, context.Canceled) {
			t.Errorf("ended with %v", err)
		}
	})
	return f
}

func (f *followed) write(text string) {
	f.t.Helper()
	if err := os.WriteFile(f.path, []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

func (f *followed) add(text string) {
	f.t.Helper()
	file, err := os.OpenFile(f.path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = file.WriteString(text)
	}
	if err != nil {
		f.t.Fatal(err)
	}
	file.Close()
}

// until waits until all that was sent is want.
func (f *followed) until(want string) {
	f.t.Helper()
	for f.got.String() != want {
		select {
		case s := <-f.news:
			f.got.WriteString(s)
		case <-time.After(60 * time.Second):
			f.t.Fatalf("sent %q, want %q", f.got.String(), want)
		}
	}
}

// L12: rotation, cutting and absence are seen, and nothing is lost by them.
func TestL12RotationAndTruncation(t *testing.T) {
	f := follow(t, "one\n", Options{Back: All})
	f.until("one\n")
	f.add("tw")
	f.until("one\ntw")
	f.add("o\n")
	if err := os.Rename(f.path, f.path+".1"); err != nil {
		t.Fatal(err)
	}
	f.until("one\ntwo\n[gone]")
	f.write("three\n")
	f.until("one\ntwo\n[gone][back again]three\n")
	next := f.path + ".next"
	if err := os.WriteFile(next, []byte("four\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, f.path); err != nil {
		t.Fatal(err)
	}
	f.until("one\ntwo\n[gone][back again]three\n[rotated]four\n")
	f.write("5\n")
	f.until("one\ntwo\n[gone][back again]three\n[rotated]four\n[truncated]5\n")
}

// A file that was cut and is longer than before already is no grown one.
func TestACutFileThatGrewAgain(t *testing.T) {
	f := &follower{path: filepath.Join(t.TempDir(), "log"), buf: make([]byte, readBytes)}
	var got strings.Builder
	f.send = func(p Piece) error {
		got.WriteString(string(p.Note) + string(p.Data))
		return nil
	}
	for i, text := range []string{"abc\n", "something longer\n"} {
		if err := os.WriteFile(f.path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if i == 0 && f.open() != nil {
			t.Fatal("not opened")
		}
		if err := f.look(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got.String() != "abc\ntruncatedsomething longer\n" {
		t.Errorf("%q", got.String())
	}
}

// A file is begun at a line among its last bytes, and within one where there is only
// that: a log of a single long line is not empty.
func TestBack(t *testing.T) {
	type from struct {
		text string
		back int64
	}
	for at, want := range map[from]string{
		{"one\ntwo\nthree", All}: "one\ntwo\nthree",
		{"one\ntwo\nthree", 0}:   "",
		{"one\ntwo\nthree", 3}:   "ree",
		{"one\ntwo\nthree", 5}:   "three",
		{"one\ntwo\nthree", 6}:   "three",
		{"one\ntwo\nthree", 9}:   "two\nthree",
		{"one\ntwo\nthree", 100}: "one\ntwo\nthree",
		{"one\nlonger\n", 4}:     "ger\n",
		{"one\nlonger\n", 8}:     "longer\n",
	} {
		path, back := filepath.Join(t.TempDir(), "log"), at.back
		if err := os.WriteFile(path, []byte(at.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got := ""
		err := File(t.Context(), path, Options{Back: back, Stop: true}, func(p Piece) error {
			got += string(p.Data)
			return nil
		})
		if err != nil || got != want {
			t.Errorf("the last %d bytes of %q give %q, want %q, %v", back, at.text, got, want, err)
		}
	}
}

// What is written to a file that lost its name and has it again is told by the system, as
// before, whether the name was missed or not.
func TestChangesAreToldAfterTheNameIsBack(t *testing.T) {
	for _, missed := range []bool{true, false} {
		path := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(path, []byte("a\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		f := &follower{path: path, send: func(Piece) error { return nil }, buf: make([]byte, readBytes)}
		look := func() {
			t.Helper()
			if err := f.look(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.open(); err != nil {
			t.Fatal(err)
		}
		f.news, f.lost = watch.NewFile(path), true
		if f.renew(); f.lost {
			t.Error("it is not watched")
		}
		if f.news.Changed() == nil {
			t.Skip("the system tells of no changes")
		}
		rename := func(from, to string) {
			t.Helper()
			if err := os.Rename(from, to); err != nil {
				t.Fatal(err)
			}
		}
		rename(path, path+".away")
		if missed {
			look()
		}
		rename(path+".away", path)
		for quiet := false; !quiet; {
			select {
			case e := <-f.news.Changed():
				f.lost = f.lost || watch.Lost(e)
			case <-time.After(100 * time.Millisecond):
				quiet = true
			}
		}
		look()
		other, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := other.WriteString("b\n"); err != nil {
			t.Error(err)
		}
		_ = other.Close()
		select {
		case <-f.news.Changed():
		case <-time.After(60 * time.Second):
			t.Errorf("missed %v: what is written is not told any more", missed)
		}
		f.news.Close()
		_ = f.file.Close()
	}
}

// Where a file cannot be watched when it is back, that is tried again.
func TestWatchingIsTriedAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	f := &follower{news: watch.NewFile(path), lost: true}
	defer f.news.Close()
	if f.news.Changed() == nil {
		t.Skip("the system tells of no changes")
	}
	if f.renew(); !f.lost {
		t.Error("a file that is not there counts as watched")
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if f.renew(); f.lost {
		t.Error("it is not watched")
	}
}
