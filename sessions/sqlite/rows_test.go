package sqlite

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every row comes once, in order, whatever the number of pages, and columns
// that are not there are empty.
func TestEach(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.db")
	writer := write(t, path)
	long := strings.Repeat("x", pageBytes/3)
	for _, s := range []string{
		"CREATE TABLE talk2 (id TEXT PRIMARY KEY, session TEXT, n INTEGER, data BLOB, at TIMESTAMP)",
		fmt.Sprintf("WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < %d) "+
			"INSERT INTO talk2 SELECT printf('%%05d', %d - i), CASE WHEN i %% 3 THEN 'a' ELSE 'b' END, i, x'00ff', '2026-01-01 00:00:00' FROM c", 3*pageRows, 9999),
	} {
		if _, err := writer.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	for range 5 {
		if _, err := writer.Exec("INSERT INTO talk2 VALUES (hex(randomblob(8)), 'long', 0, ?, NULL)", long); err != nil {
			t.Fatal(err)
		}
	}
	db, done, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	table, err := TableOf(t.Context(), db, "talk2")
	if err != nil {
		t.Fatal(err)
	}
	count, last := 0, ""
	q := Query{Columns: []string{"id", "absent", "n", "data", "at"}, Where: "session = ? OR session = ?", Args: []any{"a", "none"}, Key: "id"}
	err = table.Each(t.Context(), q, func(r Row) error {
		if r.Text(0) <= last || r.Text(1) != "" || r.Int(2)%3 == 0 || string(r.Bytes(3)) != "\x00\xff" || r.Text(4) != "2026-01-01 00:00:00" {
			t.Errorf("row %v after %s", r, last)
		}
		count, last = count+1, r.Text(0)
		return nil
	})
	if err != nil || count != 2*pageRows {
		t.Errorf("%d rows, %v", count, err)
	}
	count = 0
	err = table.Each(t.Context(), Query{Columns: []string{"data"}, Where: "session = 'long'"}, func(r Row) error {
		count++
		if r.Text(0) != long {
			t.Error("another text")
		}
		return nil
	})
	if err != nil || count != 5 {
		t.Errorf("%d long rows, %v", count, err)
	}
	stop := errors.New("enough")
	if err := table.Each(t.Context(), Query{}, func(Row) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("stopped by %v", err)
	}
	absent, err := TableOf(t.Context(), db, "absent")
	if err != nil || absent.Has("id") {
		t.Error("a table that is not there has columns", err)
	}
	if err := absent.Each(t.Context(), Query{Columns: []string{"id"}}, func(Row) error { t.Error("a row"); return nil }); err != nil {
		t.Error(err)
	}
}

func TestRowConverts(t *testing.T) {
	r := Row{int64(7), 2.5, "12", []byte("b"), nil, 1e300, true}
	var texts []string
	var ints []int64
	for i := range r {
		texts, ints = append(texts, r.Text(i)), append(ints, r.Int(i))
	}
	if diff := cmp.Diff([]string{"7", "2.5", "12", "b", ""}, texts[:5]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int64{7, 2, 12, 0, 0, 0, 1}, ints); diff != "" {
		t.Error(diff)
	}
}
