package kilo_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/kilo"
)

const (
	samples = "../../../testdata/samples/kilo"
	folder  = ".config/Code/User/globalStorage/kilocode.kilo-code/tasks"
	ledger  = "52b1c7d9-0e4f-4a63-b8c5-9d7e1f3a2b60"
	split   = "ses_1e17a3b5c001KfLgMhNiOjPkQl"
	callers = "ses_1e17a3b5d001LgMhNiOjPkQlRm"
)

// What a correct reader gets from the samples: every fact and count.
func TestSamples(t *testing.T) {
	t.Parallel()
	read, _ := harnesstest.ReadSamples(t, kilo.New(), samples)
	harnesstest.Expect(t, read, "kilo", map[string]sessions.Session{
		split: {
			Title: "Rounding of shared costs", Directory: "/home/mira/src/ledger", Model: "kilo/anthropic/claude-sonnet-4.5", Provider: "anthropic", TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2026-05-11 09:00:00"), LastActive: harnesstest.Day("2026-05-11 09:01:35"), Prompts: 2, Replies: 2, ToolCalls: 2,
			Resume: []string{"kilo", "--session", split},
		},
		callers: {
			Title: "Find the callers of Split (@explore subagent)", Directory: "/home/mira/src/ledger", Model: "kilo/anthropic/claude-sonnet-4.5", Provider: "anthropic", TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2026-05-11 09:00:12"), LastActive: harnesstest.Day("2026-05-11 09:00:21"), Prompts: 1, Replies: 1,
			Subagent: true, Parent: split, ParentCall: "call_k1",
		},
		ledger: {
			Title: "why is the balance sheet off by one cent", Directory: "/home/mira/src/ledger", Model: "claude-sonnet-4-5", Provider: "anthropic", TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2026-01-15 09:30:00"), LastActive: harnesstest.Day("2026-01-15 09:30:07"), Prompts: 1, Replies: 1, ToolCalls: 0,
		},
	}, nil)
}

// Every turn of every sample, as it was checked by eye against its document.
func TestGolden(t *testing.T) { harnesstest.GoldenSamples(t, kilo.New(), samples) }

func FuzzRead(f *testing.F) {
	path := filepath.Join(ledger, "ui_messages.json")
	harnesstest.Fuzz(f, func() sessions.Source { return kilo.New() }, folder, path, filepath.Join(samples, folder, path))
}

var database = harnesstest.Database{
	New: func() sessions.Source { return kilo.New() }, Samples: samples, Session: split,
	Path:     ".local/share/kilo/kilo.db",
	Optional: []string{"session.revert", "session.model", "session.metadata", "part.time_updated", "message.time_updated"},
	Say: []string{
		`INSERT INTO message VALUES ('msg_a9', '` + split + `', 1778490200000, 1778490200000, '{"role":"user"}')`,
		`INSERT INTO part VALUES ('prt_a9', 'msg_a9', '` + split + `', 1778490200000, 1778490200000, '{"type":"text","text":"something new"}')`,
	},
	Cell: "UPDATE part SET data = CAST(? AS TEXT) WHERE id = 'prt_a5'",
}

func TestDatabase(t *testing.T) { database.Test(t) }

func FuzzDatabase(f *testing.F) {
	f.Add([]byte(`{"type":"tool","tool":"bash","state":{"status":"completed","input":[],"output":"Full output saved to: /x/tool-output/../kilo.db"}}`))
	database.Fuzz(f)
}

// ids are those of the sessions that are listed.
func ids(t *testing.T, env sessions.Env) map[string]int {
	t.Helper()
	found := map[string]int{}
	for _, tr := range harnesstest.List(t, kilo.New(), env) {
		found[tr.ID]++
	}
	return found
}

// A task that a later release took over is told by the database alone: also when it
// was read before, and without being taken for deleted.
func TestTakenOver(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	env := harnesstest.Env(home, nil)
	var known sync.Map // by id, the newest update
	library := sessions.NewLibrary(sessions.Options{Sources: []sessions.Source{kilo.New()}, Env: env, Watch: true})
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		_ = library.Run(ctx, func(updates []sessions.Update) { // its error is that the context ended
			for _, u := range updates {
				known.Store(u.ID, u)
			}
		})
	})
	defer running.Wait()
	defer cancel()
	await := func(what, id string, is func(sessions.Update) bool) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
			u, found := known.Load(id)
			if found && is(u.(sessions.Update)) {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("never %s: %+v", what, u)
			}
		}
	}
	await("read", ledger, func(u sessions.Update) bool { return !u.Gone && u.Prompts == 1 })
	const taken = "ses_migrated_e1988e7db7a9895ee997afd2af" // of the sample's task
	harnesstest.Exec(t, filepath.Join(home, database.Path), "INSERT INTO session (id, project_id, slug, directory, title, version, time_created, time_updated) VALUES ('"+
		taken+"', 'p', 's', '/x', 'Taken over', '7', 1, 1)", "INSERT INTO message VALUES ('m', '"+taken+"', 1, 1, '{\"role\":\"user\"}')",
		"INSERT INTO part VALUES ('p', 'm', '"+taken+"', 1, 1, '{\"type\":\"text\",\"text\":\"again\"}')")
	await("taken over", taken, func(u sessions.Update) bool { return u.Title == "Taken over" })
	harnesstest.Write(t, filepath.Join(home, folder, ledger, "settings.json"), "{}") // the folder is looked at again
	await("taken back", ledger, func(u sessions.Update) bool {
		if u.Gone {
			t.Error("it is called gone")
		}
		return u.Removed
	})
	if read := harnesstest.Read(t, kilo.New(), env); read.Session(ledger) != nil {
		t.Errorf("%+v", read.Session(ledger))
	}
}

// Databases of other programs in the data folder are not Kilo's; its own has a
// variable.
func TestPlaces(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	data := filepath.Join(home, ".local/share/kilo")
	if err := os.WriteFile(filepath.Join(data, "opencode.db"), []byte("no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	all := map[string]int{split: 1, callers: 1, ledger: 1}
	if diff := cmp.Diff(all, ids(t, harnesstest.Env(home, nil))); diff != "" {
		t.Error(diff)
	}
	elsewhere := t.TempDir()
	for variable, path := range map[string]string{"KILO_DB": filepath.Join(data, "kilo.db"), "KILO_DIR": data, "KILO_LEGACY_DIR": filepath.Join(home, folder)} {
		want := map[string]int{split: 1, callers: 1}
		if variable == "KILO_LEGACY_DIR" {
			want = map[string]int{ledger: 1}
		}
		if diff := cmp.Diff(want, ids(t, harnesstest.Env(elsewhere, map[string]string{variable: path}))); diff != "" {
			t.Errorf("%s: %s", variable, diff)
		}
	}
}
