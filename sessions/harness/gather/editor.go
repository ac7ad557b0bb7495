package gather

import (
	"context"
	"database/sql"

	"github.com/tidwall/gjson"

	"yore/sessions/sqlite"
)

// EditorData is the database in which an editor of the Visual Studio Code family
// keeps its settings, and what extensions remember: one in the storage for all
// windows, and one for each folder that was open.
const EditorData = "state.vscdb"

// KeyValue is the document under one key of a table of keys and values, nothing
// when there is none. No other key is asked for: beside it there may be secrets.
func KeyValue(ctx context.Context, table sqlite.Table, key string) (doc gjson.Result, err error) {
	if !table.Has("key", "value") {
		return doc, nil
	}
	err = table.Each(ctx, sqlite.Query{Columns: []string{"value"}, Where: "key = ?", Args: []any{key}}, func(row sqlite.Row) error {
		doc = Parse(row.Text(0))
		return nil
	})
	return doc, err
}

// EditorItem is the document under one key of an editor's database.
func EditorItem(ctx context.Context, db *sql.DB, key string) (doc gjson.Result, err error) {
	table, err := sqlite.TableOf(ctx, db, "ItemTable")
	if err != nil {
		return doc, err
	}
	return KeyValue(ctx, table, key)
}

// EditorItems keeps what is made of such documents until the databases change,
// which many transcripts ask for. The zero EditorItems is empty.
type EditorItems[T any] struct{ made Made[T] }

// Get is what read makes of the document under a key, always the same one, of the
// database at path: the zero value when there is no database, and what it was before
// while it cannot be read.
func (e *EditorItems[T]) Get(ctx context.Context, path, key string, read func(gjson.Result) T) T {
	value, _ := e.made.Get(ctx, path, func(db *sql.DB) (made T, err error) {
		doc, err := EditorItem(ctx, db, key)
		if err != nil {
			return made, err
		}
		return read(doc), nil
	})
	return value
}
