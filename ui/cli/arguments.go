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

// valuesBehindEquals writes -n=3 as --limit=3: kong would take "=3" for the value.
func valuesBehindEquals(n *kong.Node, args []string) []string {
	var out []string
	for _, arg := range args {
		letters, dash := strings.CutPrefix(arg, "-")
		flag, rest := valueIn(n, letters)
		if value, behind := strings.CutPrefix(rest, "="); dash && behind {
			if before := strings.TrimSuffix(letters, string(flag.Short)+rest); before != "" {
				out = append(out, "-"+before)
			}
			arg = "--" + flag.Name + "=" + value
		}
		out = append(out, arg)
	}
	return out
}

// namesFirst puts the names of commands below n first, then the flags, then the words,
// each in their order: kong knows the flags of a command only behind its name, and takes
// no words behind a flag that stands behind words, as in yore recall sharded --limit 3
// cache. A flag that lacks its value stays last, or a word would become that.
func namesFirst(n *kong.Node, args []string) []string {
	var names, flags, words []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if len(arg) > 1 && arg[0] == '-' {
			if wants := wantsValue(n, arg); wants && i+1 == len(args) {
				words = append(words, arg)
				continue
			} else if wants {
				flags = append(flags, arg)
				i++
			}
			flags = append(flags, args[i])
			continue
		}
		if below := named(n, arg); below != nil && len(words) == 0 {
			n, names = below, append(names, arg)
			continue
		}
		words = append(words, arg)
	}
	return slices.Concat(names, flags, words)
}

// named is the command below n that has this name, nil when there is none.
func named(n *kong.Node, name string) *kong.Node {
	i := slices.IndexFunc(n.Children, func(c *kong.Node) bool { return c.Name == name && !c.Hidden })
	if i < 0 {
		return nil
	}
	return n.Children[i]
}

// flagsOf are the flags that may be given to n or to a command below it: its own, those of
// the nodes above, and of those below, before whose names they may stand.
func flagsOf(n *kong.Node) []*kong.Flag {
	flags := slices.Concat(n.AllFlags(false)...)
	for _, below := range n.Leaves(false) {
		flags = append(flags, below.Flags...)
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
	flag, rest := valueIn(n, arg[1:])
	return flag != nil && rest == ""
}

// valueIn is the first of the letters that is a flag of n with a value, and what stands
// behind it; nil when there is none before a letter that is no flag.
func valueIn(n *kong.Node, letters string) (flag *kong.Flag, rest string) {
	flags := flagsOf(n)
	for i, r := range letters {
		at := slices.IndexFunc(flags, func(f *kong.Flag) bool { return f.Short == r })
		switch {
		case at < 0:
			return nil, ""
		case !flags[at].IsBool():
			return flags[at], letters[i+utf8.RuneLen(r):]
		}
	}
	return nil, ""
}

// wordAsFlags is the first of args that is letters behind a single dash, of which one is
// a flag of command that takes what follows as its value; "" when there is none.
func wordAsFlags(args []string, command *kong.Node) string {
	i := slices.IndexFunc(args, func(arg string) bool {
		letters, dash := strings.CutPrefix(arg, "-")
		_, rest := valueIn(command, letters)
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
