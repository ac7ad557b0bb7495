package cli

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"

	"yore/recall/query"
	"yore/recall/words"
	"yore/sessions/lazy"
)

// sayings are what kong says of a command line, in words that tell what to do.
var sayings = []struct {
	said  func() *regexp.Regexp
	words string
}{
	// Kong lists the value of a flag that is not given with the others.
	{lazy.Regexp(`must be one of "",`), `must be one of `},
	{lazy.Regexp(`^(--\S+): expected \S+ value but got "EOL" \(<EOL>\)$`), `$1 has no value`},
	// A number below 0 it takes for a flag of one letter; written as it advises, it is refused.
	{lazy.Regexp(`^(--\S+): expected int value but got "(-\d+)" \(short flag\).*$`), `$1 takes a number of 1 or more, not $2`},
	{lazy.Regexp(`^(--around): expected value value but got "(-\d+)" \(short flag\).*$`), `$1 takes a number or all, not $2`},
	{lazy.Regexp(`^(--\S+): expected \S+ value but got (".*") \(.*flag\); perhaps try (.*)\?$`), `$1 has no value: $2 is taken for a flag, unless it is written $3`},
	{lazy.Regexp(`^(--\S+): missing value, expecting ".*"$`), `$1 has no value`},
	{lazy.Regexp(`^(--\S+): expected a valid \d+ bit int but got (".*")$`), `$1 takes a whole number, not $2`},
	{lazy.Regexp(`^expected one of (.*)$`), `it needs one of $1 behind it`},
	// Of a word with one dash kong takes any flag of one letter for near it.
	{lazy.Regexp(`^unknown flag (-[^-,][^,]*)(, did you mean .*)?$`), `unknown flag $1; words that begin with - follow --`},
}

// mistake is what is wrong with a command line that kong refused, and whose help to see.
func mistake(err error, args []string, root *kong.Node) error {
	command := commandOf(err, root)
	said := err.Error()
	switch meant := meantBy(said, args, command); {
	case meant != "":
		said = meant
	default:
		for _, s := range sayings {
			said = s.said().ReplaceAllString(said, s.words)
		}
	}
	return usagef("%s; see %s --help", said, command.FullPath())
}

// commandOf is the command that was being read when err was found.
func commandOf(err error, root *kong.Node) *kong.Node {
	if p, ok := errors.AsType[*kong.ParseError](err); ok && p.Context != nil {
		if n := p.Context.Selected(); n != nil && !n.Hidden {
			return n
		}
	}
	return root
}

var (
	unexpected = lazy.Regexp(`^unexpected argument (\S+)$`)
	missing    = lazy.Regexp(`^expected "<`)
	noFlag     = lazy.Regexp(`^unknown flag --(\S+)$`)
	oneDash    = lazy.Regexp(`^-([a-z][a-z-]+)(=.*)?$`)
)

// meantBy is what may have been meant by what kong refuses, "" when that is not known: words
// among flags of one letter, a flag with one dash or of another command, an argument that is
// missing, a filter where the command has it as a flag, or the words of a title where it
// lists sessions.
func meantBy(said string, args []string, command *kong.Node) string {
	word := wordAsFlags(args, command)
	switch {
	case word != "" && !strings.Contains(said, `flag); perhaps`):
		return refusedWord(word, command)
	case strings.HasPrefix(said, "unknown flag -"):
		for _, arg := range args {
			if meant := longFlag(arg, command); meant != "" {
				return meant
			}
		}
		return flagBelow(said, command)
	case missing().MatchString(said) && len(command.Positional) > 0:
		return "<" + command.Positional[0].Name + "> is missing: " + command.Positional[0].Help
	case unexpected().MatchString(said):
		word := unexpected().FindStringSubmatch(said)[1]
		if name, value, ok := strings.Cut(word, ":"); ok && value != "" && hasFlag(command, name) {
			return fmt.Sprintf("unexpected argument %s; did you mean --%s %s?", word, name, value)
		}
		if hasFlag(command, query.Title) {
			return fmt.Sprintf("unexpected argument %s; did you mean --%s %s, or yore recall %s?", word, query.Title, word, word)
		}
	}
	return ""
}

// longFlag says that arg is a flag of command whose second dash is missing, "" when it
// is not.
func longFlag(arg string, command *kong.Node) string {
	if m := oneDash().FindStringSubmatch(arg); m != nil && hasFlag(command, m[1]) {
		return fmt.Sprintf("unknown flag -%s; did you mean --%s?", m[1], m[1])
	}
	return ""
}

// flagBelow says which command below has the flag, or one of nearly that name, that kong
// knows nothing near of; "" when none has.
func flagBelow(said string, command *kong.Node) string {
	m := noFlag().FindStringSubmatch(said)
	if m == nil {
		return ""
	}
	var names []string
	of := map[string]*kong.Node{}
	for _, below := range command.Leaves(true) {
		for _, f := range below.Flags {
			if of[f.Name] == nil {
				names, of[f.Name] = append(names, f.Name), below
			}
		}
	}
	best := nearest(m[1], names)
	if best == "" {
		return ""
	}
	return fmt.Sprintf("unknown flag --%s; did you mean %s --%s?", m[1], of[best].FullPath(), best)
}

// nearest is the first of the names that word misspells least, "" when it misspells none.
func nearest(word string, names []string) string {
	best, least := "", 3
	for _, name := range names {
		limit := 1
		if len(name) > 5 {
			limit = 2
		}
		if d, ok := words.Within(word, name, limit); ok && d < least {
			best, least = name, d
		}
	}
	return best
}

// doneBy is the command, as it is typed, that does what other programs have a command of
// that name for.
var doneBy = map[string]string{
	"search": "yore recall QUERY...",
	"find":   "yore recall QUERY...",
	"grep":   "yore recall QUERY...",
	"list":   "yore sessions",
	"ls":     "yore sessions",
	"show":   "yore read SESSION PASSAGE",
	"export": "yore context QUERY...",
}

// calledHere says which command does what word is a command for elsewhere, without a full
// stop; "" when it is none.
func calledHere(word string) string {
	if command := doneBy[word]; command != "" {
		return word + " is no command of yore; " + command + " does that"
	}
	return ""
}

func hasFlag(command *kong.Node, name string) bool {
	for _, group := range command.AllFlags(true) {
		for _, f := range group {
			if f.Name == name {
				return true
			}
		}
	}
	return false
}
