package cli

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers are the program's rooms, the one that may import all others first.
var layers = []string{"main", "ui", "model", "render", "recall", "sessions"}

// layer is the room of a file or of an import below this module: its first
// path element.
func layer(path string) int {
	first, _, _ := strings.Cut(filepath.ToSlash(path), "/")
	if strings.HasSuffix(first, ".go") {
		first = "main"
	}
	return slices.Index(layers, first)
}

func TestImportsGoOneWay(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := map[int]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")) && path != root {
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		from := layer(rel)
		if from < 0 {
			t.Errorf("%s stands in no known room", rel)
			return nil
		}
		seen[from] = true
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if to, ok := strings.CutPrefix(name, "yore/"); ok && layer(to) < from {
				t.Errorf("%s imports %s, against the direction %s", rel, name, strings.Join(layers, " -> "))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) != len(layers) {
		t.Errorf("only %d of %d rooms were looked at", len(seen), len(layers))
	}
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() {
			return nil
		}
		if (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")) && path != root {
			return fs.SkipDir
		}
		files, err := filepath.Glob(filepath.Join(path, "*.go"))
		if err != nil || len(files) == 0 {
			return err
		}
		documented := slices.ContainsFunc(files, func(f string) bool {
			parsed, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.PackageClauseOnly|parser.ParseComments)
			return err == nil && parsed.Doc != nil && !strings.HasSuffix(f, "_test.go")
		})
		if !documented {
			t.Errorf("%s has no package comment", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
