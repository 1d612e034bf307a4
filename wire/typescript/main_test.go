package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// The page's types are those of package wire.
func TestFresh(t *testing.T) {
	want, err := generate("../..")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../" + target)
	if err != nil {
		t.Fatal(err)
	}
	// A checkout may write other line ends.
	if got = bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")); !bytes.Equal(got, want) {
		t.Error("serve/ui/src/types.ts is stale: run go generate ./wire, then go generate ./serve")
	}
}

func TestTypes(t *testing.T) {
	g := &generator{source: &source{types: map[string]*declaration{"Thing": {name: "Thing"}}}}
	for in, want := range map[string]string{
		"bool":                      "boolean",
		"uint64":                    "number",
		"Thing":                     "Thing",
		"[]*Thing":                  "Thing[]",
		"[][]int":                   "number[][]",
		"[2]float64":                "[number, number]",
		"map[string]Thing":          "Record<string, Thing>",
		"map[board.Direction]Thing": "Partial<Record<Dir, Thing>>",
		"ByTile[Thing]":             "Record<string, Thing>",
		"board.Board":               "Board",
		"board.Size":                "string",
		"json.RawMessage":           "",
		"chan int":                  "",
	} {
		e, err := parser.ParseExpr(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.typeOf(e); got != want {
			t.Errorf("%s is %q, want %q", in, got, want)
		}
	}
}

func TestFields(t *testing.T) {
	text := declared(t, `
		Board board.Board `+"`json:\"board\"`"+`
		A *int `+"`json:\"a\"`"+` // how many
		B *int `+"`json:\"b,omitempty\"`"+`
		C int `+"`json:\"c\" ts:\"?\"`"+`
		D json.RawMessage `+"`json:\"d\" ts:\"Other | null\"`")
	const want = "export interface T {\n  board: Board | string\n  /** how many */\n  a: number | null\n  b?: number\n  c?: number\n  d: Other | null\n}\n\n"
	if text != want {
		t.Errorf("params are\n%s\nwant\n%s", text, want)
	}
}

// A type without a counterpart is an error that names the field.
func TestUnknownType(t *testing.T) {
	g := parsed(t, "D json.RawMessage `json:\"d\"`")
	g.declare(g.types["T"])
	if g.err == nil || !strings.HasPrefix(g.err.Error(), "T: d ") {
		t.Errorf("error %v", g.err)
	}
}

func declared(t *testing.T, fields string) string {
	t.Helper()
	g := parsed(t, fields)
	g.declare(g.types["T"])
	if g.err != nil {
		t.Fatal(g.err)
	}
	return g.out.String()
}

func parsed(t *testing.T, fields string) *generator {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "t.go", "package t\ntype T struct {"+fields+"\n}", parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	s := &source{types: map[string]*declaration{}}
	if err := s.add([]*ast.File{f}); err != nil {
		t.Fatal(err)
	}
	return &generator{source: s}
}
