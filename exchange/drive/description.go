package drive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"regexp"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/rules/board"
)

// maxDescription limits the length of a description, in bytes.
const maxDescription = 64 << 10

// Description says how to read and play a page. Exactly one of Script, Cells and Tiles must be set; it says
// where the board is. CSS selectors select elements of the page; "" means that the page has no such element.
type Description struct {
	// Rows and Cols are the size of the board. If they are 0, the size comes from counting RowElements and
	// CellElements, or else is 4x4. If Script is set, they may be 0 for square boards, whose size follows
	// from the number of values.
	Rows int `json:"rows"`
	Cols int `json:"cols"`

	RowElements  string `json:"row_elements"`
	CellElements string `json:"cell_elements"`

	// Script is a JavaScript expression for the tiles' values, row by row, 0 for empty cells.
	Script string `json:"script"`

	// Cells selects an element for each cell, row by row. The cell's value is the element's text, or the value of
	// its attribute named Attribute.
	Cells     string `json:"cells"`
	Attribute string `json:"attribute"`

	// Tiles selects the elements of the tiles. Position and Value are regular expressions that match the classes of
	// these elements, with groups named row, col and value. First is the number of the first row and column: 0 or 1.
	Tiles    string `json:"tiles"`
	Position string `json:"position"`
	Value    string `json:"value"`
	First    int    `json:"first"`

	// Saved is the local storage key of a saved game in the format of the original page. If the page has
	// such a game, it must agree with the board that the page shows.
	Saved string `json:"saved"`

	Score       string `json:"score"`        // element whose text begins with the score
	Won         string `json:"won"`          // element that is visible while a win stops the game
	KeepPlaying string `json:"keep_playing"` // element to click while Won is visible
	Over        string `json:"over"`         // element that is visible when the game is over

	// Keys are the keys of the moves, as named by KeyboardEvent.key: ArrowUp, w, 8 and so on.
	Keys map[board.Direction]string `json:"keys"`
}

// Original returns the description of the original page and its descendants.
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

// ParseDescription reads a description in JSON. Moves that are missing in Keys get the arrow keys. It fails on
// unknown fields and invalid values.
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
		return d, fmt.Errorf("%w: must be a JSON object such as {\"cells\":\".cell\"}; see docs/drive.md", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return d, errors.New("text after the JSON object")
	}
	return d, d.check()
}

func (d *Description) check() error {
	ways := slices.DeleteFunc([]string{d.Script, d.Cells, d.Tiles}, func(way string) bool { return way == "" })
	switch {
	case len(ways) != 1:
		return fmt.Errorf("%d of script, cells and tiles are given: give one", len(ways))
	case (d.Rows == 0) != (d.Cols == 0):
		return errors.New("rows and cols: must be both or none")
	case d.Rows != 0 && !(board.Size{Rows: d.Rows, Cols: d.Cols}).Valid():
		return fmt.Errorf("rows %d, cols %d: must be from %d to %d", d.Rows, d.Cols, board.MinSide, board.MaxSide)
	case d.Attribute != "" && d.Cells == "":
		return errors.New("attribute goes with cells")
	case d.Tiles == "" && (d.Position != "" || d.Value != "" || d.First != 0):
		return errors.New("position, value and first go with tiles")
	case d.First < 0 || d.First > 1:
		return fmt.Errorf("first %d: must be 0 or 1", d.First)
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
			return fmt.Errorf("keys: %s: %q: must be a name such as ArrowUp, or a letter or digit", dir, d.Keys[dir])
		}
	}
	return nil
}

// namedGroups checks that a regular expression has groups with the given names.
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

// key is a key as the DevTools protocol describes it.
type key struct {
	Key  string `json:"key"`
	Code string `json:"code"`
	Text string `json:"text,omitempty"`
	VK   int    `json:"windowsVirtualKeyCode"`
}

// keyOf returns the key that KeyboardEvent.key calls name: an arrow key, a lower-case letter or a digit.
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

// View is what a page shows.
type View struct {
	Board board.Board
	Score int64 // score on the page; negative if not known
	Won   bool  // a win stops the game until KeepPlaying is called
	Over  bool  // the page says that the game is over

	key string // identifies the view for the reading script
}

// answer is what the reading script returns.
type answer struct {
	Origin  string    `json:"origin"`
	Rows    int       `json:"rows"`
	Cols    int       `json:"cols"`
	Cells   []float64 `json:"cells"` // JSON has null for numbers such as NaN; it becomes 0
	Saved   []float64 `json:"saved"` // the saved game; nil if the page has none
	Score   *int64    `json:"score"`
	Won     bool      `json:"won"`
	Over    bool      `json:"over"`
	Agreed  bool      `json:"agreed"` // Saved equals Cells
	Begun   bool      `json:"begun"`  // the page had time to draw its board, or is hidden
	Settled bool      `json:"settled"`
	Key     string    `json:"key"`
	Error   string    `json:"error"`
}

// maxAnswer limits an answer, in bytes. The answer of a 6x6 board takes less than 1,000.
const maxAnswer = 64 << 10

// parseAnswer parses the text that the script returned. The text is untrusted: the page may have forged it.
func parseAnswer(text string) (a answer, err error) {
	if len(text) > maxAnswer {
		return a, fmt.Errorf("the page's answer has %d bytes: must be at most %d", len(text), maxAnswer)
	}
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return a, fmt.Errorf("the page's answer cannot be read: %w", err)
	}
	return a, nil
}

// view checks the numbers of an answer and returns its view. sized means that the answer's rows and columns
// come from the description or the page; otherwise the board is square and its size follows from the number
// of cells.
func (a *answer) view(sized bool) (View, error) {
	size := board.Size{Rows: a.Rows, Cols: a.Cols}
	if !sized {
		for size = (board.Size{Rows: board.MinSide, Cols: board.MinSide}); size.Cells() < len(a.Cells) && size.Rows <= board.MaxSide; {
			size.Rows, size.Cols = size.Rows+1, size.Cols+1
		}
	}
	if !size.Valid() || size.Cells() != len(a.Cells) {
		return View{}, fmt.Errorf("the page has a board of %d numbers: must be %dx%d to %dx%d; boards that are not square need rows and cols in --page",
			len(a.Cells), board.MinSide, board.MinSide, board.MaxSide, board.MaxSide)
	}
	b := board.New(size)
	for i, x := range a.Cells {
		tile := int64(x)
		if float64(tile) != x || !board.IsTile(tile) {
			return View{}, fmt.Errorf("the page has a tile %v in row %d, column %d: must be 0 or a power of two from 2 to 2^%d", x, i/size.Cols+1, i%size.Cols+1, board.MaxExponent)
		}
		if tile > 0 {
			b.Set(i, uint8(bits.TrailingZeros64(uint64(tile))))
		}
	}
	v := View{Board: b, Score: -1, Won: a.Won, Over: a.Over, key: a.Key}
	if a.Score != nil {
		v.Score = *a.Score
	}
	return v, nil
}

// disagreement returns an error that shows the board of the page and its saved game, which differ.
func (a *answer) disagreement() error {
	return fmt.Errorf("the page shows %s, and its saved game is %s; is the game open in another tab?", numbers(a.Cells, a.Cols), numbers(a.Saved, a.Cols))
}

// numbers formats cells that may not be a valid board.
func numbers(cells []float64, cols int) string {
	words := each.Of(cells[:min(len(cells), board.MaxSide*board.MaxSide)], func(c float64) string { return fmt.Sprint(c) })
	var rows []string
	for row := range slices.Chunk(words, max(1, cols)) {
		rows = append(rows, strings.Join(row, ","))
	}
	return strings.Join(rows, "/")
}
