package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
)

// BenchmarkLines reads 16 MB of each harness's lines.
func BenchmarkLines(b *testing.B) {
	for _, c := range lines {
		b.Run(c.harness, func(b *testing.B) {
			home := harnesstest.CopyTree(b, filepath.Join("..", "..", "testdata", "samples", c.harness))
			var src sessions.Source
			for _, s := range All() {
				if s.Name() == c.harness {
					src = s
				}
			}
			text := strings.Repeat("all work and no play ", 40)
			var f strings.Builder
			for n := 0; f.Len() < 16<<20; n++ {
				f.WriteString(strings.ReplaceAll(strings.ReplaceAll(c.line, "WORDS", text), `"x1"`, fmt.Sprintf(`"x%d"`, n)) + "\n")
			}
			if err := os.WriteFile(filepath.Join(home, c.path), []byte(f.String()), 0o600); err != nil {
				b.Fatal(err)
			}
			tr := sessions.Transcript{Path: filepath.Join(home, c.path)}
			b.SetBytes(int64(f.Len()))
			for b.Loop() {
				if _, err := src.Read(b.Context(), tr, sessions.Mark{}, nobody{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

type nobody struct{}

func (nobody) Facts(sessions.Session)           {}
func (nobody) Turn(string, sessions.Turn, bool) {}
func (nobody) Undo(string, []string, bool)      {}
func (nobody) Skip(string, string)              {}
