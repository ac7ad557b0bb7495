package zed

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/sqlite"
	"yore/sessions/store"
)

const (
	harness      = "zed"
	threadsName  = "threads"
	databaseName = "threads.db"
)

// Source reads Zed.
type Source struct {
	known gather.Memory[sessions.Transcript]
}

var _ sessions.Source = (*Source)(nil)

// New is a Source that has read nothing yet.
func New() *Source { return &Source{} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the threads folders of this system.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	switch env.GOOS {
	case "darwin":
		return store.Roots(env, harness, store.AppFolder(env, "Zed", threadsName))
	case "windows":
		return store.Roots(env, harness, store.LocalFolder(env, "Zed", threadsName))
	}
	flatpak := sessions.Root{From: "default"}
	if env.Home != "" {
		flatpak.Path = filepath.Join(env.Home, ".var", "app", "dev.zed.Zed", "data", "zed", threadsName)
	}
	return store.Roots(env, harness, store.DataFolder(env, "zed", threadsName), flatpak)
}

// List sends the threads. A thread is written as a whole, with its time.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	path := filepath.Join(store.Below(root.Path, threadsName), databaseName)
	if !store.IsFile(path) {
		return ctx.Err()
	}
	threads, err := s.known.List(ctx, path, func(db *sql.DB, send func(string, sessions.Transcript)) error {
		table, err := sqlite.TableOf(ctx, db, threadsName)
		if err != nil || !table.Has("id") {
			return err
		}
		return table.Each(ctx, sqlite.Query{Columns: []string{"id", "updated_at", "parent_id", "summary"}}, func(r sqlite.Row) error {
			id := r.Text(0)
			send(id, sessions.Transcript{
				Path: path, Unit: id, ID: id, Side: r.Text(2) != "",
				Stamp: sessions.Stamp{Mtime: gather.Written(r.Text(1)), Extra: gather.Version(r.Text(1), r.Text(3))},
			})
			return nil
		})
	})
	for _, t := range threads {
		t.Root = root
		send(t)
	}
	return errors.Join(err, ctx.Err())
}

// Resume is not possible from a command line.
func (s *Source) Resume(sessions.Session) []string { return nil }
