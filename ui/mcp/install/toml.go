package install

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlForm is the TOML of Codex.
type tomlForm struct{}

// servers is the table that holds them.
const servers = "mcp_servers"

// errByHand is why a table cannot be edited: it is written inline, say, or in dotted
// keys.
var errByHand = errors.New("[" + servers + "." + name + "] is written in a form that cannot be edited for certain: change it by hand")

func (tomlForm) values(data []byte) (map[string]any, error) {
	out := map[string]any{}
	if err := toml.Unmarshal(bytes.TrimPrefix(data, []byte(byteOrderMark)), &out); err != nil {
		if at, ok := errors.AsType[*toml.DecodeError](err); ok {
			row, column := at.Position()
			return nil, fmt.Errorf("it is no TOML: line %d, column %d: %w", row, column, err)
		}
		return nil, fmt.Errorf("it is no TOML: %w", err)
	}
	if _, ok := out[servers].(map[string]any); out[servers] != nil && !ok {
		return nil, fmt.Errorf("%q is no table", servers)
	}
	return out, nil
}

// entry is the table of the server among values; nil without one.
func (tomlForm) entry(values map[string]any) (map[string]any, error) {
	group, _ := values[servers].(map[string]any)
	entry, ok := group[name].(map[string]any)
	if group[name] != nil && !ok {
		return nil, fmt.Errorf("%q is no table", servers+"."+name)
	}
	return entry, nil
}

func (f tomlForm) command(data []byte) ([]string, error) {
	values, err := f.values(data)
	if err != nil {
		return nil, err
	}
	entry, err := f.entry(values)
	if entry == nil {
		return nil, err
	}
	return started(entry), nil
}

func (f tomlForm) put(data []byte, command []string) ([]byte, error) {
	old, err := f.command(data)
	switch {
	case err != nil:
		return nil, err
	case old != nil && slices.Equal(old, command):
		return data, nil
	}
	lines := []string{"command = " + quoted(command[0]), "args = " + quoted(command[1:])}
	var after []byte
	if old == nil {
		after = appended(data, lines)
	} else if after, err = f.replaced(data, lines); err != nil {
		return nil, err
	}
	return f.checked(data, after, func(values map[string]any) {
		group, _ := values[servers].(map[string]any)
		if group == nil {
			group = map[string]any{}
			values[servers] = group
		}
		entry, _ := group[name].(map[string]any)
		if entry == nil {
			entry = map[string]any{}
			group[name] = entry
		}
		args := make([]any, 0, len(command)-1)
		for _, a := range command[1:] {
			args = append(args, a)
		}
		entry["command"], entry["args"] = command[0], args
	})
}

// quoted is a text, or a list of texts, as TOML writes one: as JSON does.
func quoted(v any) string { return strings.ReplaceAll(flat(v), "\x7f", `\u007f`) }

// lineBreak is how data breaks lines.
func lineBreak(data []byte) string {
	if bytes.Contains(data, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// appended is data with a table of lines at its end.
func appended(data []byte, lines []string) []byte {
	line := lineBreak(data)
	after := bytes.Clone(data)
	if len(after) > 0 && after[len(after)-1] != '\n' {
		after = append(after, line...)
	}
	if len(bytes.TrimSpace(after)) > 0 {
		after = append(after, line...)
	}
	after = append(after, "["+servers+"."+name+"]"+line...)
	for _, l := range lines {
		after = append(after, l+line...)
	}
	return after
}

// span is a piece of a file.
type span struct{ from, to int }

// table is where the server's table, and those below it, stand in a file.
type table struct {
	header span            // its own line
	keys   map[string]span // of its values, keys included
	parts  []span          // it and those below it, from header to last value
}

// find looks for the server's table. Its tables are the only ones whose name begins
// with the server's.
func (tomlForm) find(data []byte) (table, error) {
	t := table{keys: map[string]span{}}
	p := unstable.Parser{}
	p.Reset(data)
	inside, own := false, false
	for p.NextExpression() {
		e := p.Expression()
		var words []string
		place := span{from: len(data)}
		for keys := e.Key(); keys.Next(); {
			words = append(words, string(keys.Node().Data))
			place.from = min(place.from, int(keys.Node().Raw.Offset))
			place.to = int(keys.Node().Raw.Offset + keys.Node().Raw.Length)
		}
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			inside = len(words) > 1 && words[0] == servers && words[1] == name
			own = inside && len(words) == 2
			if inside {
				place.from = bytes.LastIndexByte(data[:place.from], '\n') + 1
				place.to = endOfLine(data, place.to)
				t.parts = append(t.parts, place)
			}
			if own {
				t.header = place
			}
		case unstable.KeyValue:
			place = span{int(e.Raw.Offset), int(e.Raw.Offset + e.Raw.Length)}
			if inside {
				t.parts[len(t.parts)-1].to = endOfLine(data, place.to)
			}
			if own && len(words) == 1 {
				t.keys[words[0]] = place
			}
		}
	}
	if err := p.Error(); err != nil {
		return t, fmt.Errorf("it is no TOML: %w", err)
	}
	if t.header.to == 0 {
		return t, errByHand
	}
	return t, nil
}

// endOfLine is behind the line break that follows offset.
func endOfLine(data []byte, offset int) int {
	if n := bytes.IndexByte(data[offset:], '\n'); n >= 0 {
		return offset + n + 1
	}
	return len(data)
}

// replaced is data with lines, of the form "key = value", in the server's table.
func (f tomlForm) replaced(data []byte, lines []string) ([]byte, error) {
	t, err := f.find(data)
	if err != nil {
		return nil, err
	}
	var edits []udiff.Edit
	for _, l := range lines {
		key, _, _ := strings.Cut(l, " ")
		if at, ok := t.keys[key]; ok {
			edits = append(edits, udiff.Edit{Start: at.from, End: at.to, New: strings.TrimSpace(l)})
			continue
		}
		text := l + lineBreak(data)
		if data[t.header.to-1] != '\n' {
			text = lineBreak(data) + l
		}
		edits = append(edits, udiff.Edit{Start: t.header.to, End: t.header.to, New: text})
	}
	return udiff.ApplyBytes(data, edits)
}

func (f tomlForm) drop(data []byte) ([]byte, error) {
	old, err := f.command(data)
	if err != nil || old == nil {
		return data, err
	}
	t, err := f.find(data)
	if err != nil {
		return nil, err
	}
	var edits []udiff.Edit
	for _, part := range t.parts {
		// The empty line that sets it off goes with it, if another one or the end follows.
		before, rest := data[:part.from], data[part.to:]
		next := rest[:endOfLine(rest, 0)]
		if i := emptyLine(before); i >= 0 && len(bytes.TrimSpace(next)) == 0 {
			part.from = i
		}
		edits = append(edits, udiff.Edit{Start: part.from, End: part.to})
	}
	after, err := udiff.ApplyBytes(data, edits)
	if err != nil {
		return nil, fmt.Errorf("it cannot be edited: %w", err)
	}
	return f.checked(data, after, func(values map[string]any) {
		group := values[servers].(map[string]any)
		if delete(group, name); len(group) == 0 {
			delete(values, servers)
		}
	})
}

// emptyLine is where the empty line begins with which data ends; -1 without one.
func emptyLine(data []byte) int {
	cut := bytes.TrimSuffix(bytes.TrimSuffix(data, []byte("\n")), []byte("\r"))
	if len(cut) == len(data) || len(cut) > 0 && cut[len(cut)-1] != '\n' {
		return -1
	}
	return len(cut)
}

// checked is after, once it is certain that it says what was expected and nothing else.
func (f tomlForm) checked(before, after []byte, expected func(map[string]any)) ([]byte, error) {
	was, err := f.values(before)
	if err != nil {
		return nil, err
	}
	is, err := f.values(after)
	if err != nil {
		return nil, errByHand
	}
	expected(was)
	if group, ok := is[servers].(map[string]any); ok && len(group) == 0 {
		delete(is, servers) // an empty [mcp_servers] says nothing
	}
	if group, ok := was[servers].(map[string]any); ok && len(group) == 0 {
		delete(was, servers)
	}
	if !reflect.DeepEqual(was, is) {
		return nil, errByHand
	}
	return after, nil
}
