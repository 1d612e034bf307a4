package drive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/rules/board"
)

// maxDescription limits the length of a description, in bytes.
const maxDescription = 64 << 10

// Description says how to read and play a page. Exactly one of Script, Cells and Tiles says where the
// board is. Selectors are those of CSS; "" means that the page has no such element.
type Description struct {
	// Rows and Cols are the size of the board. 0: RowElements and CellElements are counted, else 4x4. A
	// script's numbers need no size for square boards.
	Rows int `json:"rows"`
	Cols int `json:"cols"`

	RowElements  string `json:"row_elements"`
	CellElements string `json:"cell_elements"`

	// Script is a JavaScript expression for the tiles' values, row by row, 0 for empty cells.
	Script string `json:"script"`

	// Cells selects an element for each cell, row by row. Its value is its text, or that of Attribute.
	Cells     string `json:"cells"`
	Attribute string `json:"attribute"`

	// Tiles selects the tiles' elements. Position and Value are regular expressions for their classes,
	// with groups named row, col and value. First is the number of the first row and column.
	Tiles    string `json:"tiles"`
	Position string `json:"position"`
	Value    string `json:"value"`
	First    int    `json:"first"`

	// Saved is the key in local storage of a game in the original page's form. Where it is there, it has
	// to agree with the board that is shown.
	Saved string `json:"saved"`

	Score       string `json:"score"`        // element whose text begins with the score
	Won         string `json:"won"`          // element that is visible while a win stops the game
	KeepPlaying string `json:"keep_playing"` // element to click then
	Over        string `json:"over"`         // element that is visible when the game is over

	// Keys are the keys of the moves, by the names of KeyboardEvent.key: ArrowUp, w, 8 and so on.
	Keys map[board.Direction]string `json:"keys"`
}

// Original describes the original page and its descendants.
func Original() Description {
	return Description{
		RowElements: ".grid-container .grid-row", CellElements: ".grid-container .grid-cell",
		Tiles: ".tile-container .tile", Position: `tile-position-(?<col>\d+)-(?<row>\d+)`, Value: `tile-(?<value>\d+)`, First: 1,
		Saved: "gameState", Score: ".score-container",
		Won: ".game-message.game-won", KeepPlaying: ".keep-playing-button", Over: ".game-message.game-over",
		Keys: arrows(),
	}
}

func arrows() map[board.Direction]string {
	return map[board.Direction]string{board.Up: "ArrowUp", board.Right: "ArrowRight", board.Down: "ArrowDown", board.Left: "ArrowLeft"}
}

// ParseDescription reads a description in JSON. Keys that are not given are the arrows. It fails on
// unknown fields and on values that no page can have.
func ParseDescription(r io.Reader) (d Description, err error) {
	data, err := io.ReadAll(io.LimitReader(r, maxDescription+1))
	if err != nil {
		return d, err
	}
	if len(data) > maxDescription {
		return d, fmt.Errorf("more than %d bytes", maxDescription)
	}
	d.Keys = arrows()
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d); err != nil {
		return d, fmt.Errorf("%w: want a JSON object such as {\"cells\":\".cell\"}; see docs/drive.md", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return d, errors.New("text after the JSON object")
	}
	return d, d.check()
}

func (d *Description) check() error {
	given := 0
	for _, way := range []string{d.Script, d.Cells, d.Tiles} {
		if way != "" {
			given++
		}
	}
	switch {
	case given != 1:
		return fmt.Errorf("%d of script, cells and tiles are given: want one", given)
	case (d.Rows == 0) != (d.Cols == 0):
		return errors.New("rows and cols: want both or none")
	case d.Rows != 0 && !(board.Size{Rows: d.Rows, Cols: d.Cols}).Valid():
		return fmt.Errorf("rows %d, cols %d: want %d to %d", d.Rows, d.Cols, board.MinSide, board.MaxSide)
	case d.Attribute != "" && d.Cells == "":
		return errors.New("attribute goes with cells")
	case d.Tiles == "" && (d.Position != "" || d.Value != "" || d.First != 0):
		return errors.New("position, value and first go with tiles")
	case d.First < 0 || d.First > 1:
		return fmt.Errorf("first %d: want 0 or 1", d.First)
	case d.Won != "" && d.KeepPlaying == "":
		return errors.New("won goes with keep_playing, the element to click")
	}
	if d.Tiles != "" {
		if err := namedGroups("position", d.Position, "row", "col"); err != nil {
			return err
		}
		if err := namedGroups("value", d.Value, "value"); err != nil {
			return err
		}
	}
	for _, dir := range board.Directions {
		if _, ok := keyOf(d.Keys[dir]); !ok {
			return fmt.Errorf("keys: %s: %q: want a name such as ArrowUp, or a letter or digit", dir, d.Keys[dir])
		}
	}
	return nil
}

// namedGroups checks that a regular expression has these groups.
func namedGroups(field, pattern string, names ...string) error {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return fmt.Errorf("%s: %w", field, err)
	}
	for _, n := range names {
		if !slices.Contains(re.SubexpNames(), n) {
			return fmt.Errorf("%s: %q has no group (?<%s>...)", field, pattern, n)
		}
	}
	return nil
}

// key is a key as the DevTools protocol names it.
type key struct {
	Key  string `json:"key"`
	Code string `json:"code"`
	Text string `json:"text,omitempty"`
	VK   int    `json:"windowsVirtualKeyCode"`
}

// keyOf returns the key with a name of KeyboardEvent.key.
func keyOf(name string) (key, bool) {
	if i := slices.Index([]string{"ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"}, name); i >= 0 {
		return key{Key: name, Code: name, VK: 37 + i}, true
	}
	if len(name) != 1 {
		return key{}, false
	}
	upper := strings.ToUpper(name)
	switch c := upper[0]; {
	case 'A' <= c && c <= 'Z' && name != upper:
		return key{Key: name, Code: "Key" + upper, Text: name, VK: int(c)}, true
	case '0' <= c && c <= '9':
		return key{Key: name, Code: "Digit" + name, Text: name, VK: int(c)}, true
	}
	return key{}, false
}
