package highlight

import "strings"

// longestMark is the most bytes a heredoc's mark is looked for with.
const longestMark = 64

// openHeredoc takes what opens a heredoc, a text that runs from the next line to one that
// holds only its mark; other meanings of the same signs are told by no
// line closing it.
func (p *general) openHeredoc() {
	at := p.at + len(p.heredoc)
	if p.byteAt(at) == '<' { // a string that stands in the same line
		p.at = at + 1
		return
	}
	end, mark := p.heredocMark(at)
	p.at = at
	if mark == "" || !p.closes(mark, end) {
		return
	}
	p.pending = append(p.pending, mark)
	p.at = end
}

// heredocMark reads a mark, with what may stand around it, and tells where it ends.
func (s *scanner) heredocMark(at int) (int, string) {
	if c := s.byteAt(at); c == '-' || c == '~' {
		at++
	}
	quote := s.byteAt(at)
	if quote == '\'' || quote == '"' || quote == '\\' || quote == '`' {
		at++
	} else {
		quote = 0
	}
	end := at
	for end < len(s.code) && end-at < longestMark && isWord(s.code[end]) && !isDigit(s.code[at]) {
		end++
	}
	mark := s.code[at:end]
	if quote != 0 && quote != '\\' {
		if s.byteAt(end) != quote {
			return end, ""
		}
		end++
	}
	return end, mark
}

// closes tells whether a line behind an offset holds only the mark.
func (p *general) closes(mark string, from int) bool {
	if p.ends == nil {
		p.ends = p.lastLines()
	}
	return p.ends[mark] > from
}

// lastLines tells of each line that is short enough to be a mark where it stands last.
func (s *scanner) lastLines() map[string]int {
	last := map[string]int{}
	for at := 0; at < len(s.code); {
		end := s.lineEnd(at)
		if mark := closing(s.code[at:end]); mark != "" {
			last[mark] = at
		}
		at = end + 1
	}
	return last
}

// closing is the mark that a line closes, or nothing.
func closing(line string) string {
	line = strings.TrimRight(strings.TrimSpace(line), ";,)")
	if line == "" || len(line) > longestMark {
		return ""
	}
	for i := range len(line) {
		if !isWord(line[i]) {
			return ""
		}
	}
	return line
}

// bodies takes the texts that begin with this line.
func (p *general) bodies() {
	for _, mark := range p.pending {
		start := p.at
		for p.at < len(p.code) {
			end := p.lineEnd(p.at)
			line := p.code[p.at:end]
			if closing(line) == mark {
				break
			}
			p.at = min(end+1, len(p.code))
		}
		p.mark(start, p.at, String)
		p.at = p.lineEnd(p.at)
	}
	p.pending = nil
}
