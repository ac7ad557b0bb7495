package manual

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// Completion is a script by which shell (bash, zsh or fish) completes commands,
// flags and the words that a flag may have; "" for another shell.
func Completion(shell string, app *kong.Application) string {
	switch shell {
	case "bash":
		return bash(app)
	case "zsh":
		return zsh(app)
	case "fish":
		return fish(app)
	}
	return ""
}

// quoted is s as one word of bash and zsh: nothing in single quotes means anything
// to them, and a quote itself stands outside.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// steps are the cases by which a script of bash or zsh goes from a command to one
// below it, and passes over the value of a flag by skip.
func steps(b *strings.Builder, app *kong.Application, skip string) {
	for _, c := range commands(app) {
		for _, sub := range c.sub {
			fmt.Fprintf(b, "      %s) at=%s ;;\n", quoted(c.path+" "+sub.Name), quoted(c.path+" "+sub.Name))
		}
		for _, f := range accepted(app, c) {
			if f.IsBool() {
				continue
			}
			for _, s := range Spellings(f) {
				fmt.Fprintf(b, "      %s) %s ;;\n", quoted(c.path+" "+s), skip)
			}
		}
	}
}

func bash(app *kong.Application) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s in bash: eval \"$(%[1]s completion bash)\"\n_%[1]s() {\n", app.Name)
	fmt.Fprintf(&b, "  local at=%s i=1 cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n", quoted(app.Name))
	b.WriteString("  COMPREPLY=()\n  while ((i < COMP_CWORD)); do\n    [[ ${COMP_WORDS[i]} == -- ]] && return\n    case \"$at ${COMP_WORDS[i]}\" in\n")
	steps(&b, app, "((++i))")
	b.WriteString("    esac\n    ((++i))\n  done\n")
	b.WriteString("  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n")
	b.WriteString("  case \"$at $prev\" in\n")
	for _, c := range commands(app) {
		for _, f := range accepted(app, c) {
			if f.IsBool() {
				continue
			}
			for _, s := range Spellings(f) {
				fmt.Fprintf(&b, "    %s) %s return ;;\n", quoted(c.path+" "+s), bashWords(f.Value))
			}
		}
	}
	b.WriteString("  esac\n  case \"$at\" in\n")
	for _, c := range commands(app) {
		var flags, words []string
		for _, f := range accepted(app, c) {
			flags = append(flags, Spellings(f)...)
		}
		for _, sub := range c.sub {
			words = append(words, sub.Name)
		}
		do := ""
		for _, a := range c.args {
			words = append(words, values(a)...)
			if takesFile(a) {
				do = bashWords(a)
			}
		}
		if len(words) > 0 {
			do = "COMPREPLY=($(compgen -W " + quoted(strings.Join(words, " ")) + " -- \"$cur\"));"
		}
		fmt.Fprintf(&b, "    %s) if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W %s -- \"$cur\")); else %s :; fi ;;\n",
			quoted(c.path), quoted(strings.Join(flags, " ")), do)
	}
	fmt.Fprintf(&b, "  esac\n}\ncomplete -F _%s %[1]s\n", app.Name)
	return b.String()
}

// bashWords are the commands that complete a value. File names are read a line each,
// so that one with a space stays one.
func bashWords(v *kong.Value) string {
	if words := values(v); len(words) > 0 {
		return "COMPREPLY=($(compgen -W " + quoted(strings.Join(words, " ")) + " -- \"$cur\"));"
	}
	if takesFile(v) {
		return "compopt -o filenames 2>/dev/null; local IFS=$'\\n'; COMPREPLY=($(compgen -f -- \"$cur\"));"
	}
	return ""
}

func zsh(app *kong.Application) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#compdef %s\n# %[1]s in zsh, after compinit: eval \"$(%[1]s completion zsh)\"\n_%[1]s() {\n", app.Name)
	fmt.Fprintf(&b, "  local at=%s prev=$words[CURRENT-1]\n  local -i i=2\n  local -a found\n", quoted(app.Name))
	b.WriteString("  while ((i < CURRENT)); do\n    [[ $words[i] == -- ]] && return\n    case \"$at $words[i]\" in\n")
	steps(&b, app, "((++i))")
	b.WriteString("    esac\n    ((++i))\n  done\n")
	b.WriteString("  if [[ $PREFIX == --*=* ]]; then prev=${PREFIX%%=*}; compset -P '*='; fi\n  case \"$at $prev\" in\n")
	for _, c := range commands(app) {
		for _, f := range accepted(app, c) {
			if f.IsBool() {
				continue
			}
			for _, s := range Spellings(f) {
				fmt.Fprintf(&b, "    %s) %s return ;;\n", quoted(c.path+" "+s), zshWords(f.Value))
			}
		}
	}
	b.WriteString("  esac\n  case \"$at\" in\n")
	for _, c := range commands(app) {
		fmt.Fprintf(&b, "    %s)\n      if [[ $PREFIX == -* ]]; then\n        found=(\n", quoted(c.path))
		for _, f := range accepted(app, c) {
			for _, s := range Spellings(f) {
				fmt.Fprintf(&b, "          %s\n", quoted(s+":"+f.Help))
			}
		}
		b.WriteString("        )\n        _describe -o flag found\n      else\n        found=(")
		for _, sub := range c.sub {
			fmt.Fprintf(&b, "\n          %s", quoted(sub.Name+":"+sub.Help))
		}
		files := ""
		for _, a := range c.args {
			for _, v := range values(a) {
				b.WriteString("\n          " + quoted(v))
			}
			if takesFile(a) {
				files = "        _files\n"
			}
		}
		b.WriteString(")\n        ((${#found})) && _describe word found\n" + files + "      fi ;;\n")
	}
	fmt.Fprintf(&b, "  esac\n}\n"+zshEnd, app.Name)
	return b.String()
}

// zshEnd puts the function into use, in the folder of such functions as by eval; a shell
// that was never told to complete anything knows no compdef.
const zshEnd = `if [[ $funcstack[1] == _%[1]s ]]; then
  _%[1]s "$@"
elif (( $+functions[compdef] )); then
  compdef _%[1]s %[1]s
else
  print -u2 '%[1]s: zsh completes after this line, which belongs before the one of %[1]s: autoload -Uz compinit && compinit'
fi
`

// zshWords are the commands that complete a value.
func zshWords(v *kong.Value) string {
	if words := values(v); len(words) > 0 {
		return "compadd -- " + strings.Join(words, " ") + ";"
	}
	if takesFile(v) {
		return "_files;"
	}
	return ""
}

// fishQuoted is s as one word of fish, which knows the backslash in single quotes.
func fishQuoted(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}

func fish(app *kong.Application) string {
	var b strings.Builder
	at := "__" + app.Name + "_at"
	fmt.Fprintf(&b, "# %s in fish: %[1]s completion fish | source\nfunction %s\n", app.Name, at)
	fmt.Fprintf(&b, "    set -l at %s\n    set -l skip 0\n    for word in (commandline -opc)[2..-1]\n", app.Name)
	b.WriteString("        test $skip = 1; and set skip 0; and continue\n        test \"$word\" = --; and return 1\n        switch \"$at $word\"\n")
	for _, c := range commands(app) {
		for _, sub := range c.sub {
			path := fishQuoted(c.path + " " + sub.Name)
			fmt.Fprintf(&b, "            case %s\n                set at %s\n", path, path)
		}
		for _, f := range accepted(app, c) {
			if f.IsBool() {
				continue
			}
			for _, s := range Spellings(f) {
				fmt.Fprintf(&b, "            case %s\n                set skip 1\n", fishQuoted(c.path+" "+s))
			}
		}
	}
	b.WriteString("        end\n    end\n    test \"$at\" = \"$argv[1]\"\nend\n")
	fmt.Fprintf(&b, "complete -c %s -f\n", app.Name)
	for _, c := range commands(app) {
		here := fmt.Sprintf("complete -c %s -n %s", app.Name, fishQuoted(at+" '"+c.path+"'"))
		for _, sub := range c.sub {
			fmt.Fprintf(&b, "%s -a %s -d %s\n", here, sub.Name, fishQuoted(sub.Help))
		}
		for _, a := range c.args {
			b.WriteString(fishValue(here, a))
		}
		for _, f := range accepted(app, c) {
			b.WriteString(fishFlag(here, f))
		}
	}
	return b.String()
}

// fishValue completes an argument, "" when it may be anything.
func fishValue(here string, v *kong.Value) string {
	if words := values(v); len(words) > 0 {
		return here + " -a " + fishQuoted(strings.Join(words, " ")) + "\n"
	}
	if takesFile(v) {
		return here + " -F\n"
	}
	return ""
}

// fishFlag completes a flag and its value; where that may be anything, fish offers
// no files.
func fishFlag(here string, f *kong.Flag) string {
	line := here + " -l " + f.Name
	if f.Short != 0 {
		line += " -s " + string(f.Short)
	}
	switch words := values(f.Value); {
	case f.IsBool():
	case len(words) > 0:
		line += " -x -a " + fishQuoted(strings.Join(words, " "))
	case takesFile(f.Value):
		line += " -r -F"
	default:
		line += " -x"
	}
	return line + " -d " + fishQuoted(f.Help) + "\n"
}
