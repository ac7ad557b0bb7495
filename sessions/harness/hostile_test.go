package harness

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
)

// What a broken or hostile writer may leave in a transcript costs itself only:
// the lines behind it and the other sessions are read, and little memory stays
// in use.
func TestHostileLines(t *testing.T) {
	for _, c := range lines {
		t.Run(c.harness, func(t *testing.T) {
			home := harnesstest.CopyTree(t, samplesOf(c.harness))
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
				strings.Repeat("x", harnesstest.Huge) + "\n",
				strings.Replace(c.line, `"WORDS"`, `"",`+`"more":"`+strings.Repeat("y", harnesstest.Huge)+`"`, 1) + "\n",
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
			before := harnesstest.InUse()
			loud := texts(t, home)
			if grown := harnesstest.InUse() - before; grown > harnesstest.Growth {
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

// The same of documents: whatever one is made of costs itself only.
func TestHostileDocuments(t *testing.T) {
	for _, c := range documents {
		t.Run(c.harness, func(t *testing.T) {
			home := harnesstest.CopyTree(t, samplesOf(c.harness))
			quiet := texts(t, home)
			path := filepath.Join(home, c.path)
			whole, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			begins := whole[:1] // of an object or an array
			field := `"more":"` + strings.Repeat("y", harnesstest.Huge) + `",`
			if begins[0] == '[' {
				field = "{" + strings.TrimSuffix(field, ",") + "},"
			}
			for name, content := range map[string]string{
				"nested":          strings.Repeat("[", 1<<20),
				"nested deeper":   strings.Repeat(`{"a":`, 1<<18) + "1" + strings.Repeat("}", 1<<18),
				"a huge text":     string(begins) + field + string(whole[1:]),
				"no JSON":         strings.Repeat("x", harnesstest.Huge),
				"NULs":            strings.Repeat("\x00", 1<<10) + string(whole),
				"other types":     strings.NewReplacer(`"text":"`, `"text":{"a":"`, `[`, `{`, `]`, `}`).Replace(string(whole)),
				"cut":             string(whole[:2*len(whole)/3]),
				"once more":       string(whole) + string(whole),
				"numbers for all": strings.NewReplacer(`"role":"`, `"role":7,"x":"`, `"type":"`, `"type":7,"x":"`, `"content":"`, `"content":7,"x":"`).Replace(string(whole)),
			} {
				if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
				before := harnesstest.InUse()
				loud := texts(t, home)
				if grown := harnesstest.InUse() - before; grown > harnesstest.Growth {
					t.Errorf("%s: %d MB more are in use", name, grown>>20)
				}
				for id, text := range quiet {
					if id != c.id && !slices.Equal(strings.Fields(loud[id]), strings.Fields(text)) { // a fork of what is lost is cut otherwise
						t.Errorf("%s: %s is no more what it was", name, id)
					}
				}
				if name == "a huge text" && c.from != "" && loud[c.id] != quiet[c.id] {
					t.Errorf("%s: %s is no more what it was", name, c.id)
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
