package opencode_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/opencode"
)

// many is a home whose database has 300 sessions of 24 messages, with outputs
// of about a kilobyte.
func many(b *testing.B) (home string) {
	b.Helper()
	home = harnesstest.Samples(b, samples)
	output := strings.Repeat("ok  \tshop/cart\t0.4s\tcoverage: 81.0% of statements\\n", 20)
	harnesstest.Exec(b, filepath.Join(home, database.Path),
		"PRAGMA synchronous=OFF", "BEGIN",
		"CREATE TEMP TABLE s AS WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 299) SELECT i FROM c",
		"CREATE TEMP TABLE m AS WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 23) SELECT i FROM c",
		`INSERT INTO session (id, project_id, slug, directory, title, version, time_created, time_updated)
			SELECT 'ses_' || i, 'global', 's', '/home/dev/p' || i % 40, 'Session ' || i, '1', i * 100000, i * 100000 + 60000 FROM s`,
		`INSERT INTO message SELECT 'msg_' || s.i || '_' || m.i, 'ses_' || s.i, s.i * 100000 + m.i, 1,
			iif(m.i % 6, '{"role":"assistant","modelID":"m","providerID":"p"}', '{"role":"user"}') FROM s, m`,
		fmt.Sprintf(`INSERT INTO part SELECT 'prt_' || s.i || '_' || m.i, 'msg_' || s.i || '_' || m.i, 'ses_' || s.i, 1, 1,
			iif(m.i %% 6, '{"type":"tool","callID":"c","tool":"bash","state":{"status":"completed","input":{"command":"go test"},"output":"%s"}}',
			'{"type":"text","text":"Why does the worker keep the retries of order ' || s.i || '?"}') FROM s, m`, output),
		"COMMIT", "PRAGMA wal_checkpoint(TRUNCATE)")
	return home
}

// BenchmarkList guards that a listing, which follows every change, reads no
// messages: under 100 ms for thousands of sessions.
func BenchmarkList(b *testing.B) {
	env := harnesstest.Env(many(b), nil)
	src := opencode.New()
	for b.Loop() {
		harnesstest.List(b, src, env)
	}
}

// BenchmarkRead guards that one session's rows are read in far less than the
// 100 ms for which the database may be held.
func BenchmarkRead(b *testing.B) {
	src := opencode.New()
	all := harnesstest.List(b, src, harnesstest.Env(many(b), nil))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		to := harnesstest.NewRecorder()
		if _, err := src.Read(b.Context(), all[i%len(all)], sessions.Mark{}, to); err != nil {
			b.Fatal(err)
		}
	}
}
