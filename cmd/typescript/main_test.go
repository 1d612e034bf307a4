package main

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// The page's types and the table in docs/api.md are those of the methods.
func TestFresh(t *testing.T) {
	want := must.Get(generate("../.."))(t)
	got := must.Get(os.ReadFile("../../" + target))(t)
	// A checkout may write other line ends.
	if got = bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")); !bytes.Equal(got, want) {
		t.Error("serve/ui/src/types.ts is stale: run go generate ./protocol, then go generate ./serve")
	}
	text := must.Get(os.ReadFile("../../" + api))(t)
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	if want, err := withTable(text); err != nil || !bytes.Equal(text, want) {
		t.Errorf("the table of methods in docs/api.md is stale: run go generate ./protocol (%v)", err)
	}
}

type Thing struct{}

func TestTypes(t *testing.T) {
	g := newGenerator(&source{order: []string{"Thing"}})
	for of, want := range map[reflect.Type]string{
		reflect.TypeFor[bool]():                      "boolean",
		reflect.TypeFor[uint64]():                    "number",
		reflect.TypeFor[Thing]():                     "Thing",
		reflect.TypeFor[[]*Thing]():                  "Thing[]",
		reflect.TypeFor[[][]int]():                   "number[][]",
		reflect.TypeFor[[2]float64]():                "[number, number]",
		reflect.TypeFor[map[string]Thing]():          "Record<string, Thing>",
		reflect.TypeFor[map[board.Direction]Thing](): "Partial<Record<Dir, Thing>>",
		reflect.TypeFor[protocol.ByTile[Thing]]():    "Record<string, Thing>",
		reflect.TypeFor[board.Board]():               "Board",
		reflect.TypeFor[board.Size]():                "string",
		reflect.TypeFor[json.RawMessage]():           "",
		reflect.TypeFor[chan int]():                  "",
	} {
		if got := g.typeOf(of); got != want {
			t.Errorf("%v is %q, want %q", of, got, want)
		}
	}
}

// T is a type of params.
type T struct {
	Board board.Board     `json:"board" param:"required"`
	A     *int            `json:"a"`
	B     *int            `json:"b,omitempty"`
	C     int             `json:"c" ts:"?"`
	D     json.RawMessage `json:"d" ts:"Other | null"`
}

func TestFields(t *testing.T) {
	g := newGenerator(&source{docs: map[string]string{"T.A": "how many"}})
	g.declare(reflect.TypeFor[T]())
	const want = "export interface T {\n  board: Board | string\n  /** how many */\n  a: number | null\n  b?: number\n  c?: number\n  d: Other | null\n}\n\n"
	if text := g.out.String(); text != want || g.err != nil {
		t.Errorf("params are\n%s\nwant\n%s, %v", text, want, g.err)
	}
}

// A type without a counterpart is an error that names the field.
func TestUnknownType(t *testing.T) {
	type U struct {
		D json.RawMessage `json:"d"`
	}
	g := newGenerator(&source{})
	g.declare(reflect.TypeFor[U]())
	if g.err == nil || !strings.HasPrefix(g.err.Error(), "U: D ") {
		t.Errorf("error %v", g.err)
	}
}
