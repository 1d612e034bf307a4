package drive

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// follow accepts a changed view if the rules allow its board. Pages show illegal boards while tiles move, so an
// illegal board has some time (patience) to become legal. pressed is the move that the session pressed or
// advised, or nil if there is none.
func (s *Session) follow(ctx context.Context, c changed, pressed *board.Direction) error {
	for deadline := time.Now().Add(patience); ; {
		if c.err != nil {
			return c.err
		}
		ok, err := s.take(&c.view, pressed)
		if ok || err != nil {
			return err
		}
		if left := time.Until(deadline); left > 0 {
			next, moved, err := s.site.Next(ctx, &c.view, left)
			if err != nil || moved {
				c = changed{next, err}
				continue
			}
		}
		break
	}
	return s.impossible(&c.view, pressed)
}

// take accepts a view if its board can follow from the previous board; ok reports whether it accepted the view.
func (s *Session) take(v *View, pressed *board.Direction) (ok bool, err error) {
	switch {
	case v.Board == s.view.Board: // the same board: only a message appeared or disappeared
		s.view = *v
		return true, nil
	case v.Board.Size() != s.view.Board.Size():
		return false, nil
	}
	steps := s.history.explain(v, pressed, func(path []game.Step) bool {
		_, ours := s.keysAfter(path)
		return ours || s.o.Advise
	})
	if steps != nil {
		s.keys, _ = s.keysAfter(steps)
		if err := s.history.make(steps); err != nil {
			return true, err
		}
		s.view = *v
		s.o.Report(Event{Kind: Moved})
		return true, nil
	}
	if !s.o.Advise {
		return false, nil
	}
	if n := s.history.undoTo(&v.Board); n > 0 {
		s.view = *v
		s.o.Report(Event{Kind: Undone, Moves: n})
		return true, nil
	}
	if _, fresh := startTiles(v); fresh {
		s.past = s.Records()
		return true, s.begin(*v)
	}
	return false, nil
}

// keysAfter returns s.keys without a key press for each of the moves in steps; all reports whether
// each of these moves had a key press.
func (s *Session) keysAfter(steps []game.Step) (keys []keyPress, all bool) {
	keys = slices.Clone(s.keys)
	for _, step := range steps {
		i := slices.IndexFunc(keys, func(k keyPress) bool { return k.move == step.Move })
		if i < 0 {
			return keys, false
		}
		keys = slices.Delete(keys, i, i+1)
	}
	return keys, true
}

// impossible returns the error for a board that the rules do not allow.
func (s *Session) impossible(v *View, pressed *board.Direction) error {
	b := &s.view.Board
	if _, fresh := startTiles(v); fresh {
		return fmt.Errorf("the page began a new game, %v, instead of continuing from %v", &v.Board, b)
	}
	switch {
	case s.o.Advise:
		return fmt.Errorf("the page went from %v to %v: more than %d moves, or impossible", b, &v.Board, maxMoves)
	case pressed == nil:
		return fmt.Errorf("the page went from %v to %v without a key press", b, &v.Board)
	}
	after, _, _ := b.Slide(*pressed)
	hint := ""
	if other := game.StepsBetween(b, &v.Board); len(other) > 0 {
		hint = fmt.Sprintf("; %v leads to this board: the page may use other keys", other[0].Move)
	}
	return fmt.Errorf("after %v on %v the page shows %v: expected %v and one new 2 or 4%s", *pressed, b, &v.Board, &after, hint)
}

// SpawnRule is the spawn rule in records of games on pages. Such records list every new tile.
const SpawnRule = "page"

// history holds the part of a game on a page that the session has seen.
type history struct {
	game   *game.Replica
	offset int64 // page's score minus game's score; 0 if the game was seen from its start or the page has no score
}

// newHistory returns a history that starts with a view. The game is complete if the board can be the
// first board of a game.
func newHistory(v *View) (_ *history, err error) {
	h := &history{}
	start, whole := startTiles(v)
	if !whole {
		start, h.offset = nil, max(0, v.Score)
	}
	h.game, err = game.NewReplica(v.Board, start)
	return h, err
}

// startTiles returns the two start tiles of a view; ok is false if the game has already begun.
func startTiles(v *View) (tiles []game.Spawn, ok bool) {
	tiles, ok = game.StartTiles(&v.Board)
	return tiles, ok && v.Score <= 0
}

// make adds moves that were seen on the page to the game.
func (h *history) make(steps []game.Step) error {
	for _, s := range steps {
		if err := h.game.Make(s); err != nil {
			return err
		}
	}
	return nil
}

// maxMoves limits the number of moves that are inferred between two boards. Inferring three moves
// takes about 0.1 s.
const maxMoves = 3

// explain returns the shortest allowed sequence of moves that leads to a view, or nil if there is none. Among
// several such sequences it prefers one that the page's score confirms, then one that contains the pressed move.
func (h *history) explain(v *View, pressed *board.Direction, allowed func([]game.Step) bool) (best []game.Step) {
	from := h.game.Board()
	rank := -1
	tried := 0
	for path := range game.PathsBetween(&from, &v.Board, maxMoves) {
		if !allowed(path) {
			continue
		}
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

// maxUndone is the maximum number of moves that a page may undo at once.
const maxUndone = 100

// undoTo goes back to an earlier board of the game. It returns the number of undone moves, or 0 if the game
// did not have this board within the last maxUndone moves.
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
