package cli

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"yore/render"
)

// beforeDashes splits the command line at its first "--". What follows is words
// and never flags; kong, which knows the dashes too, would still take the first
// of those words for a command, and none after words before the dashes.
func beforeDashes(args []string) (before, words []string) {
	if i := slices.Index(args, "--"); i >= 0 {
		return args[:i], args[i+1:]
	}
	return args, nil
}

// queryAsOne joins -q and its text, which may begin with a dash: kong would take
// that for another flag.
func queryAsOne(args []string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		if (args[i] == "-q" || args[i] == "--q") && i+1 < len(args) {
			out = append(out, "--q="+args[i+1])
			i++
			continue
		}
		out = append(out, args[i])
	}
	return out
}

// wordsLast puts what is no flag behind the flags, in its order: kong takes no words
// behind a flag that stands behind words, as in yore recall sharded --limit 3 cache. What
// goes before are the names of commands below n.
func wordsLast(n *kong.Node, args []string) []string {
	var before, words []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if len(arg) > 1 && arg[0] == '-' {
			before = append(before, arg)
			if wantsValue(n, arg) && i+1 < len(args) {
				i++
				before = append(before, args[i])
			}
			continue
		}
		if below := named(n, arg); below != nil && len(words) == 0 {
			n, before = below, append(before, arg)
			continue
		}
		words = append(words, arg)
	}
	return append(before, words...)
}

// named is the command below n that has this name, nil when there is none.
func named(n *kong.Node, name string) *kong.Node {
	i := slices.IndexFunc(n.Children, func(c *kong.Node) bool { return c.Name == name && !c.Hidden })
	if i < 0 {
		return nil
	}
	return n.Children[i]
}

// flagsOf are the flags that may be given to n: its own, those of the nodes above, and
// those of what it runs unnamed.
func flagsOf(n *kong.Node) []*kong.Flag {
	flags := slices.Concat(n.AllFlags(false)...)
	for _, child := range n.Children {
		if child.Hidden {
			flags = append(flags, child.Flags...)
		}
	}
	return flags
}

// wantsValue is whether the value of the flag that arg is, or ends with, is the next
// argument.
func wantsValue(n *kong.Node, arg string) bool {
	if name, long := strings.CutPrefix(arg, "--"); long {
		i := slices.IndexFunc(flagsOf(n), func(f *kong.Flag) bool { return f.Name == name })
		return i >= 0 && !flagsOf(n)[i].IsBool()
	}
	rest, takes := valueIn(n, arg[1:])
	return takes && rest == ""
}

// valueIn is what stands behind the first of the letters that is a flag of n with a value,
// and whether there is one before a letter that is none.
func valueIn(n *kong.Node, letters string) (rest string, takes bool) {
	flags := flagsOf(n)
	for i, r := range letters {
		at := slices.IndexFunc(flags, func(f *kong.Flag) bool { return f.Short == r })
		switch {
		case at < 0:
			return "", false
		case !flags[at].IsBool():
			return letters[i+utf8.RuneLen(r):], true
		}
	}
	return "", false
}

// wordAsFlags is the first of args that is letters behind a single dash, of which one is
// a flag of command that takes what follows as its value; "" when there is none.
func wordAsFlags(args []string, command *kong.Node) string {
	i := slices.IndexFunc(args, func(arg string) bool {
		letters, dash := strings.CutPrefix(arg, "-")
		rest, _ := valueIn(command, letters)
		next, _ := utf8.DecodeRuneInString(rest)
		return dash && unicode.IsLetter(next)
	})
	if i < 0 {
		return ""
	}
	return args[i]
}

// noWordAsFlags refuses a word with a dash before it that could be read as a flag of one
// letter and its value: -draft is meant to leave out what holds that word, and would
// search the directory raft.
func noWordAsFlags(args []string, parsed *kong.Context) error {
	command := parsed.Selected()
	if command == nil {
		return nil
	}
	arg := wordAsFlags(args, command)
	if arg == "" {
		return nil
	}
	if command.Hidden {
		command = command.Parent
	}
	return usagef("%s; see %s --help", refusedWord(arg, command), command.FullPath())
}

// refusedWord says what may have been meant by a word that wordAsFlags found.
func refusedWord(arg string, command *kong.Node) string {
	if meant := longFlag(arg, command); meant != "" {
		return meant
	}
	return "unknown flag " + render.Line(arg) + "; words that begin with - follow --, and a flag's value stands apart or behind ="
}
