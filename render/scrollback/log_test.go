package scrollback

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/s2"
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
	if err := l.Err(); err == nil || !strings.HasPrefix(err.Error(), "older lines cannot be kept: no such file") || !strings.Contains(err.Error(), "/nonexistent/folder") {
		t.Errorf("told is %v", err)
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

// What is looked for is found in both directions, in memory, in the file, and at the
// open end; a search ends where there is nothing.
func TestFind(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		l := New(Options{Memory: 1 << 17, Disk: 1 << 20, Folder: folder})
		defer l.Close()
		total := rapid.IntRange(0, 12_000).Draw(t, "rows")
		for i := range total {
			l.Write(0, fmt.Appendf(nil, "%d of many lines, %x\n", i, i*2654435761))
		}
		l.Write(0, []byte("open"))
		_, end := l.Range()
		from := rapid.Int64Range(-2, end+2).Draw(t, "from")
		every := rapid.Int64Range(1, 5000).Draw(t, "every")
		back := rapid.Bool().Draw(t, "back")
		want, found := int64(0), false
		for n := range end {
			if n%every == 0 && (back && n <= from || !back && n >= from && !found) {
				want, found = n, true
			}
		}
		got, ok := l.Find(t.Context(), from, back, func(r Row) bool { return r.Number%every == 0 })
		if got != want || ok != found {
			t.Fatalf("found %d, %v, want %d, %v", got, ok, want, found)
		}
	})
}

// L9: rows are the runs of the whole text, however it is cut and wherever it is kept.
func FuzzRows(f *testing.F) {
	f.Add([]byte("a\na\r\na\r\n\n\n\xffb"), uint8(1), uint16(1))
	f.Add([]byte("same\nsame\nsame\nother"), uint8(3), uint16(40))
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte, cut uint8, memory uint16) {
		l := New(Options{Memory: int(memory) + 1, Folder: folder})
		defer l.Close()
		for rest := text; len(rest) > 0; {
			n := min(len(rest), int(cut)+1)
			l.Write(0, rest[:n])
			rest = rest[n:]
		}
		lines := bytes.Split(text, []byte("\n"))
		open := lines[len(lines)-1]
		lines = lines[:len(lines)-1]
		n := int64(0)
		for at := 0; at < len(lines); n++ {
			count := 1
			for at+count < len(lines) && bytes.Equal(lines[at], lines[at+count]) {
				count++
			}
			if r, ok := l.Row(n); !ok || !bytes.Equal(r.Text, lines[at]) || r.Count != int64(count) || r.Kind != Line {
				t.Fatalf("row %d is %q %d times, want %q %d times", n, r.Text, r.Count, lines[at], count)
			}
			at += count
		}
		if r, ok := l.Row(n); ok != (len(open) > 0) || !bytes.Equal(r.Text, open) {
			t.Fatalf("the open row is %q, want %q", r.Text, open)
		}
	})
}

// What the file gives back is never believed.
func FuzzUnpack(f *testing.F) {
	var b block
	b.add(0, Line, []byte("a line"))
	b.add(1, Note, []byte("rotated"))
	raw, packed := b.pack(nil, nil)
	f.Add(packed, int64(2))
	f.Add(s2.Encode(nil, append([]byte{0xff, 0xff, 0x03}, raw...)), int64(1<<16-1))
	f.Fuzz(func(t *testing.T, packed []byte, count int64) {
		var b block
		if b.unpack(&block{count: count}, packed) != nil {
			return
		}
		for n := range b.count {
			if r := b.row(n); r.Number != n {
				t.Fatalf("row %d is %d", n, r.Number)
			}
		}
	})
}
