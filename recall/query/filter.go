package query

import (
	"slices"
	"strings"
	"unicode/utf8"

	"yore/recall/words"
)

// Filter is one condition on where and when something was said: role:user, or, with
// Not, -role:user.
type Filter struct {
	Name, Value string
	Not         bool
}

// Brief is the filter for a note or an error, its value cut: see Brief.
func (f Filter) Brief() string { return Filter{f.Name, Brief(f.Value), f.Not}.String() }

// String is the filter as it is typed.
func (f Filter) String() string {
	text := f.Name + ":" + f.Value
	if strings.ContainsAny(f.Value, " \t") {
		text = f.Name + `:"` + f.Value + `"`
	}
	if f.Not {
		text = "-" + text
	}
	return text
}

// The names of the filters.
const (
	Agent    = "agent"
	Dir      = "dir"
	Role     = "role"
	In       = "in"
	Since    = "since"
	Before   = "before"
	On       = "on"
	Session  = "session"
	Title    = "title"
	Branch   = "branch"
	Agents   = "agents"
	Headless = "headless"
)

// The values of the filters that have a fixed set of them.
const (
	Talk     = "talk"
	Tools    = "tools"
	Thinking = "thinking"
	All      = "all"

	With    = "on" // of Agents and Headless
	Without = "off"
	Only    = "only"
)

// Spec describes a filter; help, flags and the README are made from it.
type Spec struct {
	Name    string
	Values  []string // all there are; nil when they cannot be listed
	Value   string   // how a value is written in help: WHEN, on|off|only
	Help    string   // what passes
	Example string
	Several bool // may be given several times: any of the values passes
	Fixed   bool // chooses what is searched and cannot be turned round by a minus
}

// Specs are all filters, in the order of help.
func Specs() []Spec {
	enum := func(values ...string) ([]string, string) { return values, strings.Join(values, "|") }
	roles, role := enum("user", "assistant")
	scopes, in := enum(Talk, Tools, Thinking, All)
	sides, side := enum(With, Without, Only)
	return []Spec{
		{Name: Agent, Value: "NAME", Help: "Only sessions of this agent program", Example: "claude", Several: true},
		{Name: Dir, Value: "PATH", Help: "Only sessions of this directory, or below one of this name", Example: "~/shop", Several: true},
		{Name: Role, Values: roles, Value: role, Help: "Only what was said by this side", Example: "assistant", Several: true},
		{Name: In, Values: scopes, Value: in, Help: "What is searched: the conversation, tool calls and outputs, thinking, or all", Example: Tools, Several: true, Fixed: true},
		{Name: Since, Value: "WHEN", Help: "Only what was said from then on", Example: "3d"},
		{Name: Before, Value: "WHEN", Help: "Only what was said before then", Example: "2026-05-01"},
		{Name: On, Value: "WHEN", Help: "Only what was said in that day, week, month or year", Example: "yesterday", Several: true},
		{Name: Session, Value: "ID", Help: "Only this session, by its id or an unambiguous beginning of it", Example: "1c9936b1", Several: true},
		{Name: Title, Value: "WORDS", Help: "Only sessions whose title has all these words", Example: "cache"},
		{Name: Branch, Value: "NAME", Help: "Only sessions on this branch, whole or by parts between slashes", Example: "main", Several: true},
		{Name: Agents, Values: sides, Value: side, Help: "Sub-agents too, none of them, or them only", Example: "off", Fixed: true},
		{Name: Headless, Values: sides, Value: side, Help: "Sessions at which nobody sat (claude -p, codex exec, schedules) too, none of them, or them only", Example: "off", Fixed: true},
	}
}

// SpecOf is the description of a filter.
func SpecOf(name string) (Spec, bool) {
	specs := Specs()
	i := slices.IndexFunc(specs, func(s Spec) bool { return s.Name == name })
	if i < 0 {
		return Spec{}, false
	}
	return specs[i], true
}

// shortestNear is how long a filter's name is at least for another word to count as
// a slip of it: of shorter ones, everything is one.
const shortestNear = 4

// nearest is the filter whose name word misspells, "" when there is none. Of two that
// are equally near it is the one that can have the value.
func nearest(word, value string) string {
	best, least := "", 3
	for _, s := range Specs() {
		letters := utf8.RuneCountInString(s.Name)
		limit := 1
		if letters > shortestNear {
			limit = 2
		}
		if letters < shortestNear && !swapped(word, s.Name) || utf8.RuneCountInString(word) < shortestNear-1 {
			continue
		}
		if d, ok := words.Within(word, s.Name, limit); ok && (d < least || d == least && slices.Contains(s.Values, value)) {
			best, least = s.Name, d
		}
	}
	return best
}

// swapped tells whether two words have the same letters.
func swapped(a, b string) bool {
	letters := func(s string) []byte { return slices.Sorted(slices.Values([]byte(s))) }
	return slices.Equal(letters(a), letters(b))
}

// Form is one way to write what is looked for, for help and the README.
type Form struct{ Form, Help string }

// Forms are the ways to write what is looked for, filters aside.
func Forms() []Form {
	return []Form{
		{"sharded cache", "Words: passages with enough of them, in any form, or about the same"},
		{`"sharded cache"`, "Word for word; case, accents and punctuation do not count"},
		{"-beta", `Without this word; -"old layout", -role:user and -/x+/ too`},
		{"cache OR index", "One of them is enough"},
		{"/retr(y|ies) \\d+/", "A regular expression (RE2), on every text, the newest first"},
	}
}
