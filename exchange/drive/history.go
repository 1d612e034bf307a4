package drive

import (
	"slices"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// SpawnRule is the spawn rule in the records of games on pages: their tiles are listed.
const SpawnRule = "page"

// history is a game on a page, as far as it was seen.
type history struct {
	game   *game.Seen
	offset int64 // of the page's score, where the page has one, against the game's; 0 in whole games
}

// newHistory returns the history that begins with a view. It is a whole game if the board can be the
// first one.
func newHistory(v *View) (*history, error) {
	h := &history{}
	start, whole := startTiles(v)
	if !whole {
		start, h.offset = nil, max(0, v.Score)
	}
	var err error
	h.game, err = game.See(v.Board, start)
	return h, err
}

// startTiles returns the two tiles that a game starts with; ok is false for the board of a game that has
// begun.
func startTiles(v *View) (tiles []game.Spawn, ok bool) {
	tiles, ok = game.StartTiles(&v.Board)
	return tiles, ok && v.Score <= 0
}

// make makes moves that were seen.
func (h *history) make(steps []game.Step) error {
	for _, s := range steps {
		h.game.Next(s.Spawn)
		if err := h.game.Move(s.Move); err != nil {
			return err
		}
	}
	return nil
}

// maxMoves limits the moves that are made up between two boards. Three take about 0.1 s.
const maxMoves = 3

// explain returns the moves that lead to a view: preferably one, preferably those that the page's score
// confirms, preferably with the pressed move.
func (h *history) explain(v *View, pressed *board.Direction) (best []game.Step) {
	from := h.game.Board()
	rank := -1
	tried := 0
	for path := range game.PathsBetween(&from, &v.Board, maxMoves) {
		r := 0
		if v.Score >= 0 && h.scoreAfter(path) == v.Score {
			r += 2
		}
		if pressed != nil && slices.ContainsFunc(path, func(s game.Step) bool { return s.Move == *pressed }) {
			r++
		}
		if r > rank {
			best, rank = path, r
		}
		if tried++; r == 3 || tried == 1000 {
			break
		}
	}
	return best
}

// scoreAfter returns the page's score after further moves.
func (h *history) scoreAfter(path []game.Step) int64 {
	b, score := h.game.Board(), h.offset+h.game.Score()
	for _, s := range path {
		after, reward, _ := b.Slide(s.Move)
		score += reward
		after.Set(s.Spawn.Cell, s.Spawn.Exponent)
		b = after
	}
	return score
}

// maxUndone limits how far a page may go back.
const maxUndone = 100

// undoTo goes back to a board of the game's past. It returns the number of moves, 0 if the board was not
// there.
func (h *history) undoTo(b *board.Board) int {
	n := 0
	for n < maxUndone && h.game.Undo() {
		n++
		if h.game.Board() == *b {
			return n
		}
	}
	for range n {
		h.game.Redo()
	}
	return 0
}

// record returns the record of the game.
func (h *history) record(player string) record.Record {
	return record.Of(h.game.Game, record.Meta{Spawn: SpawnRule, Player: player})
}
