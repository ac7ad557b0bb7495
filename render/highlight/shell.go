package highlight

import "strings"

// shell scans commands: the first word of each is what is called.
type shell struct {
	general
	command  bool // the next word is a command, or a keyword
	assigned bool // what goes on here is the value of a variable
	target   bool // the next word is where something is redirected to
	wantsIn  bool // "in" is a keyword
	ticks    bool // between backticks
	depth    int  // parentheses that are open
}

const (
	shellOperators = "<>|&;()`"
	// shellBreaks are what ends a piece of a word.
	shellBreaks = " \t\r\n'\"\\$" + shellOperators
	// commandNext are keywords that a command stands behind, commandsNext commands that do.
	commandNext  = " if then else elif do while until time function begin "
	commandsNext = " sudo doas env exec nohup xargs command builtin and or not "
)

func (p *shell) scan() {
	for p.at < len(p.code) {
		c := p.code[p.at]
		switch {
		case c == '\n':
			p.at++
			p.bodies()
			p.command, p.assigned, p.target, p.wantsIn = true, false, false, false
		case isBlank(c) || c == '\r':
			p.at++
			p.assigned = false
		case c == '#' && p.begins():
			p.take(p.lineEnd(p.at), Comment)
		case c == '\\':
			p.at = p.next(p.at + 1)
		case p.opens[c] && p.quoted():
			p.behindString()
		case strings.IndexByte(shellOperators, c) >= 0:
			p.operator(c)
		case c == '$':
			p.expansion()
		default:
			p.piece()
		}
	}
}

// behindString goes on behind a string, or with a command in it.
func (p *shell) behindString() {
	p.command = p.command && p.assigned
	p.target = false
	if last := len(p.holes) - 1; last >= 0 && p.code[p.at-1] == '(' {
		p.holes[last].depth = p.depth
		p.depth++
		p.command, p.assigned = true, false
	}
}

// begins tells whether a word begins here.
func (p *shell) begins() bool {
	return p.at == 0 || strings.IndexByte(" \t\n"+shellOperators, p.code[p.at-1]) >= 0
}

func (p *shell) operator(c byte) {
	if c == '<' && p.byteAt(p.at+1) == '<' {
		p.openHeredoc()
		return
	}
	if last := len(p.holes) - 1; c == ')' && last >= 0 && p.holes[last].depth == p.depth-1 {
		p.depth--
		p.resume()
		p.command = false
		p.behindString()
		return
	}
	p.at++
	p.assigned = false
	switch c {
	case '<', '>':
		for n := p.byteAt(p.at); n == '>' || n == '&' || n == '|'; n = p.byteAt(p.at) {
			p.at++
		}
		p.target = true
	case '&':
		if p.byteAt(p.at) == '>' {
			p.at++
			p.target = true
			return
		}
		p.command = true
	case '(':
		p.depth++
		p.command, p.target = p.byteAt(p.at-2) != '=', false // what it opens may be a list
	case ')':
		p.command = p.depth == 0 // it closes the pattern of a case
		p.depth = max(p.depth-1, 0)
	case '`':
		p.ticks = !p.ticks
		p.command = p.ticks
	default:
		p.command = true
	}
}

// expansion goes over the dollar sign and what tells of which kind the expansion is.
func (p *shell) expansion() {
	if p.has("$((", p.at) {
		p.at += len("$((")
		p.depth += 2
		p.command = false
		return
	}
	p.command = p.command && p.assigned
	p.target = false
	p.at++
	if c := p.byteAt(p.at); c == '{' || c == '#' {
		p.at++
	}
	p.at = p.wordEnd(p.at)
}

// piece takes a word, or what of it stands behind a string or an expansion.
func (p *shell) piece() {
	end := p.at + 1
	for end < len(p.code) && strings.IndexByte(shellBreaks, p.code[end]) < 0 {
		end++
	}
	word := p.code[p.at:end]
	switch {
	case !p.begins():
		p.at = end
	case p.target:
		p.target = false
		p.at = end
	case word == "{" || word == "!":
		p.command = true
		p.at = end
	case p.command:
		p.commandWord(word, end)
	case p.wantsIn && word == "in":
		p.wantsIn = false
		p.take(end, Keyword)
	case isDigit(word[0]) && p.numberEnd(p.at, 0) == end && p.byteAt(end) != '<' && p.byteAt(end) != '>':
		p.take(end, Number)
	default:
		p.at = end
	}
}

// commandWord takes a word where a command is expected.
func (p *shell) commandWord(word string, end int) {
	const longestListed = 10 // bytes: more than any word of the two lists has
	listed := func(list string) bool {
		return len(word) <= longestListed && strings.Contains(list, " "+word+" ")
	}
	switch name, _, is := strings.Cut(word, "="); {
	case p.depth == 0 && p.byteAt(end) == ')':
		p.at = end
	case is && p.wordEnd(p.at) == p.at+len(strings.TrimSuffix(name, "+")) && !isDigit(word[0]):
		p.assigned = true
		p.at = end
	case p.keyword(word):
		p.command = listed(commandNext)
		p.wantsIn = word == "for" || word == "case" || word == "select"
		p.take(end, Keyword)
	case isWord(word[0]) && !isDigit(word[0]) || strings.IndexByte("./~", word[0]) >= 0:
		p.command = listed(commandsNext)
		p.take(end, Function)
	default:
		p.command = false
		p.at = end
	}
}

// longestPrompt is the most bytes that a prompt with a host and a directory is looked for in.
const longestPrompt = 100

// prompt is how many bytes the prompt takes at the begin of a line, if there is one.
func prompt(line string) (int, bool) {
	for _, sign := range [...]string{"$ ", "% ", "❯ "} {
		if strings.HasPrefix(line, sign) {
			return len(sign), true
		}
	}
	line, _, _ = strings.Cut(line[:min(len(line), longestPrompt)], "\n")
	sign := strings.IndexAny(line, "$#%")
	if sign < 1 || sign+1 >= len(line) || line[sign+1] != ' ' || !strings.Contains(line[:sign], "@") {
		return 0, false
	}
	return sign + 2, true
}

// consoleLine takes the command of a line that has a prompt.
func (s *scanner) consoleLine(end int) {
	start := s.blanksEnd(s.at)
	if size, prompted := prompt(s.code[start:end]); prompted {
		start += size
		sub := &scanner{code: s.code[start:end]}
		(&shell{general: general{scanner: sub, grammar: known()["sh"].grammar()}, command: true}).scan()
		s.adopt(sub, start)
	}
}
