package manual

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// Exit is an exit code and when a command ends with it.
type Exit struct {
	Code int
	When string
}

// Man is the page of the program in troff, for man -l. version stands at its foot.
func Man(app *kong.Application, version string, exits []Exit) string {
	var b strings.Builder
	all := commands(app)
	about, rest, _ := strings.Cut(app.Help, "\n")
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"%s %s\"\n", strings.ToUpper(app.Name), app.Name, version)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", app.Name, troff(about))
	b.WriteString(".SH SYNOPSIS\n")
	for _, c := range all {
		if len(c.sub) > 0 && len(c.args) == 0 {
			continue // it does nothing without one of those below it
		}
		fmt.Fprintf(&b, ".br\n.B %s\n[flags]%s\n", troff(c.path), troff(argForms(c.args)))
	}
	b.WriteString(".SH DESCRIPTION\n")
	for paragraph := range strings.SplitSeq(strings.TrimSpace(rest), "\n\n") {
		fmt.Fprintf(&b, ".PP\n%s\n", troff(paragraph))
	}
	b.WriteString(".SH FLAGS OF EVERY COMMAND\n")
	manFlags(&b, app.Flags)
	b.WriteString(".SH COMMANDS\n")
	for _, c := range all {
		own := c.flags
		if c.path == app.Name {
			own = nil
			for _, child := range app.Children {
				if child.Hidden {
					own = append(own, shown(child.Flags)...)
				}
			}
			c.help = "Without a command:"
		}
		fmt.Fprintf(&b, ".SS %s\n%s\n", troff(c.path+argForms(c.args)), troff(c.help))
		for _, a := range c.args {
			fmt.Fprintf(&b, ".TP\n.I %s\n%s\n", troff(a.Name), troff(a.Help))
		}
		manFlags(&b, own)
	}
	b.WriteString(".SH EXIT STATUS\n")
	for _, e := range exits {
		fmt.Fprintf(&b, ".TP\n.B %d\n%s\n", e.Code, troff(e.When))
	}
	return b.String()
}

func manFlags(b *strings.Builder, flags []*kong.Flag) {
	for _, f := range shown(flags) {
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", troff(FlagForm(f)), troff(f.Help))
	}
}

// argForms are the arguments as a synopsis writes them.
func argForms(args []*kong.Positional) string {
	var b strings.Builder
	for _, a := range args {
		b.WriteString(" " + a.Summary())
	}
	return b.String()
}

// troff is s as text that troff prints as it is: no backslash or dash of its own
// meaning, and no line that begins as a request does.
func troff(s string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`, `"`, `\(dq`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(s), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
