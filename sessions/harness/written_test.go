package harness

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions/harness/harnesstest"
)

// besides are more files that stand beside transcripts of the samples.
var besides = map[string]map[string]string{
	"antigravity": {
		".gemini/antigravity-cli/cache/last_conversations.json":    `{"/w":"7c2d4e6f-8091-4a2b-9c3d-4e5f60718293"}`,
		".gemini/antigravity-cli/cache/conversation_metadata.json": `{"conversations":{"7c2d4e6f-8091-4a2b-9c3d-4e5f60718293":{"summary":{"Title":"Named"}}}}`,
	},
	"claude": {
		".config/Claude/claude-code-sessions/o/w/local_1.json": `{"cliSessionId":"c2d4e6f8-1a2b-4c3d-8e9f-0a1b2c3d4e5f","title":"By the desktop"}`,
		".claude/projects/-home-dev-shop/sessions-index.json":  `{"entries":[{"sessionId":"7c1e5b0a-3f52-4d0e-9a41-5b6f0c2d8e11","summary":"By the index"}]}`,
	},
	"cursor": {
		".cursor/chats/f7680df819e7c0e8a54c8e6b148b7e2c/c41fd3f2-9a5b-4a43-8d1c-70c2f5b8e6d9/meta.json": `{"title":"By the file","cwd":"/w"}`,
	},
	"gemini": {".gemini/projects.json": `{"projects":{"/home/mira/src/other":"other"}}`},
}

// contents are in the paths of files that are a part of a transcript: what stands in one
// that is half written is told when it is whole.
var contents = []string{"/message/", "/part/", "/events/", "api_conversation_history", "claude_messages"}

// While a file beside transcripts is being written, sessions are what they were when it
// was whole last.
func TestFilesThatAreBeingWritten(t *testing.T) {
	for _, src := range All() {
		t.Run(src.Name(), func(t *testing.T) {
			t.Parallel()
			home := harnesstest.Samples(t, samplesOf(src.Name()))
			for name, text := range besides[src.Name()] {
				harnesstest.Write(t, filepath.Join(home, name), text)
			}
			l := harnesstest.Follow(t, src, env(home))
			want := known(l)
			for _, path := range rewritten(t, home) {
				whole, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				for _, text := range []string{string(whole[:len(whole)/2]), ""} {
					if text == "" && slices.ContainsFunc(slices.Collect(maps.Values(l.All())), func(s harnesstest.Told) bool { return s.Path == path }) {
						continue // of which nothing is left
					}
					l.Restart(src, func() { harnesstest.Write(t, path, text) })
					if diff := cmp.Diff(want, known(l)); diff != "" {
						t.Errorf("%.40q in %s (-before +now):\n%s", text, strings.TrimPrefix(path, home), diff)
					}
				}
				l.Restart(src, func() { harnesstest.Write(t, path, string(whole)) })
			}
		})
	}
}

// rewritten are the files of a home that are written as a whole.
func rewritten(t *testing.T, home string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(home, func(path string, e fs.DirEntry, err error) error {
		in := func(part string) bool { return strings.Contains(filepath.ToSlash(path), part) }
		if ext := filepath.Ext(path); err == nil && (ext == ".json" || ext == ".yaml") && !e.IsDir() && !slices.ContainsFunc(contents, in) {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// known is what is told of each session.
func known(l *harnesstest.Live) map[string]string {
	all := map[string]string{}
	for id, s := range l.All() {
		if !s.Removed {
			all[id] = fmt.Sprintf("%s in %s, by %s, parent %s %s, of %s, sub-agent %v, headless %v, gone %v:\n%s",
				s.Title, s.Directory, s.Model, s.Parent, s.ParentCall, s.ForkedFrom, s.Subagent, s.Headless, s.Gone, s.Own)
		}
	}
	return all
}
