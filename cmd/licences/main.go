// Command licences collects the licences of everything that the release artifacts contain: Go modules
// that are linked on any released system, Go's own library, and what the page embeds.
//
//	go run ./cmd/licences [FILE]
//
// It writes THIRD_PARTY_LICENSES.txt in the current folder, or FILE. A test fails while that file is
// stale.
package main

import (
	"fmt"
	"os"

	"github.com/afterstate2048/afterstate/internal/atomicfile"
)

// fileName is that of the repository and of the artifacts.
const fileName = "THIRD_PARTY_LICENSES.txt"

func main() {
	file := fileName
	switch len(os.Args) {
	case 1:
	case 2:
		file = os.Args[1]
	default:
		fmt.Fprintln(os.Stderr, "usage: go run ./cmd/licences [FILE]")
		os.Exit(2)
	}
	text, err := collect(".")
	if err == nil {
		err = atomicfile.Write(file, []byte(text), 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}
