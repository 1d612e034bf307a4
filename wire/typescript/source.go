package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// declaration is an exported type of a Go package.
type declaration struct {
	name   string
	doc    string
	expr   ast.Expr
	values []string // quoted, of the constants of this type
}

// source is the types of some packages by name, and their names in source order.
type source struct {
	types map[string]*declaration
	order []string
}

// readSource parses the Go files of folders, except tests. A name may be declared in one of them
// only.
func readSource(folders ...string) (*source, error) {
	s := &source{types: map[string]*declaration{}}
	for _, folder := range folders {
		names, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			return nil, err
		}
		var files []*ast.File
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			files = append(files, f)
		}
		if err := s.add(files); err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
	}
	return s, nil
}

func (s *source) add(files []*ast.File) error {
	for spec, doc := range specs(files, token.TYPE) {
		t := spec.(*ast.TypeSpec)
		if !t.Name.IsExported() {
			continue
		}
		if s.types[t.Name.Name] != nil {
			return fmt.Errorf("%s is declared twice", t.Name.Name)
		}
		s.types[t.Name.Name] = &declaration{name: t.Name.Name, doc: doc, expr: t.Type}
		s.order = append(s.order, t.Name.Name)
	}
	for spec := range specs(files, token.CONST) {
		c := spec.(*ast.ValueSpec)
		of, ok := c.Type.(*ast.Ident)
		if !ok || s.types[of.Name] == nil {
			continue
		}
		for _, v := range c.Values {
			if text, ok := v.(*ast.BasicLit); ok && text.Kind == token.STRING {
				s.types[of.Name].values = append(s.types[of.Name].values, text.Value)
			}
		}
	}
	return nil
}

// specs yields the declarations of one kind with their doc comments.
func specs(files []*ast.File, kind token.Token) func(yield func(ast.Spec, string) bool) {
	return func(yield func(ast.Spec, string) bool) {
		for _, f := range files {
			for _, d := range f.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok || g.Tok != kind {
					continue
				}
				for _, spec := range g.Specs {
					if !yield(spec, comment(g.Doc)) {
						return
					}
				}
			}
		}
	}
}

// field is a field of a struct.
type field struct {
	name     string // in JSON; empty: embedded
	expr     ast.Expr
	doc      string
	optional bool   // may be absent
	nullable bool   // a pointer that is always written
	override string // the type given by its tag
}

// fieldsOf reads a struct's fields and their tags.
func fieldsOf(t *ast.StructType) ([]field, error) {
	var all []field
	for _, f := range t.Fields.List {
		out := field{expr: f.Type, doc: cmp.Or(comment(f.Doc), comment(f.Comment))}
		if len(f.Names) == 0 {
			all = append(all, out)
			continue
		}
		if len(f.Names) > 1 || f.Tag == nil {
			return nil, fmt.Errorf("field %s: want one name and a json tag", f.Names[0].Name)
		}
		quoted, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			return nil, err
		}
		tag := reflect.StructTag(quoted)
		options := strings.Split(tag.Get("json"), ",")
		out.name, out.optional = options[0], slices.Contains(options[1:], "omitempty")
		if star, ok := out.expr.(*ast.StarExpr); ok {
			out.expr, out.nullable = star.X, !out.optional
		}
		if param, ok := tag.Lookup("param"); ok && !strings.HasPrefix(param, "required") && !strings.HasPrefix(param, "answer") {
			out.optional = true
		}
		switch ts := tag.Get("ts"); ts {
		case "?":
			out.optional = true
		default:
			out.override = ts
		}
		all = append(all, out)
	}
	return all, nil
}

// comment returns a comment's text on one line.
func comment(c *ast.CommentGroup) string {
	if c == nil {
		return ""
	}
	return strings.Join(strings.Fields(c.Text()), " ")
}
