package render

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"yore/recall"
	"yore/sessions"
)

// object is one JSON form.
type object struct {
	name  string
	shape reflect.Type
	says  string
}

var objects = []object{
	{recallSchema, reflect.TypeFor[recallObject[passageRow]](), "What yore recall --json prints. --jsonl prints the passages, one a line."},
	{readSchema, reflect.TypeFor[readObject[readRow]](), "What yore read --json prints. --jsonl prints the passages, one a line."},
	{sessionsSchema, reflect.TypeFor[sessionsObject[sessionRow]](), "What yore sessions --json prints. --jsonl prints the sessions, one a line."},
	{contextSchema, reflect.TypeFor[contextObject[contextRow]](), "What yore context --json prints. --jsonl prints the hits, one a line."},
	{doctorSchema, reflect.TypeFor[doctorObject[harnessRow]](), "What yore doctor --json prints. --jsonl prints the agent programs, one a line."},
	{configSchema, reflect.TypeFor[configObject[ConfigValue]](), "What yore config --json prints. --jsonl prints the values, one a line."},
}

// values are what the members of some names can be, wherever they stand.
var values = map[string][]any{
	"role":      {sessions.User.String(), sessions.Assistant.String()},
	"kind":      {kindKey(sessions.Prompt), kindKey(sessions.Reply), kindKey(sessions.Summary), kindKey(sessions.Thinking), kindKey(sessions.ToolCall), kindKey(sessions.ToolOutput)},
	"matched":   {string(recall.Words), string(recall.Topic), string(recall.Both)},
	"shown":     {string(FormFull), string(FormExcerpt), string(FormLine)},
	"time_from": {string(sessions.TimeMessage), string(sessions.TimeHeader), string(sessions.TimeName), string(sessions.TimeMtime), ""},
	"state":     {"watched", "polled", "absent", "unreadable"},
}

// Schemas are the names of the JSON forms, with their versions.
func Schemas() []string {
	var names []string
	for _, o := range objects {
		names = append(names, o.name)
	}
	return names
}

// Schema is the JSON schema of the form of that name; nil when there is none. Within
// a version members may be added: a reader passes over those that it does not know.
// With --fields the rows have only the members that were asked for.
func Schema(name string) *jsonschema.Schema {
	i := slices.IndexFunc(objects, func(o object) bool { return o.name == name })
	if i < 0 {
		return nil
	}
	s, err := jsonschema.ForType(objects[i].shape, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[instant](): {Types: []string{"string", "null"}, Format: "date-time"},
	}})
	if err != nil {
		panic(fmt.Sprintf("%s has no schema: %v", name, err)) // its type is one of this package
	}
	refine(s)
	s.Schema, s.Title, s.Description = "https://json-schema.org/draft/2020-12/schema", name, objects[i].says
	var version any = name
	s.Properties["schema"].Const = &version
	return s
}

// refine says what Go's types do not: lists are never null, objects may gain members,
// and words are of a few.
func refine(s *jsonschema.Schema) {
	if slices.Equal(s.Types, []string{"null", "array"}) {
		s.Types, s.Type = nil, "array"
	}
	if s.Type == "object" {
		s.AdditionalProperties = nil
	}
	for name, p := range s.Properties {
		refine(p)
		p.Enum = values[name]
	}
	if s.Items != nil {
		refine(s.Items)
	}
}

// SchemaJSON is a schema as it stands in a file.
func SchemaJSON(name string) ([]byte, error) {
	return json.MarshalIndent(Schema(name), "", "  ")
}
