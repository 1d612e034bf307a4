package game

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/rules/board"
)

// Errors of Followed.
var (
	ErrTileDue   = errors.New("a new tile is due before the next move")
	ErrNoTileDue = errors.New("no new tile is due: make a move first")
)

// Followed is a game that is played elsewhere, such as in an app on a phone. Its moves and new tiles
// are entered as they appear there: after a move one tile is due, on an empty board two.
//
// It is for one goroutine at a time.
type Followed struct {
	now  followed
	past []followed // before each change; the last one is undone first
}

// followed is the state between two changes.
type followed struct {
	board board.Board
	score int64
	due   int // tiles to enter before the next move
	// newest is the cell of the tile that was just entered, -1 after another change.
	newest int
}

// Follow starts at a board. A game starts with two tiles: what an emptier board lacks is due.
func Follow(b board.Board) *Followed {
	return &Followed{now: at(b)}
}

func at(b board.Board) followed {
	tiles := b.Size().Cells() - b.Empty()
	return followed{board: b, due: max(0, 2-tiles), newest: -1}
}

// Board returns the current position; while a tile is due it lacks that tile.
func (f *Followed) Board() board.Board { return f.now.board }

// Score returns the rewards of the moves since the board was given.
func (f *Followed) Score() int64 { return f.now.score }

// Due returns the number of tiles to enter before the next move.
func (f *Followed) Due() int { return f.now.due }

// Newest returns the tile that was entered last; ok is false after any other change.
func (f *Followed) Newest() (s Spawn, ok bool) {
	if f.now.newest < 0 {
		return Spawn{}, false
	}
	return Spawn{f.now.newest, f.now.board.Cell(f.now.newest)}, true
}

// Over reports whether there is no legal move. It is false while a tile is due.
func (f *Followed) Over() bool { return f.now.due == 0 && f.now.board.Terminal() }

// Move slides the tiles, after which a new tile is due. It fails with ErrTileDue, ErrOver or
// ErrIllegal (wrapped), and then changes nothing.
func (f *Followed) Move(d board.Direction) error {
	if f.now.due > 0 {
		return ErrTileDue
	}
	after, reward, moved := f.now.board.Slide(d)
	switch {
	case !moved && f.now.board.Terminal():
		return ErrOver
	case !moved:
		return fmt.Errorf("%v: %w", d, ErrIllegal)
	}
	f.change(followed{board: after, score: f.now.score + reward, due: 1, newest: -1})
	return nil
}

// Place enters a new tile, a 2 or a 4. At the cell of the newest tile it corrects that tile. It
// fails with ErrNoTileDue or if the cell or the tile cannot be, and then changes nothing.
func (f *Followed) Place(s Spawn) error {
	b := f.now.board
	switch {
	case s.Exponent != 1 && s.Exponent != 2:
		return fmt.Errorf("new tile %d: must be 2 or 4", board.Tile(s.Exponent))
	case s.Cell < 0 || s.Cell >= b.Size().Cells():
		return fmt.Errorf("cell %d is not on a %v board", s.Cell, b.Size())
	case s.Cell == f.now.newest:
		f.now.board.Set(s.Cell, s.Exponent)
		return nil
	case f.now.due == 0:
		return ErrNoTileDue
	case b.Cell(s.Cell) != 0:
		return fmt.Errorf("%s is occupied by %d: must be an empty cell for the new tile", CellName(b.Size(), s.Cell), board.Tile(b.Cell(s.Cell)))
	}
	b.Set(s.Cell, s.Exponent)
	f.change(followed{board: b, score: f.now.score, due: f.now.due - 1, newest: s.Cell})
	return nil
}

// Replace continues from another board, with a score of 0.
func (f *Followed) Replace(b board.Board) { f.change(at(b)) }

func (f *Followed) change(to followed) {
	f.past = append(f.past, f.now)
	f.now = to
}

// Undo takes the last change back: a move, a tile with its corrections, or a replaced board. It
// returns false at the start.
func (f *Followed) Undo() bool {
	if len(f.past) == 0 {
		return false
	}
	f.now = f.past[len(f.past)-1]
	f.past = f.past[:len(f.past)-1]
	return true
}

// CellName returns the name of a cell as in a spreadsheet: a letter for the column, counted from the
// left, and the number of the row, counted from the top. Cell 0 is a1.
func CellName(s board.Size, cell int) string {
	return string(rune('a'+cell%s.Cols)) + strconv.Itoa(cell/s.Cols+1)
}

// ParseTile reads a tile as 2@b3: its value, or 0 or a dot for none, and the name of its cell.
func ParseTile(s board.Size, text string) (Spawn, error) {
	value, name, _ := strings.Cut(strings.ToLower(text), "@")
	if value == "." {
		value = "0"
	}
	tile, err := strconv.ParseInt(value, 10, 64)
	exponent := bits.TrailingZeros64(uint64(tile)) % 64 // of 0 there are 64
	if err == nil && exponent <= board.MaxExponent && board.Tile(uint8(exponent)) == tile {
		for cell := range s.Cells() {
			if CellName(s, cell) == name {
				return Spawn{cell, uint8(exponent)}, nil
			}
		}
	}
	return Spawn{}, fmt.Errorf("tile %q: must be VALUE@CELL such as 2@b2, the value 0 or a power of two, the cell from a1 (top left) to %s (bottom right)", text, CellName(s, s.Cells()-1))
}

// Edit returns the board with tiles such as 64@b3 in place of its own, or the board that the text
// is.
func Edit(b board.Board, text string) (board.Board, error) {
	if !strings.Contains(text, "@") {
		return board.Parse(text)
	}
	for _, word := range strings.Fields(text) {
		t, err := ParseTile(b.Size(), word)
		if err != nil {
			return board.Board{}, err
		}
		b.Set(t.Cell, t.Exponent)
	}
	return b, nil
}
