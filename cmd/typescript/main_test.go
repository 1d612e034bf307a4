package main

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

// The page's types and the table in docs/api.md are up to date.
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
