package gather

import (
	"context"
	"database/sql"
	"sync"

	"yore/sessions"
	"yore/sessions/sqlite"
)

// Made keeps what is made of whole databases until they change, which many
// transcripts ask for. The zero Made is empty.
type Made[T any] struct {
	mu   sync.Mutex
	kept map[string]made[T] // by the database's path
}

type made[T any] struct {
	stamp sessions.Stamp
	value T
}

// Get is what read makes of the database at path, always in the same way: the zero
// value when there is no database, and what it was before, with the error, while it
// cannot be read.
func (m *Made[T]) Get(ctx context.Context, path string, read func(*sql.DB) (T, error)) (T, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	stamp, err := sqlite.StampOf(path)
	if err != nil {
		var none T
		return none, nil
	}
	known, found := m.kept[path]
	if found && known.stamp == stamp {
		return known.value, nil
	}
	var value T
	err = sqlite.With(ctx, path, func(db *sql.DB) (err error) {
		value, err = read(db)
		return err
	})
	if err != nil { // it is asked again
		return known.value, err
	}
	if m.kept == nil {
		m.kept = map[string]made[T]{}
	}
	m.kept[path] = made[T]{stamp, value}
	return value, nil
}
