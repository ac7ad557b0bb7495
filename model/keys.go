package model

import (
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Focus is where keys go.
type Focus uint16

// The places that can have the focus. In Query and Find every printable key is
// text; in the others single letters act.
const (
	Query Focus = 1 << iota
	List
	Pane
	Reading
	Find
	Tail
	Help
	Palette
)

const (
	screen   = Query | List | Pane // the main screen
	lettered = List | Pane | Reading
	scrolled = Pane | Reading | Help
	texts    = Query | Find | Palette
	anywhere = screen | Reading | Find | Tail | Help | Palette
)

var focusNames = map[Focus]string{
	Query: "query box", List: "list", Pane: "pane", Reading: "reader", Find: "find", Tail: "tail", Help: "help", Palette: "palette",
}

// String is the focus as help names it.
func (f Focus) String() string { return focusNames[f] }

// text tells whether printable keys are text there.
func (f Focus) text() bool { return f&texts != 0 }

// Binding is one act: where it can be done, by which keys, and what help says.
type Binding struct {
	key.Binding        // keys and help text
	ID          string // its name
	Focus       Focus  // the places in which it works
	Short       string // its words on the key line; "" leaves it to help
	do          func(*Model) tea.Cmd
}

// bind makes a binding. label is how help writes the keys.
func bind(id string, f Focus, label, help, short string, do func(*Model) tea.Cmd, keys ...string) Binding {
	return Binding{
		Binding: key.NewBinding(key.WithKeys(keys...), key.WithHelp(label, help)),
		ID:      id, Focus: f, Short: short, do: do,
	}
}

// bindings is the one table of keys; dispatch, key line and help come from it.
// Within one focus the order is that of the key line.
func bindings(p Print) []Binding {
	return slices.Concat(enterKeys(p), screenKeys(), tailKeys(), readerKeys(), actKeys(), scrollKeys(), lineKeys(), commonKeys())
}

// enterKeys are what enter does: it reads, or, for a shell, chooses.
func enterKeys(p Print) []Binding {
	if p == PrintNothing {
		return []Binding{
			bind("read", screen, "enter", "read the selected passage", "read", (*Model).openReader, "enter"),
			bind("open", Reading, "enter z", "open a tool call or a thought, show all its lines, fold it", "open", (*Model).openFold, "enter", "z"),
		}
	}
	return []Binding{
		bind("choose", screen|Reading, "enter", "print the "+string(p)+" and leave", "choose", (*Model).choose, "enter"),
		bind("read", screen, "ctrl+r", "read the selected passage", "read", (*Model).openReader, "ctrl+r"),
		bind("open", Reading, "z", "open a tool call or a thought, show all its lines, fold it", "open", (*Model).openFold, "z"),
	}
}

func screenKeys() []Binding {
	return []Binding{
		bind("next-focus", Query, "tab", "complete a filter that is begun; go on to the list", "list", (*Model).completeOrNext, "tab"),
		bind("next-focus", List, "tab", "go on to the pane", "pane", (*Model).nextFocus, "tab"),
		bind("next-focus", Pane, "tab", "go on to the box", "box", (*Model).nextFocus, "tab"),
		bind("previous-focus", screen, "shift+tab", "go back to pane, list, box", "", (*Model).previousFocus, "shift+tab"),
		bind("query", List|Pane, "/ i", "type a query", "query", (*Model).toQuery, "/", "i"),
		bind("switch-pane", Query, "F2 ctrl+g", "show the digest or the passage", "digest/passage", (*Model).switchPane, "f2", "ctrl+g"),
		bind("switch-pane", List|Pane, "d F2 ctrl+g", "show the digest or the passage", "digest/passage", (*Model).switchPane, "d", "f2", "ctrl+g"),
		bind("time", screen, "F3", "prefer the time that the query names, require it, or drop it", "", (*Model).turnTime, "f3"),
		bind("here", screen, "F5", "only sessions of this repository, or of everywhere", "", (*Model).toggleHere, "f5"),
		bind("newest", screen, "F6", "the newest first, or the best", "", (*Model).toggleNewest, "f6"),
		bind("group", screen, "F7", "group by session, or not", "", (*Model).toggleGrouped, "f7"),
		bind("border-back", Query, "alt+< alt+,", "a narrower list and a wider pane", "", (*Model).borderBack, "alt+<", "alt+,"),
		bind("border-back", List|Pane, "<", "a narrower list and a wider pane", "", (*Model).borderBack, "<", "alt+<", "alt+,"),
		bind("border-on", Query, "alt+> alt+.", "a wider list and a narrower pane", "", (*Model).borderOn, "alt+>", "alt+."),
		bind("border-on", List|Pane, ">", "a wider list and a narrower pane", "", (*Model).borderOn, ">", "alt+>", "alt+."),
		bind("hide-pane", Query, "alt+w", "hide the pane, or show it", "", (*Model).toggleHidden, "alt+w"),
		bind("hide-pane", List|Pane, "w", "hide the pane, or show it", "", (*Model).toggleHidden, "w", "alt+w"),
		bind("drop-filter", Query, "ctrl+x", "take the last filter out of the query", "", (*Model).dropFilter, "ctrl+x"),
		bind("older-query", Query, "alt+↑", "the query before", "", (*Model).olderQuery, "alt+up"),
		bind("newer-query", Query, "alt+↓", "the query after", "", (*Model).newerQuery, "alt+down"),
		bind("more-of-session", Query, "alt+m", "only this session, or all again", "", (*Model).moreOfSession, "alt+m"),
		bind("more-of-session", List|Pane, "m", "only this session, or all again", "", (*Model).moreOfSession, "m", "alt+m"),
		bind("mark", Query, "ctrl+space", "mark for the digest, or a session to follow, or not", "", (*Model).toggleMark, "ctrl+space", "ctrl+@"),
		bind("mark", List, "space", "mark for the digest, or a session to follow, or not", "", (*Model).toggleMark, "space", "ctrl+space", "ctrl+@"),
		bind("unmark", List|Pane, "u", "unmark all", "", (*Model).unmarkAll, "u"),
		bind("judge", Query, "alt+j", "have a language model judge the digest, or take that back", "", (*Model).judge, "alt+j"),
		bind("judge", List|Pane, "J", "have a language model judge the digest, or take that back", "", (*Model).judge, "J", "alt+j"),
		bind("similar", Query, "alt+l", "look for what is like this", "", (*Model).similar, "alt+l"),
		bind("similar", List|Pane, "l", "look for what is like this", "", (*Model).similar, "l", "alt+l"),
		bind("select-up", Query, "↑ ctrl+p", "select the one above", "", (*Model).selectUp, "up", "ctrl+p"),
		bind("select-down", Query, "↓ ctrl+n", "select the one below", "", (*Model).selectDown, "down", "ctrl+n"),
		bind("select-up", List, "↑ k", "select the one above", "", (*Model).selectUp, "up", "k", "ctrl+p"),
		bind("select-down", List, "↓ j", "select the one below", "", (*Model).selectDown, "down", "j", "ctrl+n"),
		bind("select-page-up", Query, "page up", "select a page above", "", (*Model).selectPageUp, "pgup"),
		bind("select-page-down", Query, "page down", "select a page below", "", (*Model).selectPageDown, "pgdown"),
		bind("select-page-up", List, "page up ctrl+b", "select a page above", "", (*Model).selectPageUp, "pgup", "ctrl+b"),
		bind("select-page-down", List, "page down ctrl+f", "select a page below", "", (*Model).selectPageDown, "pgdown", "ctrl+f"),
		bind("pane-up", Query|List, "shift+↑", "the pane one line up", "", (*Model).paneUp, "shift+up"),
		bind("pane-down", Query|List, "shift+↓", "the pane one line down", "", (*Model).paneDown, "shift+down"),
		bind("select-half-up", List, "ctrl+u", "select half a page above", "", (*Model).selectHalfUp, "ctrl+u"),
		bind("select-half-down", List, "ctrl+d", "select half a page below", "", (*Model).selectHalfDown, "ctrl+d"),
		bind("select-first", List, "g home", "select the first", "", (*Model).selectFirst, "g", "home"),
		bind("select-last", List, "G end", "select the last", "", (*Model).selectLast, "G", "end"),
	}
}

// actKeys do something with what is selected or read.
func actKeys() []Binding {
	return []Binding{
		bind("copy", Query, "ctrl+y", "copy the passage", "copy", (*Model).copyPassage, "ctrl+y"),
		bind("copy", lettered, "y", "copy the passage", "copy", (*Model).copyPassage, "y", "ctrl+y"),
		bind("resume", Query, "ctrl+o", "go on with the session in its harness", "resume", (*Model).resume, "ctrl+o"),
		bind("resume", lettered, "o", "go on with the session in its harness", "resume", (*Model).resume, "o", "ctrl+o"),
		bind("tail", Query, "ctrl+t", "follow the session as it grows, or all that are marked", "tail", (*Model).tailSessions, "ctrl+t"),
		bind("tail", lettered, "ctrl+t", "follow the session as it grows, or all that are marked", "tail", (*Model).tailSessions, "ctrl+t"),
		bind("tail-running", Query|lettered, "alt+t", "follow all sessions that are running", "", (*Model).tailRunning, "alt+t"),
		bind("print-resume", Query, "alt+o", "leave and print the command that resumes", "", (*Model).printResume, "alt+o"),
		bind("print-resume", lettered, "O", "leave and print the command that resumes", "", (*Model).printResume, "O", "alt+o"),
		bind("editor", Query, "alt+e", "open the transcript in $EDITOR", "", (*Model).openEditor, "alt+e"),
		bind("editor", lettered, "e", "open the transcript in $EDITOR", "", (*Model).openEditor, "e", "alt+e"),
		bind("page", Query, "alt+p", "show digest or session in $PAGER", "", (*Model).page, "alt+p"),
		bind("page", lettered, "p", "show digest or session in $PAGER", "", (*Model).page, "p", "alt+p"),
		bind("save", Query, "alt+s", "save digest or session as a markdown file", "", (*Model).save, "alt+s"),
		bind("save", lettered, "s", "save digest or session as a markdown file", "", (*Model).save, "s", "alt+s"),
		bind("copy-digest", Query, "alt+y", "copy the digest", "", (*Model).copyDigest, "alt+y"),
		bind("copy-digest", lettered, "Y", "copy the digest", "", (*Model).copyDigest, "Y", "alt+y"),
		bind("copy-read", Query, "alt+r", "copy the command that reads this", "", (*Model).copyRead, "alt+r"),
		bind("copy-read", lettered, "r", "copy the command that reads this", "", (*Model).copyRead, "r", "alt+r"),
		bind("copy-resume", Query, "alt+c", "copy the command that resumes", "", (*Model).copyResume, "alt+c"),
		bind("copy-resume", lettered, "c", "copy the command that resumes", "", (*Model).copyResume, "c", "alt+c"),
	}
}

func readerKeys() []Binding {
	return []Binding{
		bind("find", Reading|Tail, "/", "find in the text", "find", (*Model).openFind, "/"),
		bind("next-match", Reading|Tail, "n", "next match", "", (*Model).nextMatch, "n"),
		bind("previous-match", Reading|Tail, "N", "previous match", "", (*Model).previousMatch, "N"),
		bind("previous-passage", Reading, "[ ←", "previous passage", "", (*Model).previousPassage, "[", "left"),
		bind("next-passage", Reading, "] →", "next passage", "next", (*Model).nextPassage, "]", "right"),
		bind("wider", Reading, "+", "one more passage on each side", "wider", (*Model).wider, "+", "="),
		bind("narrower", Reading, "-", "one passage less on each side", "", (*Model).narrower, "-"),
		bind("previous-prompt", Reading, "{", "the prompt before", "", (*Model).previousPrompt, "{"),
		bind("next-prompt", Reading, "}", "the next prompt", "", (*Model).nextPrompt, "}"),
		bind("sub-agent", Reading, "a", "go to the sub-agent that was called here", "", (*Model).enterSubagent, "a"),
		bind("caller", Reading, "b", "go back to where it was called", "", (*Model).leaveSubagent, "b"),
		bind("source", Reading, "v", "the text as it was written, or set", "", (*Model).toggleSource, "v"),
		bind("next-fold", Reading, "tab", "the next tool call or thought", "", (*Model).nextFold, "tab"),
		bind("previous-fold", Reading, "shift+tab", "the tool call or thought before", "", (*Model).previousFold, "shift+tab"),
		bind("tools", Reading, "t", "open or fold all tool calls and outputs", "tools", (*Model).toggleTools, "t"),
		bind("thinking", Reading, "T", "open or fold all thinking", "", (*Model).toggleThinking, "T"),
	}
}

func scrollKeys() []Binding {
	return []Binding{
		bind("scroll-up", scrolled, "↑ k", "one line up", "", (*Model).scrollUp, "up", "k"),
		bind("scroll-down", scrolled, "↓ j", "one line down", "", (*Model).scrollDown, "down", "j"),
		bind("scroll-half-up", Pane, "ctrl+u", "half a page up", "", (*Model).scrollHalfUp, "ctrl+u"),
		bind("scroll-half-down", Pane, "ctrl+d", "half a page down", "", (*Model).scrollHalfDown, "ctrl+d"),
		bind("scroll-half-up", scrolled&^Pane, "ctrl+u u", "half a page up", "", (*Model).scrollHalfUp, "ctrl+u", "u"),
		bind("scroll-half-down", scrolled&^Pane, "ctrl+d d", "half a page down", "", (*Model).scrollHalfDown, "ctrl+d", "d"),
		bind("scroll-page-up", scrolled, "page up ctrl+b", "one page up", "", (*Model).scrollPageUp, "pgup", "ctrl+b"),
		bind("scroll-page-down", scrolled, "page down space f", "one page down", "", (*Model).scrollPageDown, "pgdown", "ctrl+f", "space", "f"),
		bind("scroll-top", scrolled, "g home", "to the top", "", (*Model).scrollTop, "g", "home"),
		bind("scroll-bottom", scrolled, "G end", "to the bottom", "", (*Model).scrollBottom, "G", "end"),
	}
}

// lineKeys edit a line.
func lineKeys() []Binding {
	return []Binding{
		bind("find-accept", Find, "enter", "go to the match", "go to it", (*Model).acceptFind, "enter"),
		bind("find-next", Find, "↓", "next match", "next", (*Model).nextMatch, "down", "ctrl+n"),
		bind("find-previous", Find, "↑", "previous match", "", (*Model).previousMatch, "up", "ctrl+p"),

		bind("run", Palette, "enter", "do it", "do it", (*Model).runAct, "enter"),
		bind("palette-up", Palette, "↑", "the one above", "", (*Model).paletteUp, "up", "ctrl+p"),
		bind("palette-down", Palette, "↓", "the one below", "", (*Model).paletteDown, "down", "ctrl+n"),
		bind("edit", Query|Find|Palette, "←→ …", "move and edit: ctrl+a e b f w k, alt+b f d, home, end", "", (*Model).editLine,
			"left", "right", "home", "end", "ctrl+a", "ctrl+e", "ctrl+b", "ctrl+f", "ctrl+w", "ctrl+k", "ctrl+h", "ctrl+d",
			"alt+b", "alt+f", "alt+d", "alt+left", "alt+right", "ctrl+left", "ctrl+right",
			"backspace", "delete", "alt+backspace", "alt+delete"),
		bind("clear", Query|Find|Palette, "ctrl+u", "clear the line", "", (*Model).clearLine, "ctrl+u"),
	}
}

func commonKeys() []Binding {
	return []Binding{
		bind("mouse", anywhere, "F4", "leave the mouse to the terminal, or take it", "", (*Model).toggleMouse, "f4"),
		bind(secretsAct, anywhere, "F8", "show credentials as they are, pressed twice, or mask them", "", (*Model).toggleSecrets, "f8"),
		bind("back", Query, "esc", "back one level; clear; leave", "", (*Model).back, "esc"),
		bind("back", Find|Palette, "esc", "back one level", "back", (*Model).back, "esc"),
		bind("back", lettered|Tail|Help, "esc q", "back one level", "back", (*Model).back, "esc", "q"),
		bind("palette", Query, "alt+x", "everything that can be done, by name", "", (*Model).openPalette, "alt+x"),
		bind("palette", lettered|Tail, ":", "everything that can be done, by name", "", (*Model).openPalette, ":", "alt+x"),
		bind("help", Query|Find|Palette, "F1", "this help", "help", (*Model).toggleHelp, "f1"),
		bind("help", lettered|Tail|Help, "? F1", "this help", "help", (*Model).toggleHelp, "?", "f1"),
		bind("redraw", anywhere, "ctrl+l", "draw the screen anew", "", (*Model).redraw, "ctrl+l"),
		bind("suspend", anywhere, "ctrl+z", "suspend to the shell", "", (*Model).suspend, "ctrl+z"),
		bind("quit", anywhere, "ctrl+c", "leave at once", "", (*Model).quit, "ctrl+c"),
	}
}

// keymap finds bindings by focus and key.
type keymap struct {
	table []Binding
	by    map[Focus]map[string]*Binding
}

// newKeymap takes the keys that the user set for acts in place of their own. Where
// text is typed a printable key stays text, and the act keeps its own keys when
// nothing else was set.
func newKeymap(table []Binding, own map[string][]string) keymap {
	table = parted(table, own)
	for i := range table {
		b := &table[i]
		keys := own[b.ID]
		if b.Focus.text() {
			keys = slices.DeleteFunc(slices.Clone(keys), printable)
		}
		if len(keys) > 0 {
			b.SetKeys(keys...)
			b.SetHelp(strings.Join(keys, " "), b.Help().Desc)
		}
	}
	k := keymap{table: table, by: map[Focus]map[string]*Binding{}}
	for f := Query; f <= Palette; f <<= 1 {
		k.by[f] = map[string]*Binding{}
		for i := range table {
			if table[i].Focus&f == 0 {
				continue
			}
			for _, name := range table[i].Keys() {
				// What the user set goes before what the program comes with.
				if was := k.by[f][name]; was == nil || own[was.ID] == nil {
					k.by[f][name] = &table[i]
				}
			}
		}
	}
	return k
}

// parted has those bindings twice whose keys the user set and that work both where
// text is typed and where it is not.
func parted(table []Binding, own map[string][]string) []Binding {
	var out []Binding
	for _, b := range table {
		typed, other := b, b
		typed.Focus, other.Focus = b.Focus&texts, b.Focus&^texts
		if own[b.ID] == nil || typed.Focus == 0 || other.Focus == 0 {
			out = append(out, b)
			continue
		}
		out = append(out, typed, other)
	}
	return out
}

// printable tells whether a key of that name is text where text is typed.
func printable(name string) bool { return utf8.RuneCountInString(name) == 1 || name == "space" }

// Acts are the names of all acts, by which the user can set keys for them.
func Acts() []string {
	var names []string
	for _, p := range []Print{PrintNothing, PrintID} {
		for _, b := range bindings(p) {
			if !slices.Contains(names, b.ID) {
				names = append(names, b.ID)
			}
		}
	}
	slices.Sort(names)
	return names
}

// at lists the bindings of a focus in table order, each with the keys that are left to
// it there: the user may have given one to another act.
func (k keymap) at(f Focus) []Binding {
	var out []Binding
	for i := range k.table {
		b := k.table[i]
		if b.Focus&f == 0 {
			continue
		}
		left := slices.DeleteFunc(slices.Clone(b.Keys()), func(name string) bool { return k.by[f][name] != &k.table[i] })
		if len(left) < len(b.Keys()) {
			b.SetKeys(left...)
			b.SetHelp(strings.Join(left, " "), b.Help().Desc)
		}
		out = append(out, b)
	}
	return out
}

// ofSelected are the acts that need something selected, ofPassage those of them that
// need a passage.
var (
	ofSelected = map[string]bool{"read": true, "choose": true, "resume": true, "tail": true}
	ofPassage  = map[string]bool{"switch-pane": true, "copy": true}
)

// Offered are the bindings of a focus that the key line can name: those with words
// for it, without what there is nothing to do to.
func (m *Model) Offered(f Focus) []Binding {
	item, selected := m.List.Current()
	return slices.DeleteFunc(m.keys.at(f), func(b Binding) bool {
		idle := !selected && ofSelected[b.ID] || (!selected || item.Hit < 0) && ofPassage[b.ID]
		return b.Short == "" || len(b.Keys()) == 0 || f&screen != 0 && idle
	})
}

// find is what a key does in a focus, nil for nothing.
func (k keymap) find(f Focus, msg tea.KeyPressMsg) *Binding {
	if f.text() && msg.Text != "" {
		return nil
	}
	// An input method can send a whole word as one key; a word is never the
	// name of a key.
	if utf8.RuneCountInString(msg.Text) > 1 {
		return nil
	}
	return k.by[f][msg.String()]
}
