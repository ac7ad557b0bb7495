//go:build unix

package ui

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"yore/model/modeltest"
)

// inPieces is what is read of text whose pieces are sent one after another, each once
// the one before was read but for its torn end.
func inPieces(t *testing.T, size int, pieces ...string) []string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	go func() {
		defer func() { _ = w.Close() }()
		for _, p := range pieces {
			_, _ = w.WriteString(p)
			time.Sleep(10 * time.Millisecond)
		}
	}()
	var got []string
	in := &whole{File: r, patient: patience{time.Minute, time.Minute, time.Minute}, begun: time.Now()}
	for {
		p := make([]byte, size)
		n, err := in.Read(p)
		if n > 0 {
			got = append(got, string(p[:n]))
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Error(err)
			}
			return got
		}
	}
}

// No piece of an answer, of a place of the mouse, of a character or of the end of a
// paste is read by itself, wherever it is cut.
func TestInputInPieces(t *testing.T) {
	for _, text := range []string{
		"\x1b]11;rgb:1a1a/1b1b/2626\x1b\\", "\x1b]11;rgb:ffff/ffff/ffff\a", "\x1b[<35;104;12M", "\x1b[?2027;2$y", "ตำ", "\x1b[201~",
	} {
		for cut := 1; cut < len(text); cut++ {
			got := inPieces(t, 4096, text[:cut], text[cut:])
			if text == "ตำ" && cut%3 == 0 { // between two characters
				continue
			}
			if len(got) != 1 || got[0] != text {
				t.Errorf("cut at %d: read %q, want %q", cut, got, text)
			}
		}
	}
}

// Nothing is lost where there is no room, and a part without a rest is left out.
func TestInputWithoutRoom(t *testing.T) {
	text := strings.Repeat("ตำ\x1b[<35;104;12M", 400)
	got := inPieces(t, 64, text)
	if all := strings.Join(got, ""); all != text {
		t.Errorf("read %d bytes, want %d: %q", len(all), len(text), all)
	}
	for _, g := range got {
		if part, kind := tornEnd([]byte(g)); kind == torn {
			t.Errorf("%q is torn by itself", part)
		}
	}
	if got := inPieces(t, 64, "cache\x1b[<35;1"); strings.Join(got, "") != "cache" {
		t.Errorf("read %q, want what stands before the torn end", got)
	}
}

// What comes in pieces to the running program is no text in its query.
func TestAnswerInPieces(t *testing.T) {
	defer func(was patience) { usualPatience = was }(usualPatience)
	usualPatience = patience{time.Minute, time.Minute, time.Minute}
	s := inTerminal(t, modeltest.New(), "cache", 80, 24)
	s.until(t, "Sharded")
	for _, piece := range []string{"\x1b", "]11;rgb:ff", "ff/ffff/ffff", "\x1b", "\\\x1b[<35", ";10;5", "M layout"} {
		_, _ = io.WriteString(s.keys, piece)
		time.Sleep(100 * time.Millisecond) // longer than Bubble Tea waits
	}
	s.until(t, "❯ cache layout")
}
