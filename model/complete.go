package model

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"yore/recall"
	"yore/recall/query"
	"yore/render"
	"yore/sessions"
)

// known is what the values of filters can be, the most usual first.
type known struct {
	agents, dirs, branches []string

	current bool // nothing has changed since
}

// knownMsg is what the newest sessions have.
type knownMsg struct {
	gen   uint64
	known known
	err   error
}

// learnValues looks what the value that is begun can be, when that is not known.
func (m *Model) learnValues() tea.Cmd {
	if m.known.current || m.Focus != Query || !m.beginsValue() || m.learning.busy {
		return nil
	}
	ctx, gen, _ := m.learning.begin(m.ctx)
	engine, home := m.engine, m.opts.Home
	return func() tea.Msg {
		list, err := engine.Sessions(ctx, recall.SessionFilter{Subagents: "off", Limit: sessionLimit})
		return knownMsg{gen, learn(list, home), err}
	}
}

// learned takes what was looked up.
func (m *Model) learned(msg knownMsg) tea.Cmd {
	current, _ := m.learning.done(msg.gen)
	if !current { // something changed meanwhile
		return m.learnValues()
	}
	if msg.err == nil {
		m.known = msg.known
	}
	return nil
}

// outdate has values looked up anew before any is offered.
func (m *Model) outdate() tea.Cmd {
	m.known.current = false
	m.learning.drop()
	return m.learnValues()
}

// beginsValue tells whether the word that is typed begins a filter whose values are those
// that sessions have.
func (m *Model) beginsValue() bool {
	name, _, ok := strings.Cut(m.lastWord(), ":")
	spec, is := query.SpecOf(strings.ToLower(name))
	return ok && is && slices.Contains([]string{query.Agent, query.Dir, query.Branch}, spec.Name)
}

// lastWord is what the query ends with, without the minus that turns a filter round.
func (m *Model) lastWord() string {
	value := m.input.Value()
	return strings.TrimPrefix(value[strings.LastIndexByte(value, ' ')+1:], "-")
}

// learn counts what a list of sessions has.
func learn(list []sessions.Session, home string) known {
	agents, dirs, branches := map[string]int{}, map[string]int{}, map[string]int{}
	for _, s := range list {
		agents[s.Harness]++
		dirs[typed(render.Tilde(s.Directory, home))]++
		branches[typed(s.Branch)]++
	}
	return known{ranked(agents), ranked(dirs), ranked(branches), true}
}

// ranked are the keys, blank ones aside, by their counts.
func ranked(counts map[string]int) []string {
	var keys []string
	for k := range counts {
		if strings.TrimSpace(k) != "" {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })
	return keys
}

// usualTimes complete a filter on time.
var usualTimes = []string{"today", "yesterday", "3d", "1w", "2w", "1m"}

// values are what a filter can be completed with.
func (k known) values(s query.Spec) []string {
	switch s.Name {
	case query.Agent:
		return k.agents
	case query.Dir:
		return k.dirs
	case query.Branch:
		return k.branches
	case query.Since, query.Before, query.On:
		return usualTimes
	}
	return s.Values
}

// shortestBegun is how many letters begin the name of a filter: one letter
// begins a word.
const shortestBegun = 2

// Ghost is what Tab would add to the query at its end, "" when no filter is begun.
func (m *Model) Ghost() string {
	value := m.input.Value()
	if m.Focus != Query || m.input.Position() != len([]rune(value)) {
		return ""
	}
	word := m.lastWord()
	name, begun, ok := strings.Cut(word, ":")
	if !ok {
		return ghostName(word)
	}
	spec, ok := query.SpecOf(strings.ToLower(name))
	if !ok {
		return ""
	}
	if m.beginsValue() && !m.known.current {
		return "" // a session that had the value may be forgotten
	}
	for _, v := range m.known.values(spec) {
		if rest, ok := completes(v, begun); ok && !strings.Contains(v, " ") {
			return rest
		}
	}
	return ""
}

// ghostName completes the name of a filter.
func ghostName(word string) string {
	if len(word) < shortestBegun {
		return ""
	}
	for _, s := range query.Specs() {
		if rest, ok := completes(s.Name, word); ok {
			return rest + ":"
		}
	}
	return ""
}

// completes tells what follows begun in a longer word.
func completes(word, begun string) (string, bool) {
	if len(word) <= len(begun) || !strings.EqualFold(word[:len(begun)], begun) {
		return "", false
	}
	return word[len(begun):], true
}

// completeOrNext completes a filter that is begun, else goes on to the list.
func (m *Model) completeOrNext() tea.Cmd {
	if ghost := m.Ghost(); ghost != "" {
		return m.edit(tea.PasteMsg{Content: ghost})
	}
	return m.nextFocus()
}
