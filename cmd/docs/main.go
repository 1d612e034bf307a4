// Command docs writes the generated parts of the documentation, from the root of the repository:
//
//   - docs/rooms.svg and the table of packages in docs/architecture.md, from the order of rooms in rooms.go
//     and the packages' comments;
//   - docs/ladder.svg, from the table of strength against time in docs/strength.md.
//
// Run it with go generate . after a change of any of these.
package main

import (
	"log"
	"os"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	files, err := generate(".")
	if err != nil {
		log.Fatal(err)
	}
	for name, data := range files {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// generate returns the generated files of the repository in the folder root, by their paths from there.
func generate(root string) (map[string][]byte, error) {
	packages, err := readPackages(root)
	if err != nil {
		return nil, err
	}
	architecture, err := os.ReadFile(filepath.Join(root, "docs/architecture.md"))
	if err != nil {
		return nil, err
	}
	strength, err := os.ReadFile(filepath.Join(root, "docs/strength.md"))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"docs/rooms.svg": []byte(roomsPicture())}
	if files["docs/architecture.md"], err = withTable(architecture, packages); err != nil {
		return nil, err
	}
	files["docs/ladder.svg"], err = ladderPicture(strength)
	return files, err
}
