package cli

import (
	"fmt"
	"strings"
	"testing"

	"yore/render/mask/masktest"
)

// leastShown is how much of a credential's part is a leak where a line ends behind it.
const leastShown = 16

// hidden fails where a part of a credential stands in an output.
func hidden(t *testing.T, where, out string, shapes []masktest.Shape) {
	t.Helper()
	flat := strings.NewReplacer("\n", "", " ", "", `\n`, "").Replace(out)
	for _, s := range shapes {
		if len(s.Credential) >= 8 && !strings.Contains(s.Credential, "\n") && strings.Contains(out, s.Credential) {
			t.Errorf("%s shows %q of %q", where, s.Credential, s.Text())
			return
		}
		for _, part := range strings.FieldsFunc(s.Credential, func(r rune) bool { return strings.ContainsRune("\n -.", r) }) {
			if len(part) >= leastShown && (strings.Contains(out, part[:leastShown]) || strings.Contains(flat, part)) {
				t.Errorf("%s shows %q of %q", where, part, s.Text())
				return
			}
		}
	}
}

// markOf is the i-th of words that no close spelling joins.
func markOf(i int) string {
	return strings.Repeat(string(rune('a'+i/26)), 4) + strings.Repeat(string(rune('a'+i%26)), 4)
}

// writeLeaks makes a session that says each credential in every place that a
// transcript has: its title, prompts, replies, thinking, calls and outputs.
func writeLeaks(t *testing.T, home string, shapes []masktest.Shape) (ids []string) {
	t.Helper()
	c := &trapCorpus{t: t, home: home}
	for i, shape := range shapes {
		word := markOf(i)
		s := c.session(fmt.Sprintf("leak%02d", i))
		s.user(word + " " + shape.Text())
		s.assistant([]any{
			fields{"type": "thinking", "thinking": word + " thought " + shape.Text()},
			said(word + " reply " + shape.Text()),
			called("call1", "Bash", fields{"command": word + " ran " + shape.Text()}),
		})
		s.user([]any{returned("call1", word+" gave "+shape.Text())})
		s.write()
		ids = append(ids, s.id)
	}
	return ids
}

// A credential of any known shape is shown by no command in no form.
func TestNoOutputShowsACredential(t *testing.T) {
	home := t.TempDir()
	shapes := masktest.Shapes()
	ids := writeLeaks(t, home, shapes)
	for _, args := range [][]string{
		{"sessions"}, {"sessions", "--json"}, {"sessions", "--jsonl"},
		{"recall", "--all", "--limit", "500", "reply"}, {"recall", "--in", "all", "--all", "--limit", "500", "--json", "gave"},
		{"recall", "--in", "thinking", "--all", "--limit", "500", "--jsonl", "thought"}, {"recall", "--in", "tools", "--all", "--limit", "500", "ran"},
		{"context", "--full", "--budget", "100000", "reply"}, {"context", "--json", "--budget", "100000", "reply"},
	} {
		got := invoke(home, args...)
		if got.code != exitFound {
			t.Fatalf("%q: exit code %d, %s", args, got.code, got.err)
		}
		hidden(t, strings.Join(args, " "), got.out+got.err, shapes)
	}
	for i, id := range ids {
		for _, args := range [][]string{{"read", id, "0"}, {"read", "--json", id, "0"}, {"read", id, "0.t0"}, {"recall", markOf(i)}} {
			got := invoke(home, args...)
			if got.code != exitFound || !strings.Contains(got.out, "[masked ") {
				t.Fatalf("%q: exit code %d, %s%s", args, got.code, got.out, got.err)
			}
			hidden(t, strings.Join(args, " "), got.out+got.err, shapes[i:i+1])
		}
	}
	if got := invoke(home, "--show-secrets", "read", ids[0], "0"); !strings.Contains(got.out, shapes[0].Credential) {
		t.Errorf("asked for, it is not shown: %s", got.out)
	}
}

// What only looks like a credential is shown as it is.
func TestLookAlikesAreShown(t *testing.T) {
	home := t.TempDir()
	c := &trapCorpus{t: t, home: home}
	for i, line := range masktest.LookAlikes() {
		s := c.session(fmt.Sprintf("alike%02d", i))
		s.user("zebra: " + line)
		s.write()
	}
	for _, args := range [][]string{{"sessions", "--json"}, {"recall", "--all", "--limit", "500", "--json", "zebra"}} {
		if got := invoke(home, args...); got.code != exitFound || strings.Contains(got.out, "[masked ") {
			at := strings.Index(got.out, "[masked ")
			t.Errorf("%q: exit code %d, %s", args, got.code, got.out[max(0, at-100):min(len(got.out), at+60)])
		}
	}
}

// Nor is it shown on screen: in list, digest or reader.
func TestNoScreenShowsACredential(t *testing.T) {
	home := t.TempDir()
	shapes := masktest.Shapes()
	writeLeaks(t, home, shapes)
	x := startTerminal(t, home, 120, 40)
	x.shows("❯", "live ●")
	for i := range shapes {
		word := markOf(i)
		x.send("\x15" + word)
		x.shows("[masked ", word+" reply", "Question: "+word) // of the digest, made last: not of an answer to the word's beginning
		hidden(t, "the list with its digest", x.text(), shapes)
		x.send("\r")
		x.shows("[masked ", word+" reply", "/ find") // the reader's keys
		hidden(t, "the reader", x.text(), shapes)
		x.send("q") // Esc alone is waited behind for the rest of a key
		x.until("the list again", func(screen string) bool {
			return !strings.Contains(screen, "/ find") && strings.Contains(screen, "❯ "+word)
		})
	}
	x.send("\x03")
	x.exit()
}
