package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"yore/model"
	"yore/recall/query"
	"yore/ui/manual"
)

var update = flag.Bool("update", false, "write the generated parts of the README")

// TestReadmeTables keeps the README's tables of keys and flags what the program
// says of itself; -update writes them.
func TestReadmeTables(t *testing.T) {
	path := filepath.Join("..", "..", "README.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for name, table := range map[string]string{"language": languageTable(), "keys": keysTable(), "flags": flagsTable(t)} {
		begin, end := "<!-- "+name+": generated, see CONTRIBUTING -->\n", "<!-- /"+name+" -->"
		i, j := strings.Index(text, begin), strings.Index(text, end)
		if i < 0 || j < i {
			t.Fatalf("the README has no place for the %s", name)
		}
		i += len(begin)
		if text[i:j] != table {
			if !*update {
				t.Errorf("the README's %s are out of date: go test ./ui/cli -run Readme -update", name)
			}
			text = text[:i] + table + text[j:]
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// cell makes text fit a table's cell.
func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }

func languageTable() string {
	var b strings.Builder
	b.WriteString("| in a query | finds |\n|---|---|\n")
	for _, f := range query.Forms() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", cell(f.Form), cell(f.Help))
	}
	for _, f := range query.Specs() {
		value := ""
		if f.Values != nil {
			value = ": " + strings.Join(f.Values, ", ")
		}
		fmt.Fprintf(&b, "| `%s:%s` | %s%s |\n", f.Name, f.Example, cell(f.Help), value)
	}
	return b.String()
}

func keysTable() string {
	var b strings.Builder
	b.WriteString("| where | keys | what they do |\n|---|---|---|\n")
	for _, k := range model.KeyHelp() {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(k.Where), cell(k.Keys), cell(k.Does))
	}
	return b.String()
}

func flagsTable(t *testing.T) string {
	t.Helper()
	parser, err := newParser(new(program), Streams{Out: os.Stdout, Err: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| command | flag | meaning and example |\n|---|---|---|\n")
	row := func(command string, flags []*kong.Flag) {
		for _, f := range flags {
			fmt.Fprintf(&b, "| %s | `%s` | %s |\n", command, cell(manual.FlagForm(f)), cell(f.Help))
		}
	}
	row("any", parser.Model.Flags)
	each(parser.Model.Node, parser.Model.Name, func(path string, n *kong.Node) { row("`"+path+"`", n.Flags) })
	return b.String()
}

// Every flag's help ends with an example of its use.
func TestEveryFlagHasAnExample(t *testing.T) {
	parser, err := newParser(new(program), Streams{Out: os.Stdout, Err: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	check := func(flags []*kong.Flag) {
		for _, f := range flags {
			if f.Name == "help" {
				continue
			}
			_, example, ok := strings.Cut(f.Help, ": ")
			if !ok || !strings.Contains(example, "-") {
				t.Errorf("--%s has no example: %q", f.Name, f.Help)
			}
		}
	}
	check(parser.Model.Flags)
	each(parser.Model.Node, "", func(_ string, n *kong.Node) { check(n.Flags) })
}

// each visits all commands below n, which is reached by path. A hidden one is what its
// parent does unnamed.
func each(n *kong.Node, path string, visit func(path string, n *kong.Node)) {
	for _, c := range n.Children {
		below := path
		if !c.Hidden {
			below += " " + c.Name
		}
		visit(below, c)
		each(c, below, visit)
	}
}
