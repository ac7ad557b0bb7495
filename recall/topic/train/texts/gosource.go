package texts

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
)

// GoSource reads the doc comments of the Go source below dir, tests and test data
// left out: each name and what is said of it, its first sentence and the rest.
func GoSource(dir fs.FS, yield func(Pair)) (Stats, error) {
	e := &emitter{yield: yield, least: leastFound}
	err := fs.WalkDir(dir, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "vendor") {
			return fs.SkipDir
		}
		if !entry.Type().IsRegular() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		e.stats.Files++
		src, err := fs.ReadFile(dir, path)
		if err != nil {
			e.stats.Broken++
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			e.stats.Broken++
			return nil
		}
		e.goFile(file)
		return nil
	})
	return e.stats, err
}

func (e *emitter) goFile(file *ast.File) {
	e.comment("package "+file.Name.Name, file.Doc)
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			e.comment(file.Name.Name+" "+receiver(d)+d.Name.Name, d.Doc)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					e.comment(file.Name.Name+" "+s.Name.Name, firstDoc(s.Doc, d.Doc))
					e.fields(s)
				case *ast.ValueSpec:
					e.comment(file.Name.Name+" "+s.Names[0].Name, firstDoc(s.Doc, d.Doc))
				}
			}
		}
	}
}

func (e *emitter) fields(s *ast.TypeSpec) {
	structure, ok := s.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, field := range structure.Fields.List {
		if len(field.Names) > 0 {
			e.comment(s.Name.Name+" "+field.Names[0].Name, field.Doc)
		}
	}
}

// comment gives the pairs of one doc comment.
func (e *emitter) comment(name string, doc *ast.CommentGroup) {
	if doc == nil {
		return
	}
	text := strings.Join(strings.Fields(doc.Text()), " ")
	if strings.Contains(text, "DO NOT EDIT") || strings.HasPrefix(text, "Copyright") {
		return
	}
	e.pair(name, text)
	if first, rest := split(text); rest != "" {
		e.pair(first, rest)
	}
	e.windows(text)
}

func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return ""
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if name, ok := t.(*ast.Ident); ok {
		return name.Name + " "
	}
	return ""
}

func firstDoc(docs ...*ast.CommentGroup) *ast.CommentGroup {
	for _, d := range docs {
		if d != nil {
			return d
		}
	}
	return nil
}
