package query

import (
	"fmt"
	"regexp/syntax"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// form writes a parsed query so that each part shows what it was taken for.
func form(q Query) string {
	var parts []string
	for _, t := range q.Terms {
		s := t.Text
		switch t.Kind {
		case Phrase:
			s = "<" + s + ">"
		case Pattern:
			s = "/" + s + "/"
		}
		if t.Not {
			s = "not " + s
		}
		if t.Or {
			s = "or " + s
		}
		parts = append(parts, s)
	}
	for _, f := range q.Filters {
		parts = append(parts, "{"+f.String()+"}")
	}
	return strings.Join(parts, ", ")
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"sharded cache", "sharded, cache"},
		{`"sharded cache" layout`, "<sharded cache>, layout"},
		{`"never closed`, `"never, closed`},
		{`"`, `"`},
		{`"" x`, "x"},
		{"“set by a word processor”", "<set by a word processor>"},
		{`gamma -beta -"old layout"`, "gamma, not beta, not <old layout>"},
		{"a - b -", "a, -, b, -"},
		{"--race -1 ->", "--race, -1, ->"},
		{"cache OR index layout", "cache, or index, layout"},
		{`a OR "b c" OR /d/`, "a, or <b c>, or /d/"},
		{"OR a OR", "OR, a, OR"},
		{"a OR OR b", "a, or OR, b"},
		{"a OR -b", "a, OR, not b"},
		{"a OR role:user b", "a, OR, b, {role:user}"},
		{"role:user OR b", "OR, b, {role:user}"},
		{"role:user OR", "OR, {role:user}"},
		{"agent:claude OR agent:codex", "{agent:claude}, {agent:codex}"},
		{"agent:claude OR agent:codex OR b OR c", "OR, b, or c, {agent:claude}, {agent:codex}"},
		{"a agent:claude OR role:user b", "a, b, {agent:claude}, {role:user}"},
		{"agent:claude OR OR agent:codex", "OR, OR, {agent:claude}, {agent:codex}"},
		{"zqword AND (gamma OR NOT*", "zqword, AND, (gamma, or NOT*"},
		{`/deadline \w+/ x`, `/deadline \w+/, x`},
		{`/a\/b/`, "/a/b/"},
		{"/src/app/main.go:42", "/src/app/main.go:42"},
		{"/usr/local/ tcp / udp / both", "/usr/local/, tcp, /, udp, /, both"},
		{"-/x+/", "not /x+/"},
		{"role:user ROLE:assistant x", "x, {role:user}, {role:assistant}"},
		{`dir:"my work" -agent:codex`, `{dir:"my work"}, {-agent:codex}`},
		{"in: x", "in:, x"},
		{"main.go:42 http://x foo::bar std::vector title::T", "main.go:42, http://x, foo::bar, std::vector, title::T"},
		{"agnet:claude", "agnet:claude"},
	} {
		if got := form(Parse(c.text)); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

// What is almost a filter or a pattern is searched as text, and that is said.
func TestNotes(t *testing.T) {
	for text, want := range map[string]string{
		"agnet:claude":    "did you mean agent:claude?",
		"roel:user":       "did you mean role:user?",
		"agens:only":      "did you mean agents:only?",
		"agens:claude":    "did you mean agent:claude?",
		"dri:shop":        "did you mean dir:shop?",
		"sesion:7c1e":     "did you mean session:7c1e?",
		"befor:yesterday": "did you mean before:yesterday?",
		"agent:":          "agent: has no value",
		"/a(/":            "is no regular expression (missing closing )",
		"/[a-z]{1000}/":   "",
		"/(a{9}){999}/":   "is no regular expression (invalid repeat count",
		"/[a-z]{999}/ /x{999}/ /" + strings.Repeat("y", 999) + "/ /z{999}/ -/w{999}/": "is too large a regular expression",
		"main.go:42":         "",
		"http://x foo::bar":  "",
		"id:7 no:1 is:x a:b": "",
		"note:x todo:y":      "",
		"role:user since:3d": "",

		"agent:claude OR agent:codex":   "",
		"agent:claude OR role:user":     "the OR between agent:claude and role:user does nothing",
		"-agent:claude OR -agent:codex": "the OR between -agent:claude and -agent:codex does nothing",
		"since:3d OR since:5d":          "the OR between since:3d and since:5d does nothing",
	} {
		notes := strings.Join(Parse(text).Notes, " ")
		if want == "" && notes != "" || !strings.Contains(notes, want) {
			t.Errorf("%s: %q, want %q", text, notes, want)
		}
	}
}

// A text of opening quotes that nothing closes is searched once, not once for each.
func TestUnclosedQuotesAreReadOnce(t *testing.T) {
	const n = 1000
	for mark, closing := range map[string]string{"“": "”", "„": "“", "dir:“": "”"} {
		p := parse(strings.Repeat(mark+"a ", n))
		if got := len(p.out.Terms) + len(p.out.Filters); got != n || p.unclosed != closing {
			t.Errorf("%s: %d terms, looked %d times for its end", mark, got, len(p.unclosed)/len(closing))
		}
	}
	if q := Parse("„a “b„ \"c"); len(q.Terms) != 3 || q.Terms[0].Text != "a " {
		t.Errorf("%+v", q.Terms)
	}
}

// Steps are never fewer than the program has, and a pattern of a short source cannot
// make a large one: what is written out is counted before it is.
func TestPatternSize(t *testing.T) {
	part := rapid.SampledFrom([]string{"a", "bc", "[a-f]", ".", "^", "$", `\b`, "(", ")", "(?:", "|", "*", "+", "?", "{3}", "{2,}", "{0,5}", "{0}", "{7,9}", "(?i)k", `\pL`})
	rapid.Check(t, func(t *rapid.T) {
		source := strings.Join(rapid.SliceOfN(part, 1, 20).Draw(t, "source"), "")
		tree, err := syntax.Parse(source, syntax.Perl)
		if err != nil {
			t.Skip("no pattern")
		}
		n := steps(tree)
		program, err := syntax.Compile(tree.Simplify())
		if err != nil {
			t.Fatal(err)
		}
		// Every program has an end, one that fails and its group around it beside.
		if len(program.Inst) > n+4 {
			t.Fatalf("%s has %d instructions, counted %d", source, len(program.Inst), n)
		}
	})
	long := "/" + strings.Repeat("(abc)*", 1000) + "/"
	if q := Parse(long); len(q.Terms) != 1 || q.Terms[0].Kind == Pattern || len(q.Notes) != 1 || len(q.Notes[0]) > 300 {
		t.Errorf("%.99s is read as %.99s, %.400q", long, form(q), q.Notes)
	}
}

// Only a word that ends the query can be unfinished.
func TestOpen(t *testing.T) {
	for text, want := range map[string]bool{
		"cac": true, "cac ": false, `"cache"`: false, "cache role:user": false, "role:user cac": true, "/x/": false, "": false, "a OR": false, "a OR b": true,
	} {
		if got := Parse(text).Open; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// A filter written by its own String is read as itself.
func TestFilterReadsItself(t *testing.T) {
	value := rapid.StringMatching(`[a-z0-9~/.]([a-z0-9 ~/.:-]{0,10}[a-z0-9])?`)
	rapid.Check(t, func(t *rapid.T) {
		f := Filter{rapid.SampledFrom(Specs()).Draw(t, "spec").Name, value.Draw(t, "value"), rapid.Bool().Draw(t, "not")}
		if strings.HasPrefix(f.Value, "//") {
			t.Skip("that is an address")
		}
		if got := Parse(f.String()); len(got.Filters) != 1 || got.Filters[0] != f || len(got.Terms) != 0 {
			t.Fatalf("%s is read as %s", f, form(got))
		}
	})
}

// Filters are declared well: every example is a value of its filter.
func TestSpecs(t *testing.T) {
	for _, s := range Specs() {
		if got := form(Parse(s.Name + ":" + s.Example)); got != fmt.Sprintf("{%s:%s}", s.Name, s.Example) {
			t.Errorf("%s: the example is read as %s", s.Name, got)
		}
		if s.Values != nil && !strings.Contains("|"+strings.Join(s.Values, "|")+"|", "|"+s.Example+"|") {
			t.Errorf("%s: %q is none of %q", s.Name, s.Example, s.Values)
		}
	}
}

// FuzzParse takes any bytes: no panic, and nothing is made up.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"sharded cache", `"`, `"a" -"b`, "a OR b OR", "/x/", `/\`, "/(/", "-", "--", "role:user", `dir:"`, "agnet:claude", "\xff:\xfe", "“", "in:\u3000x", "数据库 OR 缓存"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q := Parse(text)
		for _, term := range q.Terms {
			if term.Text == "" || term.Kind == Pattern != (term.Pattern != nil) {
				t.Errorf("term %+v", term)
			}
			if term.Kind != Pattern && !strings.Contains(text, term.Text) && !strings.Contains(text, `\/`) {
				t.Errorf("%q is not in the query", term.Text)
			}
		}
		for _, filter := range q.Filters {
			if _, ok := SpecOf(filter.Name); !ok || filter.Value == "" {
				t.Errorf("filter %+v", filter)
			}
		}
	})
}

// What was typed is told as typed: joiners, composed emoji, backslashes and wide blanks are
// no escapes, and nothing that acts on a terminal or turns text comes through.
func TestQuoted(t *testing.T) {
	for typed, want := range map[string]string{
		"👨\u200d👩\u200d👧 می\u200cخواهم": "\"👨\u200d👩\u200d👧 می\u200cخواهم\"",
		`C:\Users`: "\"C:\\Users\"",
		"\x1b[31mred\u202eder\a\nx\u009b1m\u3000y\xff": "\"redder x y\ufffd\"",
		"\x1b]0;" + strings.Repeat("a", 99):            `""`,
		strings.Repeat("é", 99):                        `"` + strings.Repeat("é", mostQuoted) + `…"`,
	} {
		if got := Quoted(typed); got != want {
			t.Errorf("%q is quoted %q, want %q", typed, got, want)
		}
	}
}
