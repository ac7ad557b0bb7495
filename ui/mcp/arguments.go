package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"yore/recall/query"
	"yore/recall/words"
	"yore/render"
)

// ranges are from where to where the numbers among the arguments go.
var ranges = map[string][2]int{
	"limit":     {1, mostLimit},
	"budget":    {1, mostBudget},
	"max_bytes": {leastBytes, mostBytes},
	"passage":   {0, math.MaxInt32},
	"around":    {0, mostAround},
}

// bound says in the schema of a tool's arguments from where to where each number goes.
func bound(s *jsonschema.Schema) {
	for name, p := range s.Properties {
		if !isOf(p, "integer") {
			continue
		}
		r, ok := ranges[name]
		if !ok {
			panic("no range of the argument " + name) // of a type of this package
		}
		p.Minimum, p.Maximum = new(float64(r[0])), new(float64(r[1]))
	}
}

// read reads the arguments of a call into in. What is wrong with them is said as the
// caller has to know it. null, an empty text, also in a list, and the number 0, where it
// is none, count as not told: there are clients that tell every argument. One text in the
// place of a list is a list of one.
func read(tool string, s *jsonschema.Schema, call *mcp.CallToolParamsRaw, in any) error {
	if n := len(call.Arguments); n > mostArguments {
		return fmt.Errorf("the arguments take %d bytes, of at most %d: ask in a few words", n, mostArguments)
	}
	told, err := object(call.Arguments)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(told)) {
		p := s.Properties[name]
		if p == nil {
			return fmt.Errorf("%s has no argument %s%s", tool, shown(name), nearest(name, s))
		}
		if told[name], err = meant(p, told[name]); err != nil {
			return fmt.Errorf("%s %w", name, err)
		}
		if told[name] == nil {
			delete(told, name)
		}
	}
	for _, name := range s.Required {
		if told[name] == nil {
			return fmt.Errorf("%s needs the argument %s: %s", tool, name, s.Properties[name].Description)
		}
	}
	if call.Arguments, err = json.Marshal(told); err != nil {
		return fmt.Errorf("reading the arguments: %w", err)
	}
	if err := json.Unmarshal(call.Arguments, in); err != nil {
		return fmt.Errorf("reading the arguments: %w", err)
	}
	return nil
}

// object is what the arguments are by name; none are an empty object.
func object(arguments json.RawMessage) (map[string]any, error) {
	var value any
	d := json.NewDecoder(bytes.NewReader(arguments))
	d.UseNumber() // numbers may be larger than any type
	if err := d.Decode(&value); err != nil && len(arguments) > 0 {
		return nil, errors.New("the arguments are no JSON")
	}
	told, ok := value.(map[string]any)
	if !ok && value != nil {
		return nil, fmt.Errorf("the arguments must be an object with their names, not %s", came(value))
	}
	if told == nil {
		told = map[string]any{}
	}
	return told, nil
}

// meant is the value of an argument, nil for one that counts as not told. The error goes
// on behind the argument's name.
func meant(p *jsonschema.Schema, value any) (any, error) {
	if value == nil {
		return nil, nil
	}
	wrong := func() (any, error) { return nil, fmt.Errorf("must be %s, not %s", wanted(p), came(value)) }
	switch v := value.(type) {
	case bool:
		if !isOf(p, "boolean") {
			return wrong()
		}
	case string:
		if isOf(p, "array") { // of one: agents often leave its brackets out
			return listed(p, []any{v})
		}
		if v != "" && len(p.Enum) > 0 && !slices.Contains(p.Enum, value) || !isOf(p, "string") {
			return wrong()
		}
		if v == "" && len(p.Enum) > 0 {
			return nil, nil
		}
	case json.Number:
		if !isOf(p, "integer") {
			return wrong()
		}
		n, err := strconv.ParseFloat(v.String(), 64)
		if n == 0 && err == nil && *p.Minimum > 0 {
			return nil, nil
		}
		if err != nil || n != math.Trunc(n) || n < *p.Minimum || n > *p.Maximum {
			return wrong()
		}
		return int(n), nil
	case []any:
		if !isOf(p, "array") {
			return wrong()
		}
		return listed(p, v)
	default:
		return wrong()
	}
	return value, nil
}

// listed is the value of an argument that is a list, without the empty texts in it.
func listed(p *jsonschema.Schema, items []any) (any, error) {
	told := []any{}
	for _, item := range items {
		if _, err := meant(p.Items, item); err != nil || item == nil {
			return nil, fmt.Errorf("must be %s; %s is none of it", wanted(p), came(item))
		}
		if item != "" {
			told = append(told, item)
		}
	}
	return told, nil
}

// isOf tells whether a value may be of a type.
func isOf(s *jsonschema.Schema, kind string) bool {
	return s.Type == kind || slices.Contains(s.Types, kind)
}

// wanted is what a value has to be, in words.
func wanted(s *jsonschema.Schema) string {
	switch {
	case len(s.Enum) > 0:
		values := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			values[i] = fmt.Sprint(v)
		}
		return "one of " + strings.Join(values, ", ")
	case isOf(s, "integer"):
		number := fmt.Sprintf("a whole number from %.0f to %.0f", *s.Minimum, *s.Maximum)
		if isOf(s, "string") {
			return number + ", or a text such as 12.t3" // a place within a passage
		}
		return number
	case isOf(s, "boolean"):
		return "true or false"
	case isOf(s, "array") && len(s.Items.Enum) > 0:
		return "a list, each " + wanted(s.Items) + ", or one of them alone"
	case isOf(s, "array"):
		return "a list of texts, or one text"
	}
	return "a text"
}

// came is what a value is, in words.
func came(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return "the text " + query.Quoted(v)
	case json.Number:
		return shown(v.String())
	case bool:
		return strconv.FormatBool(v)
	case []any:
		return "a list"
	}
	return "an object"
}

// shownCells is how much of what a caller wrote an error says again.
const shownCells = 60

func shown(text string) string { return render.Cut(render.Line(text), shownCells) }

// mistakes is how many letters a name may be off to be taken for a slip.
const mistakes = 2

// nearest names the argument that an unknown one misspells, or all there are.
func nearest(name string, s *jsonschema.Schema) string {
	known := slices.Sorted(maps.Keys(s.Properties))
	best, least := "", mistakes+1
	for _, k := range known {
		if d, ok := words.Within(strings.ToLower(name), k, mistakes); ok && d < least {
			best, least = k, d
		}
	}
	if best == "" {
		return "; known are " + strings.Join(known, ", ")
	}
	return "; did you mean " + best + "?"
}
