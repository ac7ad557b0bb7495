package recall

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// frozen is a copy of an index that an earlier version wrote.
func frozen(t *testing.T, version string) (data string) {
	t.Helper()
	from, err := filepath.Abs(filepath.Join("testdata", "formats", version))
	if err != nil {
		t.Fatal(err)
	}
	data = t.TempDir()
	if err := os.CopyFS(data, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return data
}

// A new version takes over what an earlier one kept: sessions that are gone from disk
// are there, are found by their words and read with what hangs on them, whether they
// were deleted before or after the last run of the earlier version. It is so at once
// after a new start too, and nothing of the earlier version's is left.
func TestIndexesOfFormerFormats(t *testing.T) {
	for _, version := range []string{"v1", "v2"} {
		t.Run(version, func(t *testing.T) {
			data := frozen(t, version)
			t.Chdir(t.TempDir())
			if err := os.Mkdir("plain", 0o700); err != nil {
				t.Fatal(err)
			}
			here := "The porcelain scheduler waits for both queues.\n$ go test ./scheduler\n$ ok scheduler 0.2s\n"
			for name, text := range map[string]string{"here": here, "rewritten": "A newer remark about quince.\n"} {
				if err := os.WriteFile(filepath.Join("plain", name+".log"), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 {
				e := Open(keptConfig("plain", data))
				if got := len(entries(e.edition().index.Snapshot())); got != 5 {
					t.Errorf("%d sessions are there at once, want 5", got)
				}
				sameAsFresh(t, e, "plain")
				checkFrozen(t, e)
				if err := e.Close(); err != nil {
					t.Fatal(err)
				}
				if notes := e.Status().Notes; len(notes) > 0 {
					t.Error(notes)
				}
			}
			kept := newestFiles(t, data)
			if slices.Contains(kept, "0000000000000005.seg") || slices.Contains(kept, "0000000000000001.log") {
				t.Errorf("files of the earlier version are left: %q", kept)
			}
		})
	}
}

func newestFiles(t *testing.T, dir string) (names []string) {
	t.Helper()
	all, err := fs.ReadDir(os.DirFS(dir), ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		names = append(names, e.Name())
	}
	return names
}

// checkFrozen checks what the frozen indexes hold of sessions that are gone.
func checkFrozen(t *testing.T, e *Engine) {
	t.Helper()
	for word, id := range map[string]string{
		"compaction": "deleted", "gondola": "side-deleted", "marmalade": "vanishing", "quince": "rewritten",
		"porcelain": "here", "lanterns": "",
	} {
		a := ask(t, e, Query{Text: word + " agents:on"})
		if len(a.Hits) == 0 != (id == "") {
			t.Errorf("%s: %d hits, notes %q", word, len(a.Hits), a.Notes)
			continue
		}
		if id == "" {
			continue
		}
		gone := id != "here" && id != "rewritten"
		if h := a.Hits[0]; h.Session.ID != id || h.Gone != gone {
			t.Errorf("%s is found in %s, gone %v", word, h.Session.ID, h.Gone)
		}
	}
	r, err := e.Read(t.Context(), Locator{Session: "deleted"}, 9)
	if err != nil {
		t.Fatal(err)
	}
	if tools := r.Passages[0].Tools; r.Of < 2 || len(r.Passages) != r.Of || len(tools) != 2 || tools[1].Output != "$ writer.go:42: harbour\n" {
		t.Errorf("%d of %d passages, tools %+v", len(r.Passages), r.Of, tools)
	}
}
