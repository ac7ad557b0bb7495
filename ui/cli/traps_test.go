package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"
)

// result is what one run of the command line gave.
type result struct {
	code     int
	out, err string
}

// invoke runs the command line in this process, with home as HOME.
func invoke(home string, args ...string) result {
	var out, errs bytes.Buffer
	code := Main(args, Streams{
		In: strings.NewReader(""), Out: &out, Err: &errs, Home: home,
		Getenv: func(string) string { return "" },
		Now:    func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) },
		Zone:   time.UTC,
	}, fstest.MapFS{})
	return result{code, out.String(), errs.String()}
}

// row is one line of traps.tsv.
type row struct {
	query, fact, when string
	sessions, never   []string
}

var codePoint = regexp.MustCompile(`\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|\\U[0-9a-fA-F]{8}|\\r`)

func unescape(s string) string {
	return codePoint.ReplaceAllStringFunc(s, func(e string) string {
		if e == `\r` {
			return "\r"
		}
		n, err := strconv.ParseUint(e[2:], 16, 32)
		if err != nil {
			return e
		}
		return string(rune(n))
	})
}

func trapRows(t *testing.T) []row {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "traps", "traps.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") || line == "" {
			continue
		}
		c := strings.Split(line, "\t")
		if len(c) != 5 {
			t.Fatalf("%d columns in %q", len(c), line)
		}
		r := row{query: unescape(c[0]), fact: c[2], when: c[4]}
		if c[0] == "query" {
			continue
		}
		if c[1] != "none" {
			for s := range strings.SplitSeq(c[1], ",") {
				r.sessions = append(r.sessions, strings.TrimSpace(s))
			}
		}
		for n := range strings.SplitSeq(c[3], ";") {
			if n = strings.TrimSpace(n); n != "" {
				r.never = append(r.never, unescape(n))
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// recalled is what a script sees of an answer.
type recalled struct {
	Passages []struct {
		SessionID string   `json:"session_id"`
		Text      string   `json:"text"`
		Matches   [][2]int `json:"matches"`
		Kind      string   `json:"kind"`
		Title     string   `json:"title"`
		Directory string   `json:"directory"`
		AlsoIn    []string `json:"also_in"`
		Subagent  bool     `json:"subagent"`
	} `json:"passages"`
	Notes []string `json:"notes"`
}

func TestTrapCorpus(t *testing.T) {
	home := t.TempDir()
	ids := writeTraps(t, home)
	keys := map[string]string{}
	for key, id := range ids {
		keys[id] = key
	}
	checked := 0
	for _, r := range trapRows(t) {
		if r.when != "now" || r.query == "(sessions)" {
			continue
		}
		checked++
		t.Run(r.query, func(t *testing.T) {
			plain := invoke(home, "recall", "--limit", "20", "--", r.query)
			got := invoke(home, "recall", "--json", "--limit", "20", "--", r.query)
			want := exitFound
			if len(r.sessions) == 0 {
				want = exitNothing
			}
			if got.code != want || plain.code != want {
				t.Fatalf("exit %d and %d, want %d (%s)\n%s", got.code, plain.code, want, r.fact, got.err+got.out)
			}
			var answer recalled
			if err := json.Unmarshal([]byte(got.out), &answer); err != nil {
				t.Fatalf("no JSON object: %v\n%s", err, got.out)
			}
			checkSessions(t, r, answer, keys)
			checkBytes(t, r, got.out)
			checkBytes(t, r, plain.out)
			for _, p := range answer.Passages {
				checkRanges(t, p.Text, p.Matches)
			}
		})
	}
	if checked < 50 {
		t.Errorf("only %d rows were checked", checked)
	}
}

// checkSessions wants every session of the row before any other.
func checkSessions(t *testing.T, r row, answer recalled, keys map[string]string) {
	t.Helper()
	var order []string
	for _, p := range answer.Passages {
		if key := keys[p.SessionID]; !slices.Contains(order, key) {
			order = append(order, key)
		}
	}
	if len(order) < len(r.sessions) {
		t.Fatalf("found %v, want %v (%s)", order, r.sessions, r.fact)
	}
	for _, s := range r.sessions {
		if !slices.Contains(order[:len(r.sessions)], s) {
			t.Errorf("%s is not before the others in %v (%s)", s, order, r.fact)
		}
	}
}

func checkBytes(t *testing.T, r row, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Error("the output is no valid UTF-8")
	}
	for _, bad := range []string{"\x1b", "\x07", "\u202e", "\u202c", "\u2028", "\u2029", "\ufeff", "\r"} {
		if strings.Contains(out, bad) {
			t.Errorf("%q reached the output", bad)
		}
	}
	for _, n := range r.never {
		if len(n) < 40 && !strings.Contains(n, " from the text") && n != "invalid UTF-8" && strings.Contains(out, n) {
			t.Errorf("%q reached the output", n)
		}
	}
}

func checkRanges(t *testing.T, text string, ranges [][2]int) {
	t.Helper()
	n, last := utf8.RuneCountInString(text), 0
	for _, m := range ranges {
		if m[0] < last || m[1] <= m[0] || m[1] > n {
			t.Errorf("range %v in a text of %d code points, after %d", m, n, last)
		}
		last = m[1]
	}
}

// one asks the corpus and returns the first passage.
func one(t *testing.T, home, query string) recalled {
	t.Helper()
	got := invoke(home, "recall", "--json", "--", query)
	var answer recalled
	if err := json.Unmarshal([]byte(got.out), &answer); err != nil {
		t.Fatalf("%q: %v\n%s%s", query, err, got.out, got.err)
	}
	if len(answer.Passages) == 0 {
		t.Fatalf("%q found nothing: %s", query, got.err)
	}
	return answer
}

func TestTrapFacts(t *testing.T) {
	home := t.TempDir()
	ids := writeTraps(t, home)

	a := one(t, home, "forkprobe").Passages[0]
	if a.SessionID != ids["forkorig"] || !slices.Contains(a.AlsoIn, ids["fork"]) || !slices.Contains(a.AlsoIn, ids["forkold"]) {
		t.Errorf("forkprobe stands in %s, also in %v", a.SessionID, a.AlsoIn)
	}
	if n := len(one(t, home, "forkprobe").Passages); n != 1 {
		t.Errorf("the copied passage comes %d times", n)
	}
	for query, sub := range map[string]bool{"subagentprobe": true, "legacysideprobe": true, "orphansideprobe": true, "sidechainparent": false} {
		if got := one(t, home, query).Passages[0].Subagent; got != sub {
			t.Errorf("%s: sub-agent is %v", query, got)
		}
	}
	if k := one(t, home, "compactsummaryprobe").Passages[0].Kind; k != "summary" {
		t.Errorf("the compaction summary is called %q", k)
	}
	if k := one(t, home, "compactprobe reply").Passages[0].Kind; k == "summary" {
		t.Error("the summary ranks before the original")
	}
	if title := one(t, home, "realtitleprobe").Passages[0].Title; title != "realtitleprobe implement retry" {
		t.Errorf("the title after a caveat is %q", title)
	}
	if d := one(t, home, "symlinkprobe").Passages[0].Directory; d != "/home/dev/linked" {
		t.Errorf("the symlinked project's directory is %q", d)
	}
	p := one(t, home, "c++").Passages[0]
	if len(p.Matches) == 0 || string([]rune(p.Text)[p.Matches[0][0]:p.Matches[0][1]]) != "c++" {
		t.Errorf("c++ is not marked: %v in %q", p.Matches, p.Text)
	}
	if text := one(t, home, "zqword decision").Passages[0].Text; !strings.Contains(text, "beta zqword decision") {
		t.Errorf("the excerpt misses the place where both words stand: %q", text)
	}
	if text := one(t, home, "ansiprobe").Passages[0].Text; !strings.Contains(text, "answer") || !strings.Contains(text, "tail") || strings.Contains(text, "ZXZpbA") {
		t.Errorf("the reply reads %q", text)
	}
	if text := one(t, home, "surrogateafter").Passages[0].Text; !strings.Contains(text, "lone \uFFFD surrogateafter") {
		t.Errorf("the lone surrogate reads %q", text)
	}
}

func TestTrapSessions(t *testing.T) {
	home := t.TempDir()
	ids := writeTraps(t, home)
	got := invoke(home, "sessions", "--json")
	var list struct {
		Sessions []struct {
			ID    string `json:"session_id"`
			Title string `json:"title"`
		} `json:"sessions"`
	}
	if err := json.Unmarshal([]byte(got.out), &list); err != nil {
		t.Fatal(err, got)
	}
	titles, count := map[string]string{}, map[string]int{}
	for _, s := range list.Sessions {
		titles[s.ID] = s.Title
		count[s.ID]++
	}
	for key, id := range ids {
		want := 1
		if slices.Contains([]string{"empty", "garbage", "sub-new", "sub-old", "sub-orphan"}, key) {
			want = 0
		}
		if count[id] != want {
			t.Errorf("%s is listed %d times, want %d", key, count[id], want)
		}
	}
	for key, title := range map[string]string{"compact": "compactprobe first", "fork": "forknew question", "forkold": "forkoldnew question", "caveat": "realtitleprobe implement retry"} {
		if got := titles[ids[key]]; got != title {
			t.Errorf("the title of %s is %q, want %q", key, got, title)
		}
	}
	if !strings.Contains(got.err, "3 sub-agents not listed") {
		t.Errorf("nothing says that sub-agents are hidden: %q", got.err)
	}
}
