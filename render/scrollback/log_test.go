package scrollback

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// kept is the bytes that a Log's rows stand for.
func kept(t interface{ Fatalf(string, ...any) }, l *Log) []byte {
	var out []byte
	first, end := l.Range()
	for n := first; n < end; n++ {
		r, ok := l.Row(n)
		if !ok || r.Number != n {
			t.Fatalf("row %d of %d..%d: %v, %v", n, first, end, r.Number, ok)
		}
		switch r.Kind {
		case Line:
			out = append(out, bytes.Repeat(append(r.Text, '\n'), int(r.Count))...)
		case Part, Open:
			out = append(out, r.Text...)
		}
	}
	return out
}

// L9, L11: however the bytes come, and wherever they are kept, the rows stand for
// exactly them.
func TestL11RowsStandForTheExactBytes(t *testing.T) {
	line := rapid.SampledFrom([]string{"", "a", "a", "b\r", "same", "same", "\xff\x00é", "[×3 identical lines]", "long " + strings.Repeat("0123456789", 3000)})
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(strings.Join(rapid.SliceOfN(line, 0, 80).Draw(t, "lines"), "\n"))
		l := New(Options{Memory: rapid.IntRange(1, 1<<18).Draw(t, "memory"), Folder: folder})
		defer l.Close()
		for rest := text; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
			l.Write(0, rest[:n])
			rest = rest[n:]
		}
		if got := kept(t, l); !bytes.Equal(got, text) {
			t.Fatalf("kept %q of %q", got, text)
		}
		if lines, size := l.Size(); lines != int64(bytes.Count(text, []byte("\n"))) || size != int64(len(text)) {
			t.Fatalf("counted %d lines and %d bytes of %q", lines, size, text)
		}
	})
}

// What does not fit any more goes, the oldest first; what is left is whole.
func TestTheOldestGoes(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		l := New(Options{Memory: 1 << 17, Disk: rapid.Int64Range(1, 1<<15).Draw(t, "disk"), Folder: folder})
		defer l.Close()
		var all strings.Builder
		for i := range rapid.IntRange(1, 20_000).Draw(t, "lines") {
			fmt.Fprintf(&all, "%d of many lines, %x\n", i, i*2654435761)
		}
		l.Write(0, []byte(all.String()))
		if got := kept(t, l); len(got) == 0 || !strings.HasSuffix(all.String(), string(got)) {
			t.Fatalf("kept %d bytes that are not the end of %d", len(got), all.Len())
		}
	})
}

// L7: what follows the last newline is no line yet.
func TestL7AnOpenLineIsNotCounted(t *testing.T) {
	l := New(Options{})
	l.Write(0, []byte("a\na\na"))
	if r, _ := l.Row(0); r.Count != 2 {
		t.Errorf("counted %d", r.Count)
	}
	if r, ok := l.Row(1); !ok || r.Kind != Open || string(r.Text) != "a" {
		t.Errorf("the open line is %v, %v", r, ok)
	}
	l.Write(0, []byte("\n"))
	if r, _ := l.Row(0); r.Count != 3 {
		t.Errorf("counted %d", r.Count)
	}
	l.Write(0, []byte("b"))
	l.End(0)
	if r, ok := l.Row(1); !ok || r.Kind != Line || string(r.Text) != "b" {
		t.Errorf("at the end there is %v, %v", r, ok)
	}
}

// L12: what happened to the file ends the run.
func TestL12ANoteEndsTheRun(t *testing.T) {
	l := New(Options{})
	l.Write(0, []byte("a\na\n"))
	l.Note(0, "rotated")
	l.Write(0, []byte("a\n"))
	var got []string
	_, end := l.Range()
	for n := range end {
		r, _ := l.Row(n)
		got = append(got, fmt.Sprint(r.Kind, r.Count, string(r.Text)))
	}
	if want := []string{"0 2a", "2 1rotated", "0 1a"}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Several sources keep the order in which their lines came.
func TestSourcesTakeTurns(t *testing.T) {
	l := New(Options{})
	for _, w := range []struct {
		id   int
		text string
	}{{0, "a\na\nop"}, {1, "a\n"}, {0, "en\na\n"}, {0, "a\n"}} {
		l.Write(w.id, []byte(w.text))
	}
	var got []string
	_, end := l.Range()
	for n := range end {
		r, _ := l.Row(n)
		got = append(got, fmt.Sprint(r.Source, r.Count, string(r.Text)))
	}
	if want := []string{"0 2a", "1 1a", "0 1open", "0 2a"}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The temporary file is its owner's alone, and gone at the end.
func TestTheFileIsPrivateAndGoes(t *testing.T) {
	folder := t.TempDir()
	l := New(Options{Memory: 1, Folder: folder})
	for i := range 10_000 {
		l.Write(0, fmt.Appendf(nil, "line %d\n", i))
	}
	if l.file.file == nil {
		t.Fatal("there is no file")
	}
	info, err := l.file.file.Stat()
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may do %v, %v", info.Mode(), err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(folder); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

// A file that cannot be made costs what is old, and is told.
func TestWithoutAFileTheNewestStays(t *testing.T) {
	l := New(Options{Memory: 1, Folder: "/nonexistent/folder"})
	for i := range 10_000 {
		l.Write(0, fmt.Appendf(nil, "line %d\n", i))
	}
	if l.Err() == nil {
		t.Error("nothing is told")
	}
	if got := string(kept(t, l)); !strings.HasSuffix(got, "line 9998\nline 9999\n") {
		t.Errorf("the newest is not kept: %q", got[max(0, len(got)-50):])
	}
}

func BenchmarkWrite(b *testing.B) {
	var text []byte
	for i := 0; len(text) < 8<<20; i++ {
		text = fmt.Appendf(text, "2026-05-20T10:00:%02d.%03d INFO worker %d took a request of /api/items/%d and answered 200 in %d ms\n", i%60, i%1000, i%8, i*7919, i%97)
	}
	l := New(Options{Folder: b.TempDir()})
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for at := 0; at < len(text); at += 1 << 16 {
			l.Write(0, text[at:min(len(text), at+1<<16)])
		}
	}
	b.StopTimer()
	l.Close()
}
