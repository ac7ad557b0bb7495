package codex

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/store"
)

// pack compresses as Codex does, in a stream without a size in its header.
func pack(t testing.TB, content io.Reader) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(w, content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// putPacked writes a compressed rollout below a home.
func putPacked(t testing.TB, dir string, content []byte) {
	t.Helper()
	folder := filepath.Join(dir, ".codex", "sessions")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "rollout-2026-07-01T10-00-00-"+parentID+packedSuffix)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestPackedRolloutsKeepWhatPrecedesDamage(t *testing.T) {
	s := newScript().meta(parentID, nil).begin(turnOne).ask("why?").reply("because")
	for i := range 2000 { // several blocks, and nothing for the compression to find
		s.item("function_call_output", obj{"call_id": "x", "output": strings.Repeat(born(ownTurn).String(), 1+i%7)})
	}
	whole := pack(t, strings.NewReader(s.text()))
	for name, c := range map[string]struct {
		content []byte
		talk    bool
	}{
		"cut":           {whole[:len(whole)*2/3], true},
		"damaged":       {append(bytes.Clone(whole[:len(whole)*2/3]), bytes.Repeat([]byte{0xA5}, 4096)...), true},
		"with a tail":   {append(bytes.Clone(whole), "garbage"...), true},
		"garbage":       {[]byte("this is not compressed"), false},
		"empty":         {nil, false},
		"only a header": {whole[:6], false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			putPacked(t, dir, c.content)
			got := read(t, dir)
			talk := short(got.Session(parentID))
			if c.talk && (len(talk) < 2 || talk[0] != "prompt: why?" || talk[1] != "reply: because") {
				t.Errorf("%q", talk)
			}
			if !c.talk && talk != nil {
				t.Errorf("%q", talk)
			}
			if damaged := got.Skipped()["damaged compressed file"]; name != "empty" && damaged != 1 {
				t.Errorf("skipped %v", got.Skipped())
			}
		})
	}
}

// The bounds of store.Unpack.
const (
	maxWindow   = 32 << 20
	leastUnpack = 16 << 20
)

// zeros is an endless line.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

func TestPackedBombIsBounded(t *testing.T) {
	dir := t.TempDir()
	head := newScript().meta(parentID, nil).begin(turnOne).ask("why?").reply("because").text()
	bomb := pack(t, io.MultiReader(strings.NewReader(head), io.LimitReader(zeros{}, 2*leastUnpack)))
	putPacked(t, dir, bomb)
	got := read(t, dir)
	if diff := cmp.Diff([]string{"prompt: why?", "reply: because"}, short(got.Session(parentID))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got.Skipped()["compressed file unpacks to too much"] != 1 {
		t.Errorf("skipped %v of a bomb of %d bytes", got.Skipped(), len(bomb))
	}
}

func TestPackedWindowIsBounded(t *testing.T) {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithWindowSize(2*maxWindow))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(w, io.LimitReader(zeros{}, 3*maxWindow)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	putPacked(t, dir, b.Bytes())
	if got := read(t, dir).Skipped(); got["damaged compressed file"] != 1 {
		t.Errorf("a window of %d bytes was accepted: %v", 2*maxWindow, got)
	}
}

// What is read whole is told once, however often the file changes.
func TestWholeFilesReadAgain(t *testing.T) {
	dir := t.TempDir()
	src := New()
	first := newScript().meta(parentID, nil).begin(turnOne).ask("one").reply("1").done(turnOne)
	putPacked(t, dir, pack(t, strings.NewReader(first.text())))
	r := harnesstest.NewRecorder()
	tr := harnesstest.List(t, src, home(dir))[0]
	mark := harnesstest.ReadOne(t, src, tr, r)
	if mark.Offset != tr.Size {
		t.Errorf("mark at %d of %d", mark.Offset, tr.Size)
	}
	readOn := func(content []byte) {
		t.Helper()
		putPacked(t, dir, content)
		var err error
		if mark, err = src.Read(t.Context(), harnesstest.List(t, src, home(dir))[0], mark, r); err != nil {
			t.Fatal(err)
		}
	}
	readOn([]byte("half of a file that is being written"))
	readOn(pack(t, strings.NewReader(first.begin(turnTwo).ask("two").reply("2").text())))
	want := []string{"prompt: one", "reply: 1", "prompt: two", "reply: 2"}
	if diff := cmp.Diff(want, short(r.Session(parentID))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// One that is not whole is read when it is, and no other kind of document.
func TestObjectFiles(t *testing.T) {
	for content, reason := range map[string]string{
		`{"session":{"id":"x"},"items":[{"type":"message"`: "",
		`[]`:                     "unknown kind of file",
		`{"items":[]}`:           "unknown kind of file",
		strings.Repeat("[", 1e6): "",
		``:                       "",
	} {
		path := filepath.Join(t.TempDir(), "rollout-2025-05-02-"+parentID+objectSuffix)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		r := harnesstest.NewRecorder()
		_, err := New().Read(t.Context(), sessions.Transcript{Path: path, ID: parentID}, sessions.Mark{}, r)
		if unfinished := reason == ""; errors.Is(err, store.ErrUnfinished) != unfinished {
			t.Errorf("%.60s: %v", content, err)
		} else if unfinished {
			continue
		}
		if diff := cmp.Diff(map[string]int{reason: 1}, r.Skipped()); diff != "" {
			t.Errorf("%.60s (-want +got):\n%s", content, diff)
		}
	}
}
