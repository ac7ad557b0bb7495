package cursor

import (
	"cmp"
	"context"
	"crypto/md5"
	"database/sql"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/lazy"
	"yore/sessions/sqlite"
	"yore/sessions/store"
)

// chatFacts are what stands beside a chat.
type chatFacts struct {
	title, directory string
	subagent         bool
	began, active    time.Time
}

// chatFacts are those in a file: while it is being written, what it said before.
func (s *Source) chatFacts(path string) chatFacts {
	facts, _ := s.beside.Sidecar(path, func(doc string) chatFacts {
		of := gather.Parse(doc)
		return chatFacts{
			title: strings.TrimSpace(gather.Text(of.Get("title"))), directory: gather.Text(of.Get("cwd")), subagent: of.Get("isSubagent").Bool(),
			began: gather.Moment(of.Get("createdAtMs").Float()), active: gather.Moment(of.Get("updatedAtMs").Float()),
		}
	})
	return facts
}

// chat reads a session of the command line. Its database holds every message
// that ever was, by hash, abandoned ones too; the latest root says which stand,
// and in which order.
func (r *reader) chat(ctx context.Context) error {
	facts := r.s.chatFacts(filepath.Join(filepath.Dir(r.t.Path), chatFactsName))
	r.Title, r.Directory, r.Subagent, r.Start = facts.title, facts.directory, facts.subagent, facts.began
	r.LastActive, r.TimeFrom = facts.active, sessions.TimeHeader
	err := gather.Database(ctx, r.t.Path, r.to, func(db *sql.DB) error { return r.blobs(ctx, db) })
	if r.LastActive.IsZero() {
		r.LastActive, r.TimeFrom = r.written(), sessions.TimeMtime
	}
	if r.Directory == "" {
		r.Directory = r.s.siblingFolder(r.t.Path)
	}
	return err
}

// blobs reads the messages that the latest root names.
func (r *reader) blobs(ctx context.Context, db *sql.DB) error {
	root, err := r.header(ctx, db)
	if err != nil || root == "" {
		return err
	}
	table, err := sqlite.TableOf(ctx, db, "blobs")
	if err != nil || !table.Has("id", "data") {
		return err
	}
	get := func(id string) (data []byte, err error) {
		err = table.Each(ctx, sqlite.Query{Columns: []string{"data"}, Where: "id = ?", Args: []any{id}}, func(row sqlite.Row) error {
			data = row.Bytes(0)
			return nil
		})
		return data, err
	}
	data, err := get(root)
	if err != nil {
		return err
	}
	ids, folder := decodeRoot(data)
	if r.Directory == "" {
		r.Directory = fileURI(folder)
	}
	tools := map[string]string{}
	for _, id := range ids {
		data, err := get(id)
		if err != nil {
			return err
		}
		message := gather.Parse(string(data))
		if !message.IsObject() {
			r.to.Skip("damaged message", r.t.Path+": blob "+id)
			continue
		}
		r.blob(id, message, tools)
	}
	return nil
}

// header reads what the database says about the session, and returns the id of
// the latest root. The document is stored as hexadecimal digits, or as it is.
func (r *reader) header(ctx context.Context, db *sql.DB) (root string, err error) {
	table, err := sqlite.TableOf(ctx, db, "meta")
	if err != nil || !table.Has("key", "value") {
		return "", err
	}
	err = table.Each(ctx, sqlite.Query{Columns: []string{"value"}, Where: "key = '0'"}, func(row sqlite.Row) error {
		text := row.Text(0)
		if plain, err := hex.DecodeString(strings.TrimSpace(text)); err == nil {
			text = string(plain)
		}
		doc := gather.Parse(text)
		if name := strings.TrimSpace(gather.Text(doc.Get("name"))); r.Title == "" && name != "New Agent" {
			r.Title = name
		}
		r.Parent = gather.Text(doc.Get("subagentInfo.parentAgentId"))
		r.Subagent = r.Parent != ""
		r.Model = gather.Text(doc.Get("lastUsedModel"))
		r.Provider = store.Maker(r.Model)
		if r.Start.IsZero() {
			r.Start = gather.Moment(doc.Get("createdAt").Float())
		}
		root = gather.Text(doc.Get("latestRootBlobId"))
		return nil
	})
	return root, err
}

// Fields of a root, which is a protocol buffer.
const (
	rootMessages = 1 // hashes, in the order of the conversation
	rootFolder   = 9 // the workspace's address
)

// decodeRoot reads the fields of a root that are needed.
func decodeRoot(data []byte) (messages []string, folder string) {
	list, _ := fields(data)
	for _, f := range list {
		switch {
		case f.number == rootMessages && len(f.data) == 32:
			messages = append(messages, hex.EncodeToString(f.data))
		case f.number == rootFolder && f.data != nil:
			folder = string(f.data)
		}
	}
	return messages, folder
}

// blob reads a message.
func (r *reader) blob(id string, message gjson.Result, tools map[string]string) {
	content := message.Get("content")
	t := sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, ID: id, Text: unredacted(store.Text(content.Raw))}
	switch role := message.Get("role").String(); role {
	case "user":
		t.Kind, t.Role, t.At = sessions.Prompt, sessions.User, stamped(t.Text)
		t.Text = typed(t.Text)
	case "assistant", "tool":
	case "system":
		return
	default:
		r.to.Skip(store.Unknown(role), r.t.Path+": blob "+id)
		return
	}
	text := t.Text
	for _, part := range content.Array() {
		call := t
		call.Call, call.Tool = gather.Text(part.Get("toolCallId")), gather.Text(part.Get("toolName"))
		switch part.Get("type").String() {
		case "reasoning":
			thought := t
			thought.Kind, thought.Text = sessions.Thinking, gather.Text(part.Get("text"))
			r.Add(thought)
		case "text":
			t.Text = text
			r.Add(t)
			text = ""
		case "tool-call":
			call.Kind = sessions.ToolCall
			call.Text, call.Cut = store.Input(cmp.Or(part.Get("args").Raw, part.Get("input").Raw))
			tools[call.Call] = call.Tool
			r.Add(call)
		case "tool-result":
			call.Kind, call.Tool = sessions.ToolOutput, cmp.Or(call.Tool, tools[call.Call])
			call.Text = cmp.Or(store.Text(part.Get("result").Raw), gather.Result(cmp.Or(part.Get("result").Raw, part.Get("output").Raw)))
			call.Failed = part.Get("isError").Bool()
			r.Add(call)
		}
	}
	if content.Type == gjson.String {
		r.Add(t)
	}
}

// siblingFolder is where another session of the same folder worked, if the folder's
// name is the hash of that.
func (s *Source) siblingFolder(path string) string {
	folder := filepath.Dir(filepath.Dir(path))
	entries, _ := os.ReadDir(folder) // what cannot be read tells nothing
	for _, e := range entries {
		if dir := s.chatFacts(filepath.Join(folder, e.Name(), chatFactsName)).directory; s.Hash(dir) == filepath.Base(folder) {
			return dir
		}
	}
	return ""
}

// hashName matches the name of a folder of chats, which is the hash of where they were
// had.
var hashName = lazy.Regexp(`^[0-9a-f]{32}$`)

// Hashed is the name of the folder in which a chat lies.
func (s *Source) Hashed(path string) string {
	name := filepath.Base(filepath.Dir(filepath.Dir(path)))
	if filepath.Base(path) != chatName || !hashName().MatchString(name) {
		return ""
	}
	return name
}

// Hash is the name that the folder of chats in a directory has.
func (s *Source) Hash(dir string) string {
	sum := md5.Sum([]byte(dir)) // a name, which keeps no secret
	return hex.EncodeToString(sum[:])
}
