package config

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Setting is a key with what holds for it and where that comes from.
type Setting struct {
	Key   Key
	Name  string // whole, for a family's member too
	Value any    // string, bool, int or []string
	From  string // Unset, a file, or an environment's variable
}

// Unset is where a value comes from that nobody has set.
const Unset = "default"

// Settings are all that holds, in the order of the file.
func (c Config) Settings() []Setting {
	var out []Setting
	for i := range declared {
		d := &declared[i]
		names := []string{""}
		if d.family != nil {
			names = d.names(c)
		}
		for _, name := range names {
			s := Setting{Key: d.Key, Name: d.key(name), Value: d.get(c, name), From: Unset}
			if span, ok := s.Value.(time.Duration); ok {
				s.Value = span.String()
			}
			if from, ok := c.from[s.Name]; ok {
				s.From = from
			}
			out = append(out, s)
		}
	}
	return out
}

// TOML is the effective configuration as a file: each key with what it means,
// what holds, and where that comes from. What is not set stands behind "#".
func (c Config) TOML() string {
	var b strings.Builder
	b.WriteString("# What holds for yore, from the configuration file and the environment.\n")
	settings := c.Settings()
	for _, k := range Keys() {
		explain(&b, k)
		set := false
		for _, s := range settings {
			if s.Key.Name != k.Name {
				continue
			}
			hidden := ""
			if s.From == Unset {
				hidden = "# "
			}
			set = set || s.From != Unset || k.Example == nil
			fmt.Fprintf(&b, "%s%s = %s  # from: %s\n", hidden, tomlKey(s.Name), tomlValue(s.Value), s.From)
		}
		if !set {
			fmt.Fprintf(&b, "# For example: %s = %s\n", k.member(), tomlValue(k.Example))
		}
	}
	return b.String()
}

// initial is the file to begin with: each key behind "#" with an example, or with what
// holds without it.
func initial() string {
	var b strings.Builder
	b.WriteString("# What is set for yore. Without the # before it, a line is set; yore config prints what holds.\n")
	for i := range declared {
		d := &declared[i]
		value := d.Example
		if value == nil {
			value = d.initial
		}
		explain(&b, d.Key)
		fmt.Fprintf(&b, "# %s = %s\n", d.member(), tomlValue(value))
	}
	return b.String()
}

// explain writes what a key means.
func explain(b *strings.Builder, k Key) {
	fmt.Fprintf(b, "\n# %s\n", k.Doc)
	if len(k.Values) > 0 {
		fmt.Fprintf(b, "# One of: %s\n", strings.Join(k.Values, ", "))
	}
}

// member is the key's name, of a family that of one of its members.
func (k Key) member() string { return strings.Replace(k.Name, "*", exampleOf[k.Name], 1) }

// exampleOf is a member of each family.
var exampleOf = map[string]string{"roots" + star: "claude", "keys" + star: "resume"}

// tomlKey quotes the parts of a dotted name that are not bare keys.
func tomlKey(name string) string {
	parts := strings.Split(name, ".")
	for i, p := range parts {
		if p == "" || strings.Trim(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
			parts[i] = tomlText(p)
		}
	}
	return strings.Join(parts, ".")
}

func tomlValue(value any) string {
	switch v := value.(type) {
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case []string:
		quoted := make([]string, len(v))
		for i, s := range v {
			quoted[i] = tomlText(s)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	return tomlText(fmt.Sprint(value))
}

// tomlText is a basic string of TOML.
func tomlText(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, "\\u%04X", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}
