// Command typescript generates the page's types from the structs of package wire:
//
//	go run ./wire/typescript .
//
// Its argument is the repository, in which it writes serve/ui/src/types.ts; go generate ./wire runs
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

// target is the path of the generated file in the repository.
const target = "serve/ui/src/types.ts"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "typescript: want one argument, the folder of the repository")
		os.Exit(2)
	}
	root := os.Args[1]
	text, err := generate(root)
	if err == nil {
		err = os.WriteFile(filepath.Join(root, target), text, 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "typescript:", err)
		os.Exit(1)
	}
}
