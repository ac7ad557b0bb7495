package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// A page of rows is read in a transaction of its own, which ends after so many
// rows or bytes: a reader that stays in one keeps the log from being written
// back, and slows down the program that owns the database.
const (
	pageRows  = 512
	pageBytes = 4 << 20
)

// maxCell is how many bytes one value may have. The largest that harnesses
// write are whole conversations of some megabytes; a larger one reads as NULL.
const maxCell = 64 << 20

// Table is a table with the columns that it has.
type Table struct {
	db      *sql.DB
	name    string
	columns map[string]bool
}

// TableOf looks at a table. One that does not exist has no columns and no rows.
func TableOf(ctx context.Context, db *sql.DB, name string) (Table, error) {
	columns, err := Columns(ctx, db, name)
	return Table{db, name, columns}, err
}

// Has tells whether the table has all of these columns.
func (t Table) Has(columns ...string) bool {
	for _, c := range columns {
		if !t.columns[c] {
			return false
		}
	}
	return true
}

// Query says which rows of a table to read.
type Query struct {
	Columns []string // as they stand in a Row; those that the table lacks are NULL
	Where   string   // a condition on columns that are there; "" for all rows
	Args    []any    // of Where
	Key     string   // orders the rows, and is different in each; "" is the row's number
}

// Each goes through rows, page by page. An error of do ends it.
func (t Table) Each(ctx context.Context, q Query, do func(Row) error) error {
	if len(t.columns) == 0 {
		return nil
	}
	key := "rowid"
	if q.Key != "" {
		key = quoted(q.Key)
	}
	where := "1"
	if q.Where != "" {
		where = "(" + q.Where + ")"
	}
	list := t.list(key, q.Columns)
	after, args := "", q.Args
	for {
		text := fmt.Sprintf("SELECT %s FROM %s WHERE %s%s ORDER BY %s LIMIT %d", list, quoted(t.name), where, after, key, pageRows)
		page, more, err := t.page(ctx, text, args, len(q.Columns))
		for _, row := range page {
			if err := do(row.values); err != nil {
				return err
			}
		}
		if err != nil || !more {
			return err
		}
		after = " AND " + key + " > ?"
		args = append(slices.Clip(q.Args), page[len(page)-1].key)
	}
}

// list is what is selected: the key, and each column or NULL in its place.
func (t Table) list(key string, columns []string) string {
	list := []string{key}
	for _, c := range columns {
		value := "NULL"
		if t.columns[c] {
			value = fmt.Sprintf("CASE WHEN octet_length(%[1]s) <= %[2]d THEN %[1]s END", quoted(c), maxCell)
		}
		list = append(list, value)
	}
	return strings.Join(list, ", ")
}

type keyedRow struct {
	key    any
	values Row
}

// page reads the next rows and tells whether there may be more behind them.
func (t Table) page(ctx context.Context, text string, args []any, columns int) (page []keyedRow, more bool, err error) {
	rows, err := t.db.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, false, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	bytes := 0
	for rows.Next() {
		row := keyedRow{values: make(Row, columns)}
		into := []any{&row.key}
		for i := range row.values {
			into = append(into, &row.values[i])
		}
		if err := rows.Scan(into...); err != nil {
			return page, false, err
		}
		page = append(page, row)
		if bytes += row.values.size(); bytes > pageBytes {
			return page, true, nil
		}
	}
	return page, len(page) == pageRows, rows.Err()
}

// quoted is a name as it stands in a statement.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// Row is one row's values. What is not there, or is of another type than asked
// for and does not convert, reads as the zero value.
type Row []any

// Text is a value as text, of whatever type it is.
func (r Row) Text(i int) string {
	switch v := r[i].(type) {
	case string:
		return v
	case []byte:
		return string(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// Bytes is a value as bytes, which are the caller's.
func (r Row) Bytes(i int) []byte {
	if v, ok := r[i].([]byte); ok {
		return v
	}
	return []byte(r.Text(i))
}

// Int is a value as a whole number.
func (r Row) Int(i int) int64 {
	switch v := r[i].(type) {
	case int64:
		return v
	case float64:
		if math.Abs(v) < 1<<62 {
			return int64(v)
		}
	case bool:
		if v {
			return 1
		}
	case string:
		n, _ := strconv.ParseInt(v, 10, 64) // what is no number is zero
		return n
	}
	return 0
}

// Float is a value as a number.
func (r Row) Float(i int) float64 {
	if v, ok := r[i].(float64); ok {
		return v
	}
	return float64(r.Int(i))
}

func (r Row) size() int {
	size := 0
	for _, v := range r {
		switch v := v.(type) {
		case string:
			size += len(v)
		case []byte:
			size += len(v)
		}
	}
	return size
}

// Damaged tells the error of a database that is broken from those that pass,
// such as that of a lock.
func Damaged(err error) bool {
	var e *driver.Error
	if !errors.As(err, &e) {
		return false
	}
	code := e.Code() & 0xff // the primary of an extended code
	return code == lib.SQLITE_CORRUPT || code == lib.SQLITE_NOTADB
}
