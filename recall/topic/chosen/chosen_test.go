package chosen

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"yore/recall/topic"
)

// tiny is a model of four words in three dimensions.
func tiny() fstest.MapFS {
	header := `{"embeddings":{"dtype":"F32","shape":[4,3],"data_offsets":[0,48]}}`
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	b = append(b, header...)
	for i := range 12 {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(i%5)-1))
	}
	return fstest.MapFS{
		"config.json": {Data: []byte(`{"model_type":"model2vec"}`)},
		"tokenizer.json": {Data: []byte(`{"normalizer":{"type":"BertNormalizer","lowercase":true},"pre_tokenizer":{"type":"BertPreTokenizer"},
			"model":{"type":"WordPiece","unk_token":"[UNK]","vocab":{"[PAD]":0,"[UNK]":1,"cache":2,"index":3}}}`)},
		"model.safetensors": {Data: b},
	}
}

func half(context.Context, topic.Model) (float32, error) { return .5, nil }

func TestUseAndDrop(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if m, err := Open(dir); m != nil || err != nil {
		t.Fatalf("nothing was chosen: %v, %v", m, err)
	}
	for _, name := range []string{"first", "second"} { // one takes the other's place
		if _, err := Use(t.Context(), dir, tiny(), name, half); err != nil {
			t.Fatal(err)
		}
		m, err := Open(dir)
		if err != nil || m.Name != name || m.Floor() != .5 || m.Dim() != 3 {
			t.Fatalf("%+v, %v", m, err)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("%v, %v: copies were left", left, err)
	}
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if info, infoErr := e.Info(); infoErr == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s may be read by others", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if was, err := Drop(dir); !was || err != nil {
		t.Fatal(was, err)
	}
	if was, err := Drop(dir); was || err != nil {
		t.Fatal(was, err)
	}
}

// TestBadModelsChangeNothing: a folder that is no model, or a floor that is not
// found, leaves what was chosen before.
func TestBadModelsChangeNothing(t *testing.T) {
	dir := t.TempDir()
	if _, err := Use(t.Context(), dir, tiny(), "good", half); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{
		"config.json": `{"model_type":"bert"}`, "tokenizer.json": `[]`, "model.safetensors": "\xff\xff\xff\xff\xff\xff\xff\x7f{}",
	} {
		bad := tiny()
		bad[file] = &fstest.MapFile{Data: []byte(text)}
		if _, err := Use(t.Context(), dir, bad, "bad", half); err == nil {
			t.Errorf("a model with a bad %s was taken", file)
		}
		delete(bad, file)
		if _, err := Use(t.Context(), dir, bad, "bad", half); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("without %s: %v", file, err)
		}
	}
	fails := func(context.Context, topic.Model) (float32, error) { return 0, context.Canceled }
	if _, err := Use(t.Context(), dir, tiny(), "bad", fails); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if m, err := Open(dir); err != nil || m.Name != "good" {
		t.Errorf("%+v, %v", m, err)
	}
}

// TestDamagedChoice: what was changed since it was chosen is not used.
func TestDamagedChoice(t *testing.T) {
	for file, text := range map[string]string{factsFile: "{", "config.json": "{}"} {
		dir := t.TempDir()
		if _, err := Use(t.Context(), dir, tiny(), "x", half); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, folder, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if m, err := Open(dir); err == nil {
			t.Errorf("with %q as %s it is %+v", text, file, m)
		}
	}
}

// A floor that everything reaches, as earlier versions gave to models of hardly any words,
// is none.
func TestFloorThatEverythingReaches(t *testing.T) {
	dir := t.TempDir()
	calibrate := func(context.Context, topic.Model) (float32, error) { return 0, nil }
	if _, err := Use(t.Context(), dir, tiny(), "x", calibrate); err != nil {
		t.Fatal(err)
	}
	if m, err := Open(dir); err == nil || !strings.Contains(err.Error(), "floor") {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestFetch(t *testing.T) {
	files := tiny()
	hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, ok := strings.CutPrefix(r.URL.Path, "/owner/model/resolve/main/")
		if !ok || files[name] == nil {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(files[name].Data)
	}))
	defer hub.Close()
	into, told := t.TempDir(), ""
	if err := Fetch(t.Context(), hub.URL, "owner/model", into, func(file string, n int64) { told = fmt.Sprint(file, " ", n) }); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprint("model.safetensors ", len(files["model.safetensors"].Data)); told != want {
		t.Errorf("the last that was told is %q, not %q", told, want)
	}
	if _, err := Use(t.Context(), t.TempDir(), os.DirFS(into), "owner/model", half); err != nil {
		t.Error(err)
	}
	quiet := func(string, int64) {}
	for _, name := range []string{"", "model", "../model", "owner/../x", "owner/model/more", "owner/mo del", "-x/y"} {
		if err := Fetch(t.Context(), hub.URL, name, t.TempDir(), quiet); !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if err := Fetch(t.Context(), hub.URL, "owner/other", t.TempDir(), quiet); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("a model that is not there: %v", err)
	}
	files["config.json"] = &fstest.MapFile{Data: make([]byte, 1<<20)}
	if err := Fetch(t.Context(), hub.URL, "owner/model", t.TempDir(), quiet); err == nil || !strings.Contains(err.Error(), "larger") {
		t.Errorf("a file that is too large: %v", err)
	}
}

// Where the data's folder cannot be one, none was chosen.
func TestNoFolderIsNoChoice(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(t.TempDir(), strings.Repeat("long", 2000))} {
		if m, err := Open(dir); m != nil || err != nil {
			t.Errorf("%.40s: %v, %v", dir, m, err)
		}
	}
}
