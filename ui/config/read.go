package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/pelletier/go-toml/v2"

	"yore/model"
	"yore/recall/words"
	"yore/sessions/harness"
	"yore/sessions/lazy"
)

// ErrConfig is wrapped by every error about what the user has set.
var ErrConfig = errors.New("configuration")

// sizeLimit bounds what is read of a file that is to be a configuration.
const sizeLimit = 1 << 20

// readFile takes over what the file says.
func (c *Config) readFile(o Options, path string, named bool) error {
	if path == "" {
		return nil
	}
	data, err := readSmall(path)
	if !named && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)) {
		return nil // users without a home have /dev/null in its place
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	// Editors on Windows put a byte order mark before what they save; TOML knows none.
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	var tree map[string]any
	if err := toml.Unmarshal(data, &tree); err != nil {
		return fmt.Errorf("%w: %s is not valid TOML: %s; it was left as it is", ErrConfig, path, where(err, data))
	}
	c.file = path
	for _, key := range flatten("", tree) {
		d, name := find(key.name)
		if d == nil {
			c.Notes = append(c.Notes, fmt.Sprintf("%s: there is no key %s%s", path, key.name, suggestion(key.name, ".", asWritten)))
			continue
		}
		if err := c.put(o, d, name, key.value, filepath.Dir(path), path); err != nil {
			return fmt.Errorf("%w: %s: %s: %w", ErrConfig, path, key.name, err)
		}
	}
	return nil
}

func readSmall(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, sizeLimit+1))
	if err == nil && len(data) > sizeLimit {
		err = fmt.Errorf("%s is larger than %d bytes: it is no configuration", path, sizeLimit)
	}
	return data, err
}

// where is what is wrong with a TOML text and at which place.
func where(err error, text []byte) string {
	if at, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := at.Position()
		if unquoted(text, line, column) {
			// What stands there is not repeated: it may be a key.
			return fmt.Sprintf("line %d, column %d: text stands in quotes, as in theme = \"dark\"", line, column)
		}
		return fmt.Sprintf("line %d, column %d: %s", line, column, strings.TrimPrefix(at.Error(), "toml: "))
	}
	return err.Error()
}

// bare is a value, or one of a list, that begins as a word or a path does.
var bare = lazy.Regexp(`^[\pL~/.\\]`)

// unquoted tells whether a value that begins at a line and a column of bytes, both from 1,
// is text without quotes.
func unquoted(text []byte, line, column int) bool {
	lines := bytes.Split(text, []byte("\n"))
	if line < 1 || line > len(lines) || column < 1 || column > len(lines[line-1]) {
		return false
	}
	before, value := bytes.TrimSpace(lines[line-1][:column-1]), lines[line-1][column-1:]
	return len(before) > 0 && bytes.IndexByte([]byte("=[,"), before[len(before)-1]) >= 0 && bare().Match(value)
}

// setting is one key of a file with its whole name.
type setting struct {
	name  string
	value any
}

// flatten gives the leaves of a tree by their dotted names, in order.
func flatten(prefix string, tree map[string]any) []setting {
	var out []setting
	for _, k := range slices.Sorted(maps.Keys(tree)) {
		name := prefix + k
		if below, ok := tree[k].(map[string]any); ok {
			out = append(out, flatten(name+".", below)...)
			continue
		}
		out = append(out, setting{name, tree[k]})
	}
	return out
}

// find is the declaration of a key, with the name in place of a family's star;
// nil when there is none.
func find(key string) (d *declaration, name string) {
	for i := range declared {
		d := &declared[i]
		if d.family == nil {
			if d.Name == key {
				return d, ""
			}
			continue
		}
		if rest, ok := strings.CutPrefix(key, strings.TrimSuffix(d.Name, "*")); ok {
			if name, ok := d.family(rest); ok {
				return d, name
			}
		}
	}
	return nil, ""
}

// asWritten is the name of a key as a file has it.
func asWritten(name string) string { return name }

// mistakes is how many letters a key may be off to be taken for a slip.
const mistakes = 2

// suggestion names the key that an unknown one misspells, or the first of those whose
// table it is, or all of the table that it would be in. Names are written as told, with separator between
// a table and its keys; further ones may be meant, too.
func suggestion(key, separator string, written func(name string) string, further ...string) string {
	best, least := "", mistakes+1
	var known []string
	compare := func(name string) {
		if d, ok := words.Within(key, name, mistakes); ok && d < least {
			best, least = name, d
		}
	}
	for i := range declared {
		d := &declared[i]
		var names []string
		for _, member := range d.members() {
			names = append(names, written(member))
		}
		if names == nil {
			names = []string{written(d.Name)}
		}
		if table, _, in := strings.Cut(d.Name, "."); in && strings.HasPrefix(key, written(table)+separator) {
			known = append(known, names...)
		}
		for _, name := range names {
			if strings.HasPrefix(name, key+separator) {
				return "; did you mean " + name + "?"
			}
			compare(name)
		}
	}
	for _, name := range further {
		compare(name)
	}
	switch {
	case best != "":
		return "; did you mean " + best + "?"
	case known != nil:
		return "; known are " + strings.Join(known, ", ") + "."
	}
	return "."
}

// familyNames are what may stand in place of a family's star.
var familyNames = map[string]func() []string{
	"roots" + star: harness.Names,
	"keys" + star:  model.Acts,
}

// members are the whole names of a family's keys; none of another key.
func (d *declaration) members() []string {
	if d.family == nil {
		return nil
	}
	var out []string
	for _, name := range familyNames[d.Name]() {
		out = append(out, d.key(name))
	}
	return out
}

// key is the whole name of a key, or of a family's member.
func (d *declaration) key(name string) string {
	if d.family == nil {
		return d.Name
	}
	return strings.TrimSuffix(d.Name, "*") + name
}

// put sets a key to a value as a file or a variable has it.
func (c *Config) put(o Options, d *declaration, name string, raw any, base, from string) error {
	value, err := o.value(d.Key, raw, base)
	if err != nil {
		return err
	}
	d.set(c, name, value)
	c.from[d.key(name)] = from
	return nil
}

// value checks a raw value and gives it the key's own type.
func (o Options) value(k Key, raw any, base string) (any, error) {
	wrong := func() (any, error) { return nil, fmt.Errorf("%v is no %s", raw, k.Kind) }
	text, isText := raw.(string)
	switch k.Kind {
	case Number:
		return number(raw)
	case Switch:
		switch {
		case raw == true || text == "true":
			return true, nil
		case raw == false || text == "false":
			return false, nil
		}
		return wrong()
	case Paths:
		return list(k, raw, func(text string) (string, error) { return o.absolute(text, base), nil })
	case Words:
		return list(k, raw, model.KeyName)
	}
	if !isText {
		return wrong()
	}
	switch k.Kind {
	case Model:
		if text == "" || text == EmbeddedModel {
			return text, nil
		}
		return o.absolute(text, base), nil
	case Span:
		return span(text)
	case Name:
		// What is wrong is not repeated: it may be the key itself.
		if !variableName().MatchString(text) {
			return nil, fmt.Errorf("its value is no %s", k.Kind)
		}
	}
	if k.Values != nil && !slices.Contains(k.Values, text) {
		return nil, fmt.Errorf("%q is none of %s", text, strings.Join(k.Values, ", "))
	}
	return text, nil
}

// variableName is what a variable of the environment can be called.
var variableName = lazy.Regexp(`^([A-Za-z_][A-Za-z0-9_]*)?$`)

// longest bounds a time that somebody waits.
const longest = 10 * time.Minute

func span(text string) (any, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || d > longest {
		return nil, fmt.Errorf("%q is no %s, at most %s", text, Span, longest)
	}
	return d, nil
}

func number(raw any) (any, error) {
	var n int64
	switch v := raw.(type) {
	case int64:
		n = v
	case string:
		if _, err := fmt.Sscanf(v+"\n", "%d\n", &n); err != nil {
			n = 0
		}
	}
	if n < 1 || n > 1<<31-1 {
		return nil, fmt.Errorf("%v is no number from 1 to %d", raw, 1<<31-1)
	}
	return int(n), nil
}

// list is a list of texts, each as it is meant.
func list(k Key, raw any, meant func(string) (string, error)) (any, error) {
	items, ok := raw.([]any)
	if text, isText := raw.(string); isText {
		items, ok = []any{text}, true
	}
	if !ok {
		return nil, fmt.Errorf("%v is no %s", raw, k.Kind)
	}
	out := []string{}
	for _, item := range items {
		text, ok := item.(string)
		if !ok || text == "" {
			return nil, fmt.Errorf("%#v does not belong in a %s", item, k.Kind)
		}
		text, err := meant(text)
		if err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return out, nil
}
