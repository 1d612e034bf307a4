// Command docs writes the generated parts of the documentation, from the root of the repository: docs/rooms.svg, the
// map of the folders in README.md and the table of packages in docs/packages.md. It takes them from the list of rooms
// (top-level folders) below and the packages' comments.
//
// Run it with go generate . after a change of any of these.
package main

import (
	"bytes"
	"fmt"
	"go/build"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// generate returns the generated files of the repository in the folder root, by their paths relative to it.
func generate(root string) (map[string][]byte, error) {
	packages, err := readPackages(root)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"docs/rooms.svg": []byte(roomsPicture())}
	for page, table := range map[string]string{"README.md": roomsTable(), "docs/packages.md": packagesTable(packages)} {
		if files[page], err = withTable(root, page, table); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// room is a top-level folder of the repository, with all packages in it.
type room struct {
	floor  int
	folder string
	holds  string
}

// rooms lists the rooms in the order of import: a package imports packages from its own room and
// from earlier ones only. A floor is a row of the picture.
var rooms = []room{
	{1, "internal", "helpers that know nothing of the game's rules"},
	{1, "rules", "boards, slides, spawns, games in progress with undo (`game`), their records (`record`)"},
	{2, "eval", "what a board is worth: hand-made evaluators, networks, and how networks are stored and loaded"},
	{2, "protocol", "messages of the JSON-RPC methods, for every transport"},
	{2, "env", "the game as an environment for learning"},
	{3, "search", "choosing moves by tree search; exact values of small boards and of endings"},
	{3, "learn", "training and its schedules, runs, quantizing with measured loss"},
	{4, "player", "what plays: specs, presets, external programs, games that viewers can watch; the thresholds of good moves and mistakes (`grade.go`)"},
	{5, "advice", "why a move is best, how likely each tile is, what the moves of a game cost"},
	{5, "exchange", "games and boards of other programs, read and written; boards from screenshots; playing on other sites"},
	{6, "experiment", "measuring players: games, work here and on other machines (`machines`), stores, reports"},
	{6, "tui", "the terminal screens"},
	{7, "serve", "the JSON-RPC methods (`session`), the page (`ui`) and its server"},
	{8, "cli", "the commands: flags and texts, no logic"},
	{9, "cmd", "further programs"},
	{9, "examples", "programs that use the library, bots, and learners in Python"},
}

// module is the path of this module.
const module = "github.com/afterstate2048/afterstate"

// roomOf returns the index in rooms of the room that contains a package, or -1 if none does. pkg is the path of
// the package's folder from the root of the repository.
func roomOf(pkg string) int {
	top, _, _ := strings.Cut(pkg, "/")
	return slices.IndexFunc(rooms, func(r room) bool { return r.folder == top })
}

// pack is a package of this module.
type pack struct {
	folder  string   // path from the root of the repository
	holds   string   // what the package contains or does, from its doc comment
	imports []string // imports on all systems and with all build tags, except in tests
}

// readPackages returns the packages of this module, in the order of the rooms and of their folders.
func readPackages(root string) (all []pack, err error) {
	everywhere := build.Default
	everywhere.UseAllFiles = true
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		folder, err := filepath.Rel(root, path)
		if folder = filepath.ToSlash(folder); err != nil || folder == "." {
			return err
		}
		// the folders in tools are separate modules
		if name := entry.Name(); name == "node_modules" || name == "testdata" || name[0] == '.' || name[0] == '_' || folder == "tools" {
			return fs.SkipDir
		}
		p, _ := everywhere.ImportDir(path, build.ImportComment) // ignore the error for a folder without Go files
		if len(p.GoFiles)+len(p.CgoFiles) > 0 {
			all = append(all, pack{folder, holds(p.Doc), p.Imports})
		}
		return nil
	})
	slices.SortStableFunc(all, func(a, b pack) int { return roomOf(a.folder) - roomOf(b.folder) })
	return all, err
}

// holds returns the first sentence of a package's comment without the words before its verb.
func holds(doc string) string {
	words := strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(doc))
	first := 1
	if len(words) > 2 && (words[0] == "Package" || words[0] == "Command" || words[0] == "This") {
		first = 2
	}
	return strings.TrimRight(strings.Join(words[min(first, len(words)):], " "), ".:")
}

// Marks around a generated table.
const (
	tableBegins = "<!-- table: go generate . -->\n"
	tableEnds   = "<!-- table: end -->\n"
)

// withTable returns a page with the given table between its marks.
func withTable(root, page, table string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(root, page))
	before, rest, ok := bytes.Cut(text, []byte(tableBegins))
	_, after, closed := bytes.Cut(rest, []byte(tableEnds))
	if err == nil && (!ok || !closed) {
		err = fmt.Errorf("%s lacks the marks of its table: %q and %q", page, tableBegins, tableEnds)
	}
	return slices.Concat(before, []byte(tableBegins), []byte(table), []byte(tableEnds), after), err
}

// roomsTable returns the table of the rooms for README.md.
func roomsTable() string {
	var w strings.Builder
	w.WriteString("| folder | holds |\n|---|---|\n")
	for _, r := range rooms {
		fmt.Fprintf(&w, "| `%s` | %s |\n", r.folder, r.holds) // not a link: a release has README.md, but not the folders
	}
	return w.String()
}

// packagesTable returns the table of the packages in every room.
func packagesTable(packages []pack) string {
	var w strings.Builder
	w.WriteString("| floor | folder | holds |\n|---|---|---|\n")
	for i, r := range rooms {
		fmt.Fprintf(&w, "| %d | **`%s`** | **%s** |\n", r.floor, r.folder, r.holds)
		for _, p := range packages {
			if roomOf(p.folder) == i {
				fmt.Fprintf(&w, "| | `%s` | %s |\n", p.folder, p.holds)
			}
		}
	}
	return w.String()
}

// roomsPicture draws a row for each floor, the highest at the top. The result is SVG.
func roomsPicture() string {
	const width, height, left, gap = 840, 58, 110, 10
	floors := rooms[len(rooms)-1].floor
	var w strings.Builder
	fmt.Fprintf(&w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="15">`+"\n", width, floors*height+54)
	fmt.Fprintf(&w, `<rect width="100%%" height="100%%" fill="#ffffff"/>`+"\n")
	fmt.Fprintf(&w, `<text x="16" y="30" font-size="16" font-weight="bold" fill="#222">Rooms of Afterstate</text><text x="%d" y="30" fill="#666">a room imports rooms on lower floors, and rooms to its left</text>`+"\n", left+100)
	for floor := floors; floor >= 1; floor-- {
		var onFloor []room
		for _, r := range rooms {
			if r.floor == floor {
				onFloor = append(onFloor, r)
			}
		}
		y := 46 + (floors-floor)*height
		fmt.Fprintf(&w, `<text x="16" y="%d" fill="#444">floor %d</text>`+"\n", y+31, floor)
		hue := 20 + (floors-floor)*26
		box := (width - left - 16 - gap*(len(onFloor)-1)) / len(onFloor)
		for i, r := range onFloor {
			x := left + i*(box+gap)
			fmt.Fprintf(&w, `<rect x="%d" y="%d" width="%d" height="44" rx="8" fill="hsl(%d,60%%,92%%)" stroke="hsl(%d,45%%,50%%)"/><text x="%d" y="%d" text-anchor="middle" font-family="monospace" fill="#222">%s</text>`+"\n",
				x, y+4, box, hue, hue, x+box/2, y+31, r.folder)
		}
	}
	w.WriteString("</svg>\n")
	return w.String()
}
