package antigravity

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// documents are the paths of what the agent wrote for the user to read, by name.
func documents(dir string) []string {
	entries, _ := os.ReadDir(dir) // a folder that cannot be read has none
	var paths []string
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if strings.HasSuffix(e.Name(), documentExt) && store.IsFile(path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// readDocuments reads the documents of a conversation, each as a summary of it.
func readDocuments(t sessions.Transcript, to sessions.Sink) (sessions.Mark, error) {
	if _, err := os.Stat(t.Path); err != nil {
		return sessions.Mark{}, fmt.Errorf("look at %s: %w", t.Path, err)
	}
	var s gather.Session
	s.Harness, s.Path, s.ID, s.TimeFrom = harness, t.Path, idOf(t.Path), sessions.TimeMtime
	for _, path := range documents(filepath.Dir(t.Path)) {
		info, err := os.Stat(path)
		if err != nil {
			continue // it is gone again
		}
		text, err := store.Small(path)
		if err != nil {
			to.Skip("document cannot be read", path)
		}
		if s.Title == "" {
			s.Title = heading(text)
		}
		at := info.ModTime().UTC()
		if at.After(s.LastActive) {
			s.LastActive = at
		}
		s.Add(sessions.Turn{Kind: sessions.Summary, Role: sessions.Assistant, At: at, ID: s.ID + "/" + filepath.Base(path), Text: text})
	}
	if s.Empty() {
		return sessions.Mark{}, nil
	}
	_, err := s.Send(sessions.Mark{}, to)
	return sessions.Mark{}, err
}

// heading is the first heading of a document.
func heading(text string) string {
	for line := range strings.Lines(text) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			return strings.TrimSpace(title)
		}
	}
	return ""
}
