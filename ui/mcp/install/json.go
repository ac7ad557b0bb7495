package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/tailscale/hujson"
)

// jsonForm is JSON, with comments and commas at the end where somebody has put them.
type jsonForm struct {
	group string                          // the object that holds the servers
	entry func(command []string) []member // an agent's way to write one
}

// member is one of an object.
type member struct {
	name  string
	value any
}

// plain is the entry of most agents.
func plain(command []string) []member {
	return []member{{"command", command[0]}, {"args", command[1:]}}
}

// typed is plain, and says by what the server is spoken to.
func typed(transport string) func([]string) []member {
	return func(command []string) []member { return append([]member{{"type", transport}}, plain(command)...) }
}

// joined is the entry of OpenCode.
func joined(command []string) []member {
	return []member{{"type", "local"}, {"command", command}}
}

// byteOrderMark may begin a file that was written on Windows.
const byteOrderMark = "\uFEFF"

// document is a configuration file that was read.
type document struct {
	data []byte // without a byte order mark
	mark []byte
	root hujson.Value
}

func (f jsonForm) parse(data []byte) (document, error) {
	d := document{data: data}
	if rest, ok := bytes.CutPrefix(data, []byte(byteOrderMark)); ok {
		d.mark, d.data = data[:len(data)-len(rest)], rest
	}
	if len(bytes.TrimSpace(d.data)) == 0 {
		d.data = []byte("{}\n")
	}
	if tooDeep(d.data) {
		return d, errors.New("it is nested too deeply")
	}
	var err error
	if d.root, err = hujson.Parse(d.data); err != nil {
		return d, fmt.Errorf("it is no JSON: %w", err)
	}
	for v := range d.root.All() {
		if err := unambiguous(v); err != nil {
			return d, err
		}
	}
	for _, path := range [][]string{nil, {f.group}, {f.group, name}} {
		if v := at(&d.root, path...); v != nil && v.Value.Kind() != '{' {
			return d, fmt.Errorf("%s is no object", shown(path))
		}
	}
	return d, nil
}

// deepest is how far a configuration may be nested. The parser goes down with it, and
// the stack ends somewhere.
const deepest = 10_000

// tooDeep tells whether data may be nested deeper than that. A bracket in a text
// counts: no configuration comes near.
func tooDeep(data []byte) bool {
	depth := 0
	for _, b := range data {
		switch b {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		if depth > deepest {
			return true
		}
	}
	return false
}

func shown(path []string) string {
	if len(path) == 0 {
		return "what it holds"
	}
	return fmt.Sprintf("%q", strings.Join(path, "."))
}

// unambiguous refuses an object in which a name stands twice: readers differ in which
// one counts.
func unambiguous(v *hujson.Value) error {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	names := map[string]bool{}
	for _, m := range o.Members {
		n := m.Name.Value.(hujson.Literal).String()
		if names[n] {
			return fmt.Errorf("%q stands in it twice", n)
		}
		names[n] = true
	}
	return nil
}

// at is what stands at a path; nil when nothing does.
func at(v *hujson.Value, path ...string) *hujson.Value {
	for _, n := range path {
		o, ok := v.Value.(*hujson.Object)
		if !ok {
			return nil
		}
		i := index(o, n)
		if i < 0 {
			return nil
		}
		v = &o.Members[i].Value
	}
	return v
}

// index is which member of o has a name; -1 when none has.
func index(o *hujson.Object, n string) int {
	for i, m := range o.Members {
		if m.Name.Value.(hujson.Literal).String() == n {
			return i
		}
	}
	return -1
}

func (f jsonForm) command(data []byte) ([]string, error) {
	d, err := f.parse(data)
	if err != nil {
		return nil, err
	}
	group, _ := d.values()[f.group].(map[string]any)
	entry, ok := group[name].(map[string]any)
	if !ok {
		return nil, nil
	}
	if all := texts(entry["command"]); len(all) > 0 {
		return all, nil
	}
	return started(entry), nil
}

// started is what an entry starts that has the program and its arguments apart. One
// that starts nothing has no program.
func started(entry map[string]any) []string {
	program, _ := entry["command"].(string)
	return append([]string{program}, texts(entry["args"])...)
}

// texts is a list of texts as it was decoded.
func texts(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, item := range list {
		text, _ := item.(string)
		out = append(out, text)
	}
	return out
}

func (f jsonForm) put(data []byte, command []string) ([]byte, error) {
	d, err := f.parse(data)
	if err != nil {
		return nil, err
	}
	wanted := f.entry(command)
	var edits []udiff.Edit
	group := at(&d.root, f.group)
	switch entry := at(&d.root, f.group, name); {
	case group == nil:
		edits = append(edits, d.insert(&d.root, member{f.group, []member{{name, wanted}}}))
	case entry == nil:
		edits = append(edits, d.insert(group, member{name, wanted}))
	case len(entry.Value.(*hujson.Object).Members) == 0:
		line, indent, step := d.style(entry)
		edits = append(edits, udiff.Edit{Start: entry.StartOffset, End: entry.EndOffset, New: deep(wanted, indent, step, line)})
	default:
		for _, m := range wanted {
			old := at(entry, m.name)
			switch {
			case old == nil:
				edits = append(edits, d.insert(entry, m))
			case !same(old, m.value):
				edits = append(edits, udiff.Edit{Start: old.StartOffset, End: old.EndOffset, New: flat(m.value)})
			}
		}
	}
	return d.edited(f, edits, func(was map[string]any) error { return f.expect(was, wanted) })
}

// expect makes of what a file held what it is to hold.
func (f jsonForm) expect(was map[string]any, wanted []member) error {
	group, _ := was[f.group].(map[string]any)
	if group == nil {
		group = map[string]any{}
		was[f.group] = group
	}
	entry, _ := group[name].(map[string]any)
	if entry == nil {
		entry = map[string]any{}
		group[name] = entry
	}
	for _, m := range wanted {
		var v any
		if err := json.Unmarshal([]byte(flat(m.value)), &v); err != nil {
			return err
		}
		entry[m.name] = v
	}
	return nil
}

func (f jsonForm) drop(data []byte) ([]byte, error) {
	d, err := f.parse(data)
	if err != nil || at(&d.root, f.group, name) == nil {
		return data, err
	}
	holder := at(&d.root, f.group)
	gone := name
	if o := holder.Value.(*hujson.Object); len(o.Members) == 1 && !commented(o) {
		holder, gone = &d.root, f.group // nobody needs an empty one
	}
	return d.edited(f, d.remove(holder.Value.(*hujson.Object), gone), func(was map[string]any) error {
		group := was[f.group].(map[string]any)
		if delete(group, name); gone == f.group {
			delete(was, f.group)
		}
		return nil
	})
}

// commented is whether a comment stands in an object with one member.
func commented(o *hujson.Object) bool {
	m := o.Members[0]
	text := bytes.Join([][]byte{m.Name.BeforeExtra, m.Name.AfterExtra, m.Value.BeforeExtra, m.Value.AfterExtra, o.AfterExtra}, nil)
	return len(bytes.TrimSpace(text)) > 0
}

// edited is the document with edits, once it is certain that they do what they are to
// do and nothing else.
func (d document) edited(f jsonForm, edits []udiff.Edit, expected func(map[string]any) error) ([]byte, error) {
	if len(edits) == 0 {
		return append(bytes.Clone(d.mark), d.data...), nil
	}
	after, err := udiff.ApplyBytes(d.data, edits)
	if err != nil {
		return nil, fmt.Errorf("it cannot be edited: %w", err)
	}
	next, err := f.parse(after)
	if err != nil {
		return nil, fmt.Errorf("edited, %w", err)
	}
	was, is := d.values(), next.values()
	if err := expected(was); err != nil {
		return nil, err
	}
	if !reflect.DeepEqual(was, is) {
		return nil, errors.New("it is written in a form that cannot be edited for certain: add the entry by hand")
	}
	return append(bytes.Clone(d.mark), after...), nil
}

// values are what the document says, for comparing.
func (d document) values() map[string]any {
	out := map[string]any{}
	_ = json.Unmarshal(bare(&d.root), &out) // it was parsed as an object
	return out
}

// bare is a value without comments.
func bare(v *hujson.Value) []byte {
	plain := v.Clone()
	plain.Standardize() //nolint:misspell // so it is called
	return plain.Pack()
}

// same tells whether v is written so.
func same(v *hujson.Value, wanted any) bool {
	var is, to any
	return json.Unmarshal(bare(v), &is) == nil && json.Unmarshal([]byte(flat(wanted)), &to) == nil && reflect.DeepEqual(is, to)
}

// flat is a value on one line.
func flat(v any) string {
	switch v := v.(type) {
	case []member:
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = flat(m.name) + ": " + flat(m.value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []string:
		parts := make([]string, len(v))
		for i, text := range v {
			parts[i] = flat(text)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // texts and lists of texts
	}
	return strings.TrimSpace(b.String())
}

// deep is a value over several lines, its own first line aside indented by indent.
func deep(v any, indent, step, line string) string {
	members, ok := v.([]member)
	if !ok {
		return flat(v)
	}
	var b strings.Builder
	b.WriteString("{")
	for i, m := range members {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(line + indent + step + flat(m.name) + ": " + deep(m.value, indent+step, step, line))
	}
	b.WriteString(line + indent + "}")
	return b.String()
}
