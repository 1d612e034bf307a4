package solve

import (
	"errors"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// A browser has no folder for tables, so it has no endings, and its engine is smaller without them.

const (
	wall          = 15
	maxEndingGoal = 0
)

type walls struct{ layouts []Layout }

// Layout is a set of cells of a 4x4 board.
type Layout uint16

// Walls returns 0.
func (Layout) Walls() int { return 0 }

func newWalls([]Layout, bool, uint8) *walls { return nil }

func (*walls) canonical(w word) word       { return w }
func (*walls) key(word) uint32             { return 0 }
func (*walls) board(uint32) (word, uint)   { return 0, 0 }
func (*walls) allows(word, word) bool      { return false }
func (*walls) starts() []word              { return nil }
func (*valuer) ending() (float64, float64) { return 0, 0 }

var errNoEndings = errors.New("a browser solves no endings")

func (*Problem) layouts() []Layout      { return nil }
func (*Problem) fits(*board.Board) bool { return false }
func (*Problem) checkWalls() error      { return errNoEndings }
func (*Problem) wallsName() string      { return "" }
func (p *Problem) what() string         { return p.Size.String() }
func (p *Problem) extent() Extent       { return p.bound() }
func (p *Problem) bound() Extent {
	e, _ := ExtentOf(p.Size)
	return e
}

func wallsOf(*board.Board, uint8, int) (Layout, bool, bool) { return 0, false, false }

func (*Table) endingMoves(*board.Board) ([4]search.MoveValue, error) {
	return [4]search.MoveValue{}, ErrUnreached
}

// EndingOf returns false.
func EndingOf([]board.Board, float64) (Problem, bool) { return Problem{}, false }
