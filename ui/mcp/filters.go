package mcp

import (
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/tidwall/gjson"

	"yore/recall/query"
)

// filterProperties adds the filters of the query language to the arguments of a
// tool, each under its own name.
func filterProperties(s *jsonschema.Schema) {
	for _, spec := range query.Specs() {
		value := &jsonschema.Schema{Type: "string"}
		for _, v := range spec.Values {
			value.Enum = append(value.Enum, v)
		}
		help := fmt.Sprintf("%s, such as %s", spec.Help, spec.Example)
		if spec.Several {
			s.Properties[spec.Name] = &jsonschema.Schema{Type: "array", Items: value, Description: help + "; any of them is enough"}
		} else {
			value.Description = help
			s.Properties[spec.Name] = value
		}
		s.PropertyOrder = append(s.PropertyOrder, spec.Name)
	}
}

// filters are those among the arguments of a call, which its schema allows.
func filters(arguments json.RawMessage) []query.Filter {
	var out []query.Filter
	given := gjson.ParseBytes(arguments)
	for _, spec := range query.Specs() {
		for _, value := range given.Get(spec.Name).Array() {
			if v := value.String(); v != "" {
				out = append(out, query.Filter{Name: spec.Name, Value: v})
			}
		}
	}
	return out
}
