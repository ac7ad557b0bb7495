package harness

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
)

// What a broken or hostile writer may leave in a transcript costs itself only:
// the lines behind it and the other sessions are read, and little memory stays
// in use.
func TestHostileLines(t *testing.T) {
	const huge = 30 << 20
	for _, c := range lines {
		t.Run(c.harness, func(t *testing.T) {
			home := harnesstest.CopyTree(t, filepath.Join("..", "..", "testdata", "samples", c.harness))
			quiet := texts(t, home)
			say := func(words string) string { return strings.ReplaceAll(c.line, "WORDS", words) + "\n" }
			file, err := os.OpenFile(filepath.Join(home, c.path), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			for n, line := range []string{
				strings.Repeat("[", 1<<20) + "\n",
				strings.Replace(c.line, `"WORDS"`, strings.Repeat(`{"a":`, 1<<18), 1) + "\n",
				strings.Replace(c.line, `"WORDS"`, strings.Repeat("[", 900)+strings.Repeat("]", 900), 1) + "\n",
				"\x00\x00\x00" + say("behind NULs"),
				strings.Repeat("x", huge) + "\n",
				strings.Replace(c.line, `"WORDS"`, `"",`+`"more":"`+strings.Repeat("y", huge)+`"`, 1) + "\n",
				say("behind it all"),
			} {
				line = strings.Replace(line, `"x1"`, fmt.Sprintf(`"h%d"`, n), 1)
				if _, err := file.WriteString(line); err != nil {
					t.Fatal(err)
				}
			}
			if err := file.Close(); err != nil {
				t.Fatal(err)
			}
			before := heap()
			loud := texts(t, home)
			if grown := heap() - before; grown > 64<<20 {
				t.Errorf("%d MB more are in use", grown>>20)
			}
			if heard := strings.Contains(loud[c.id], "behind NULs") && strings.Contains(loud[c.id], "behind it all"); !heard && !ofChanges[c.harness] {
				t.Errorf("%s ends in %q", c.id, loud[c.id][max(0, len(loud[c.id])-200):])
			}
			for id, text := range quiet {
				if id != c.id && loud[id] != text {
					t.Errorf("%s is no more what it was", id)
				}
			}
		})
	}
}

// texts is what is said in the sessions of a home, by id.
func texts(t *testing.T, home string) map[string]string {
	t.Helper()
	found := map[string]*sessions.Update{}
	l := sessions.NewLibrary(sessions.Options{Sources: All(), Env: env(home), Workers: 1})
	err := l.Run(context.Background(), func(us []sessions.Update) {
		for _, u := range us {
			gather(found, u)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for id, u := range found {
		for _, p := range u.Passages {
			said[id] += p.Text + "\n"
		}
	}
	return said
}

// heap is how many bytes are in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
