package cursor_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/cursor"
	"yore/sessions/harness/harnesstest"
)

// A chat says where it was had in its root, when nothing beside it does, and may
// keep its header as it is.
func TestChatAlone(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	if err := os.Remove(filepath.Join(home, filepath.Dir(chat), "meta.json")); err != nil {
		t.Fatal(err)
	}
	s := said(t, home, invoice)
	if s.Directory != parcel || s.Title != "Invoice uuid migration" || s.TimeFrom != sessions.TimeMtime || !s.Start.Equal(harnesstest.Day("2026-05-20 08:02:11")) {
		t.Errorf("%+v", s.Session)
	}
}

// On Linux the command line keeps its chats among the settings of all programs.
func TestChatsOnLinux(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	if err := os.MkdirAll(filepath.Join(home, ".config/cursor"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(home, ".cursor/chats"), filepath.Join(home, ".config/cursor/chats")); err != nil {
		t.Fatal(err)
	}
	moved := strings.Replace(chat, ".cursor", ".config/cursor", 1)
	if diff := cmp.Diff([]string{moved}, where(t, cursor.New(), home, invoice)); diff != "" {
		t.Error(diff)
	}
	if s := said(t, home, invoice); s.Directory != parcel || len(s.Resume) != 3 {
		t.Errorf("%+v", s.Session)
	}
}

// A chat of a sub-agent names the one that it works for.
func TestChatOfSubagent(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	harnesstest.Exec(t, filepath.Join(home, chat), `UPDATE meta SET value = '{"latestRootBlobId":"92c15ef870a26001a347ab1ecd93b9e8aa0cc3214e50e5cf5b5bcbd9eaa4da1a","subagentInfo":{"parentAgentId":"p"}}'`)
	if s := said(t, home, invoice); !s.Subagent || s.Parent != "p" || s.Resume != nil {
		t.Errorf("%+v", s.Session)
	}
}

// Where a chat was had that says nothing of it is told by its folder's name, which is
// the hash of that: by a directory that is known from elsewhere, or by another chat of
// the same folder. Another hash tells nothing, whatever the other chat says.
func TestChatByItsHash(t *testing.T) {
	t.Parallel()
	message := strings.Repeat("ab", 32)
	for name, c := range map[string]struct{ made, used, sibling, want string }{
		"where it is used": {made: "/home/mira/web", used: "/home/mira/web", want: "/home/mira/web"},
		"above that":       {made: "/home/mira/web", used: "/home/mira/web/src/x", want: "/home/mira/web"},
		"below it":         {made: "/home/mira/web/src", used: "/home/mira/web"},
		"another chat":     {made: "/home/mira/web", sibling: "/home/mira/web", want: "/home/mira/web"},
		"of another place": {made: "/home/mira/web", sibling: "/home/mira/api"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			folder := filepath.Join(home, ".cursor/chats", cursor.New().Hash(c.made))
			path := filepath.Join(folder, invoice, "store.db")
			harnesstest.Write(t, path, "")
			harnesstest.Exec(t, path, "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)", "CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB)",
				`INSERT INTO meta VALUES ('0', '{"latestRootBlobId":"r"}')`, "INSERT INTO blobs VALUES ('r', x'0a20"+message+"')",
				"INSERT INTO blobs VALUES ('"+message+`', '{"role":"user","content":"why?"}')`)
			if c.sibling != "" {
				harnesstest.Write(t, filepath.Join(folder, "other/meta.json"), `{"cwd":"`+c.sibling+`"}`)
			}
			env := harnesstest.Env(home, nil)
			env.Dir = c.used
			if s := harnesstest.Follow(t, cursor.New(), env).Of(invoice); s.Text == "" || s.Directory != c.want {
				t.Errorf("%q, want %q: %s", s.Directory, c.want, s.Text)
			}
		})
	}
}
