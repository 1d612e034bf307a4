// Command typescript generates the page's types from the structs of package protocol, and the table of methods in
// docs/api.md:
//
//	go run ./cmd/typescript .
//
// Its argument is the folder of the repository, in which it writes serve/ui/src/types.ts and docs/api.md; go
// generate ./protocol runs it. Structs reachable from session.Methods become interfaces with their doc
// comments. Field types follow what encoding/json writes: a pointer is "T | null", board.Size is a string. The
// option omitempty makes a field optional, and so does a tag param other than "required" and "answer". The
// struct tag ts changes a field: ts:"?" makes it optional, any other text is its TypeScript type. A field of
// type json.RawMessage needs this tag.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/afterstate2048/afterstate/internal/option"
	"github.com/afterstate2048/afterstate/serve/session"
)

// Paths of the generated files in the repository.
const (
	target = "serve/ui/src/types.ts"
	api    = "docs/api.md"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "typescript: must be one argument, the folder of the repository")
		os.Exit(2)
	}
	root := os.Args[1]
	if err := write(root); err != nil {
		fmt.Fprintln(os.Stderr, "typescript:", err)
		os.Exit(1)
	}
}

func write(root string) error {
	types, err := generate(root)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(root, target), types, 0o666); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(root, api))
	if err != nil {
		return err
	}
	if text, err = withTable(text); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, api), text, 0o666)
}

// The table of methods in docs/api.md is between these lines.
const (
	tableBegin = "<!-- methods: go generate ./protocol -->\n"
	tableEnd   = "<!-- /methods -->\n"
)

// slots maps the slot of a method to the word for it in the table of methods.
var slots = map[session.Slot]string{session.Immediate: "", session.Ordered: "search", session.Concurrent: "concurrent"}

// withTable returns the text of docs/api.md with a new table of methods.
func withTable(text []byte) ([]byte, error) {
	before, rest, ok := bytes.Cut(text, []byte(tableBegin))
	_, after, closed := bytes.Cut(rest, []byte(tableEnd))
	if !ok || !closed {
		return nil, fmt.Errorf("%s: must contain the lines %q and %q", api, tableBegin, tableEnd)
	}
	var out bytes.Buffer
	out.Write(before)
	out.WriteString(tableBegin + "| method | params (`?`: optional) | |\n|---|---|---|\n")
	for _, m := range session.Methods() {
		fmt.Fprintf(&out, "| `%s` | %s | %s |\n", m.Name, strings.Join(paramsOf(reflect.TypeOf(m.Params)), ", "), slots[m.Slot])
	}
	out.WriteString(tableEnd)
	out.Write(after)
	return out.Bytes(), nil
}

// paramsOf returns a text for each param in a struct: its name and what it accepts.
func paramsOf(t reflect.Type) (all []string) {
	if t == nil {
		return []string{"none"}
	}
	for _, o := range option.Options(t, "param") {
		text := "`" + o.Name + "`"
		if o.Mark != "required" {
			text += "?"
		}
		var limits []string
		if o.Tag.Get("range") != "" || o.Tag.Get("items") != "" {
			limits = append(limits, o.Want())
		}
		if o.Default != "" {
			limits = append(limits, "default "+o.Default)
		}
		if limits != nil {
			text += " (" + strings.Join(limits, "; ") + ")"
		}
		all = append(all, text)
	}
	return all
}
