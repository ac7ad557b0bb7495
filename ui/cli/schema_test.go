package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"yore/render"
)

// strict is a schema that allows no member which it does not name.
func strict(s *jsonschema.Schema) *jsonschema.Schema {
	if s.Type == "object" {
		s.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	}
	for _, p := range s.Properties {
		strict(p)
	}
	if s.Items != nil {
		strict(s.Items)
	}
	return s
}

// valid fails where a JSON text is not as a schema says.
func valid(t *testing.T, s *jsonschema.Schema, text string) {
	t.Helper()
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	if err := r.Validate(v); err != nil {
		t.Errorf("%v in %.400s", err, text)
	}
}

// What is printed over the sample transcripts of every harness is as its schema says.
func TestOutputsAreAsTheirSchemasSay(t *testing.T) {
	harnesses, err := filepath.Glob(filepath.Join("..", "..", "testdata", "samples", "*"))
	if err != nil || len(harnesses) == 0 {
		t.Fatal("no samples", err)
	}
	for _, dir := range harnesses {
		harness := filepath.Base(dir)
		t.Run(harness, func(t *testing.T) {
			t.Parallel()
			home := samplesHome(t, harness)
			first := ""
			for _, c := range []struct {
				schema, rows string
				args         []string
			}{
				{"yore.sessions/1", "sessions", []string{"sessions", "--agents", "on"}},
				{"yore.recall/1", "passages", []string{"recall", "--all", "the", "OR", "cache", "OR", "test"}},
				{"yore.recall/1", "passages", []string{"recall", "--in", "all", "--all", "/[a-z]/"}},
				{"yore.context/1", "hits", []string{"context", "the", "cache", "test"}},
				{"yore.doctor/1", "harnesses", []string{"doctor"}},
				{"yore.config/1", "values", []string{"config"}},
				{"yore.read/1", "passages", []string{"read", "--around", "all"}},
			} {
				args := c.args
				if args[0] == "read" {
					if first == "" {
						continue
					}
					args = append(args, first, "0")
				}
				got := invoke(home, append(args, "--json")...)
				if got.code > exitNothing {
					t.Fatalf("%q: exit code %d, %s", args, got.code, got.err)
				}
				valid(t, strict(render.Schema(c.schema)), got.out)
				if args[0] == "sessions" {
					first = firstSession(t, got.out)
				}
				if args[0] != "recall" {
					continue
				}
				rows := strict(render.Schema(c.schema)).Properties[c.rows].Items
				for line := range strings.Lines(invoke(home, append(args, "--jsonl")...).out) {
					valid(t, rows, line)
				}
			}
		})
	}
}

// firstSession is the id of the first session that has a passage.
func firstSession(t *testing.T, list string) string {
	t.Helper()
	var l struct {
		Sessions []struct {
			ID       string `json:"session_id"`
			Passages int
		}
	}
	if err := json.Unmarshal([]byte(list), &l); err != nil {
		t.Fatal(err)
	}
	for _, s := range l.Sessions {
		if s.Passages > 0 {
			return s.ID
		}
	}
	return ""
}
