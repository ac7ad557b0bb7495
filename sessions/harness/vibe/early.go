package vibe

import (
	"path/filepath"
	"strconv"

	"github.com/pelletier/go-toml/v2"
	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// earlyExt ends the names of the files in which early releases kept a session
// each: one document, with what later stands in meta.json beside the messages.
const earlyExt = ".json"

// listEarly sends the sessions of early releases among the files of a folder, but
// for those that have a folder now.
func (s *Source) listEarly(l *store.Listing, dir string, known contents) {
	for _, name := range known.files {
		path := filepath.Join(dir, name)
		if filepath.Ext(name) != earlyExt {
			continue
		}
		id, _ := s.early.Whole(path, func(path string) (string, error) {
			doc, err := store.Document(path)
			return gather.Text(gjson.Get(doc, "metadata.session_id")), err
		})
		if id != "" && !known.sessions[id] {
			l.Send(path, id, false)
		}
	}
}

// readEarly reads a session that is one document. Its messages have no ids.
func (s *Source) readEarly(t sessions.Transcript, to sessions.Sink) error {
	text, err := store.Document(t.Path)
	if err != nil {
		return err
	}
	doc := gjson.Parse(text)
	r := &reader{s: s, t: t, to: to, meta: metaOf(doc.Get("metadata")), st: &state{}}
	for i, m := range doc.Get("messages").Array() {
		r.place = r.meta.id + "/" + strconv.Itoa(i)
		r.said(m, i == 0, t.Path+", message "+strconv.Itoa(i))
	}
	if r.st.Talk {
		to.Facts(r.facts())
	}
	return nil
}

// saveDir is the folder for sessions that Vibe's settings name, "" when they name
// none.
func saveDir(home, settings string) string {
	var said struct {
		Logging struct {
			Dir string `toml:"save_dir"`
		} `toml:"session_logging"`
	}
	if toml.Unmarshal([]byte(settings), &said) != nil {
		return ""
	}
	dir := store.Expand(home, said.Logging.Dir)
	if !filepath.IsAbs(dir) {
		return ""
	}
	return dir
}
