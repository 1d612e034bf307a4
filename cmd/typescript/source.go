package main

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
)

// source holds information about types that reflection does not provide.
type source struct {
	order  []string            // the exported types in source order
	docs   map[string]string   // doc comments of types by name, and of fields as "Type.Field"
	values map[string][]string // quoted values of the string constants of a type
}

// readSource parses the Go files of folders, except tests.
func readSource(folders ...string) (*source, error) {
	s := &source{docs: map[string]string{}, values: map[string][]string{}}
	for _, folder := range folders {
		names, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			s.add(f)
		}
	}
	return s, nil
}

func (s *source) add(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		d, ok := n.(*ast.GenDecl)
		if !ok {
			_, function := n.(*ast.FuncDecl)
			return !function
		}
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				s.declared(spec, comment(d.Doc))
			case *ast.ValueSpec:
				of, typed := spec.Type.(*ast.Ident)
				for _, v := range spec.Values {
					if text, ok := v.(*ast.BasicLit); ok && typed && text.Kind == token.STRING {
						s.values[of.Name] = append(s.values[of.Name], text.Value)
					}
				}
			}
		}
		return false
	})
}

func (s *source) declared(t *ast.TypeSpec, doc string) {
	if !t.Name.IsExported() {
		return
	}
	s.order = append(s.order, t.Name.Name)
	s.docs[t.Name.Name] = doc
	if fields, ok := t.Type.(*ast.StructType); ok {
		for _, f := range fields.Fields.List {
			for _, name := range f.Names {
				s.docs[t.Name.Name+"."+name.Name] = cmp.Or(comment(f.Doc), comment(f.Comment))
			}
		}
	}
}

// comment returns a comment's text on one line.
func comment(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }
