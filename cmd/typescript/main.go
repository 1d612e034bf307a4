// Command typescript generates the page's types from the structs of package protocol, and the table of methods in
// docs/api.md:
//
//	go run ./cmd/typescript .
//
// Its argument is the repository, in which it writes serve/ui/src/types.ts and docs/api.md; go generate ./protocol runs
// it. Structs reachable from session.Methods become interfaces with their doc comments. Field types
// follow what encoding/json writes: a pointer is "T | null", omitempty makes a field optional, and so does a tag
// param without required; board.Size is a string. The struct tag ts changes a field: ts:"?" makes it optional,
// any other text is its TypeScript type. A json.RawMessage needs one.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// Paths of the generated files in the repository.
const (
	target = "serve/ui/src/types.ts"
	api    = "docs/api.md"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "typescript: want one argument, the folder of the repository")
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
