package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// layers are the rows of docs/rooms.svg from the top: each imports only rows below it, or
// packages to its left in the same row.
var layers = []struct {
	title string
	names []string
}{
	{"commands", []string{"cli"}},
	{"user interfaces", []string{"serve", "tui"}},
	{"tools on top of players", []string{"tune", "env", "bench", "film", "scaffold", "drive"}},
	{"protocol and experiments", []string{"session", "arena", "hub", "experiment"}},
	{"players", []string{"player", "odds", "explain", "review", "picture", "exchange"}},
	{"training, models", []string{"learn", "champion", "solve", "runs", "models"}},
	{"networks, statistics, messages, search", []string{"ntuple", "stats", "wire", "search"}},
	{"rules and evaluators", []string{"board", "bitboard", "palette", "game", "eval", "endings"}},
	{"small helpers", []string{"internal"}},
}

// roomsSVG draws the layers.
func roomsSVG() string {
	const width, height, left = 840, 58, 250
	var w strings.Builder
	fmt.Fprintf(&w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="15">`+"\n", width, len(layers)*height+54)
	fmt.Fprintf(&w, `<rect width="100%%" height="100%%" fill="#ffffff"/>`+"\n")
	fmt.Fprintf(&w, `<text x="16" y="30" font-size="16" font-weight="bold" fill="#222">Packages of Afterstate</text><text x="%d" y="30" fill="#666">a row imports rows below it, and packages to the left</text>`+"\n", left)
	for i, layer := range layers {
		y := 46 + i*height
		hue := 20 + i*26
		fmt.Fprintf(&w, `<text x="16" y="%d" fill="#444">%s</text>`+"\n", y+31, layer.title)
		gap := 10
		box := (width - left - 16 - gap*(len(layer.names)-1)) / len(layer.names)
		for j, name := range layer.names {
			x := left + j*(box+gap)
			fmt.Fprintf(&w, `<rect x="%d" y="%d" width="%d" height="44" rx="8" fill="hsl(%d,60%%,92%%)" stroke="hsl(%d,45%%,50%%)"/><text x="%d" y="%d" text-anchor="middle" font-family="monospace" fill="#222">%s</text>`+"\n",
				x, y+4, box, hue, hue, x+box/2, y+31, name)
		}
	}
	w.WriteString("</svg>\n")
	return w.String()
}

// The picture of the rooms shows all of them in their order; UPDATE=1 draws it anew.
func TestRoomsPicture(t *testing.T) {
	shown := map[string]bool{".": true, "cmd": true, "examples/...": true} // the programs and their examples
	last := len(rooms)
	for _, layer := range layers {
		lowest := last
		for _, name := range layer.names {
			shown[name] = true
			at := room(name)
			if name == "internal" {
				at = 0
			}
			if at >= last {
				t.Errorf("%s may be imported by a row above it", name)
			}
			lowest = min(lowest, at)
		}
		last = lowest
	}
	for _, r := range rooms {
		if top, _, _ := strings.Cut(r, "/"); !shown[top] && !shown[r] {
			t.Errorf("%s is missing in the picture", top)
		}
	}
	const file = "docs/rooms.svg"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(roomsSVG()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(file); err != nil || string(kept) != roomsSVG() {
		t.Errorf("%s is stale (%v): UPDATE=1 go test -run RoomsPicture .", file, err)
	}
}

// The walks of docs/architecture.md name files that exist, and what is declared in them.
func TestArchitectureWalks(t *testing.T) {
	doc, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	steps := regexp.MustCompile("(?m)^\\d+\\. `([^`]+)`([^:]*):").FindAllStringSubmatch(string(doc), -1)
	if len(steps) < 20 {
		t.Errorf("found %d steps", len(steps))
	}
	for _, s := range steps {
		source, err := os.ReadFile(s[1])
		if err != nil {
			t.Error(err)
			continue
		}
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(s[2], -1) {
			receiver, method, isMethod := strings.Cut(name[1], ".")
			declared := `(?m)^(func|type) ` + regexp.QuoteMeta(receiver) + `\b|^function ` + regexp.QuoteMeta(receiver) + `\b`
			if isMethod {
				declared = `(?m)^func \((\w+ )?\*?` + regexp.QuoteMeta(receiver) + `(\[\w+\])?\) ` + regexp.QuoteMeta(method) + `\(`
			}
			if !regexp.MustCompile(declared).Match(source) {
				t.Errorf("%s does not declare %s", s[1], name[1])
			}
		}
	}
}
