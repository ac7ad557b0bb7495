package render

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The schemas in the repository are those of the program.
func TestSchemas(t *testing.T) {
	for _, name := range Schemas() {
		want, err := SchemaJSON(name)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, '\n')
		path := filepath.Join("schemas", strings.ReplaceAll(name, "/", ".")+".json")
		if flag.Lookup("update").Value.String() == "true" { // the golden files' own
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != string(want) {
			t.Errorf("%s is not what the program writes (%v): go test ./render -run Schemas -update", path, err)
		}
	}
}

// Every member says what it means.
func TestSchemasDescribeEveryMember(t *testing.T) {
	for _, name := range Schemas() {
		text, err := SchemaJSON(name)
		if err != nil {
			t.Fatal(err)
		}
		if s := Schema(name); len(s.Properties) < 3 && name != configSchema || s.Properties["schema"].Const == nil {
			t.Errorf("%s: %s", name, text)
		}
		for key, p := range Schema(name).Properties {
			if key != "schema" && p.Description == "" {
				t.Errorf("%s: %s has no description", name, key)
			}
			if p.Items == nil {
				continue
			}
			for inner, q := range p.Items.Properties {
				if q.Description == "" {
					t.Errorf("%s: %s.%s has no description", name, key, inner)
				}
			}
		}
	}
	if Schema("yore.other/1") != nil {
		t.Error("a schema of a form that there is not")
	}
}
