package vscode

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// Read reads a chat whole.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, _ sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	c := &chat{}
	c.Harness, c.Path = harness, t.Path
	doc, err := s.begin(ctx, c, t, to)
	if err != nil {
		return sessions.Mark{}, err
	}
	c.Title = cmp.Or(strings.TrimSpace(gather.Text(doc.Get("customTitle"))), c.Title)
	c.Start = gather.Moment(doc.Get("creationDate").Num)
	sent := map[string]bool{}
	for _, q := range doc.Get("requests").Array() {
		sent[gather.Text(q.Get("requestId"))] = true
		c.request(q)
	}
	for _, p := range doc.Get("pendingRequests").Array() { // typed while a response came
		if q := p.Get("request"); !sent[gather.Text(q.Get("requestId"))] {
			c.request(q)
		}
	}
	if c.Empty() {
		return sessions.Mark{}, nil
	}
	c.TimeFrom = sessions.TimeMessage
	if c.LastActive.IsZero() {
		c.TimeFrom, c.LastActive = sessions.TimeHeader, c.Start
	}
	if c.LastActive.IsZero() {
		c.TimeFrom = "" // the file's
	}
	_, err = c.Send(sessions.Mark{}, to)
	return sessions.Mark{}, err
}

// begin is a chat's document, and notes of the chat what stands elsewhere: in a
// file's name and beside it, or in the database that has the document.
func (s *Source) begin(ctx context.Context, c *chat, t sessions.Transcript, to sessions.Sink) (doc gjson.Result, err error) {
	if t.Unit != "" {
		c.ID, c.Directory = t.Unit, folder(filepath.Dir(t.Path))
		c.Title = s.titlesIn(ctx, t.Path)[c.ID]
		return readStored(ctx, t, to)
	}
	c.ID, c.Directory = idOf(t.Path), folder(filepath.Dir(filepath.Dir(t.Path)))
	c.Title = s.listed(ctx, t.Path)
	text, err := document(ctx, t, to)
	return gather.Parse(text), err
}

// document is the chat's document as it is now.
func document(ctx context.Context, t sessions.Transcript, to sessions.Sink) (string, error) {
	if filepath.Ext(t.Path) == documentExt {
		return store.Document(t.Path)
	}
	file, err := sessions.OpenFile(t.Path)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }() // only read
	doc, err := replayed(ctx, jsonl.NewReader(file, 0, jsonl.Options{}), t, to)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", t.Path, err)
	}
	text, err := json.Marshal(doc)
	return string(text), err
}

// replayed is the document after the entries of a log, up to the first that is
// damaged: what later ones name by its place may stand elsewhere.
func replayed(ctx context.Context, lines *jsonl.Reader, t sessions.Transcript, to sessions.Sink) (doc any, err error) {
	for {
		line, err := lines.Next()
		if lines.DamagedCount() > 0 {
			to.Skip(lines.Damaged()[0].Reason, store.Place(t, lines.Damaged()[0].Offset))
			return doc, nil
		}
		if errors.Is(err, io.EOF) {
			return doc, nil
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, err
		}
		if doc, err = replay(doc, line.JSON()); err != nil {
			to.Skip(jsonl.ReasonDamaged, store.Place(t, line.Offset))
			return doc, nil
		}
	}
}

// folder is the directory of the window that a chat was in, by what stands in the
// window's storage: a remote one with its machine, that of a workspace file where
// it has no single one; "" in a window without.
func folder(storage string) string {
	doc := store.Sidecar(filepath.Join(storage, "workspace.json"))
	if dir := place(jsonl.Text(jsonl.Field(doc, "folder"))); dir != "" {
		return dir
	}
	if file := place(jsonl.Text(jsonl.Field(doc, "workspace"))); file != "" {
		return path.Dir(filepath.ToSlash(file))
	}
	return ""
}

// place is the path that a URI names, behind its machine when that is another.
func place(uri string) string {
	if rest, ok := strings.CutPrefix(uri, "vscode-remote://"); ok {
		if plain, err := url.PathUnescape(rest); err == nil {
			return plain
		}
		return ""
	}
	return store.LocalPath(uri)
}
