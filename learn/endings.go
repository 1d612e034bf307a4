package learn

import (
	"math/rand/v2"

	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// inEndings plays endings (package endings). A game starts in one ending and goes through those
// that follow, until no move is left or a 32768 is made. Its score is 1 with the 32768, else 0. A goal that is made
// is a wall of the next board, which the network values by its next stage: so the update of the last board of an
// ending moves it towards the first one of the next.
type inEndings struct{ onWords }

func newEndingWorker(net *ntuple.Network, learn learner) *worker[bitboard.Board] {
	t := &turn{batch: net.NewBatch()}
	return workerOn(net, learn, t, &inEndings{onWords{t, net, rulesOf(net.Size)}})
}

// fresh returns a new start of any ending of the network.
func (k *inEndings) fresh(_, other *rand.PCG) bitboard.Board {
	return endings.Start(int(k.net.Walls)+endings.Draw(other, k.net.StageCount()-1), other)
}

func (k *inEndings) begin(b bitboard.Board) bool {
	var after [4]bitboard.Afterstate
	k.rules.afterstates(b, &after)
	k.won = 0
	moves := 0
	for d := range after {
		if a := &after[d]; a.Moved {
			k.batch.Boards[moves&3] = a.Board
			if a.Reward >= 1<<endings.Tile {
				k.won |= 1 << moves
			}
			moves++
		}
	}
	k.batch.N = moves
	k.net.Prefetch(k.batch)
	return moves > 0
}

// endingMilestone numbers the milestones of all endings in the order of a game: a milestone is one of
// equal parts of an ending, by the sum of its small tiles.
func endingMilestone(b bitboard.Board) int {
	view, walls := endings.Of(b)
	if walls > endings.MaxWalls {
		return walls * milestones
	}
	part := endings.Small(view) * milestones / board.Tile(endings.Goal(walls))
	return walls*milestones + int(min(part, milestones-1))
}

// wallSum is the sum of a board's walls.
func wallSum(b bitboard.Board) (sum uint64) {
	_, walls := endings.Of(b)
	for k := range min(walls, endings.MaxWalls) {
		sum += uint64(board.Tile(endings.Goal(k)))
	}
	return sum
}

// newEndingPool returns a pool of the boards of all endings of a network; those of an ending have its number of walls
// times milestones and the following milestones.
func newEndingPool(fewest uint8) *pool[bitboard.Board] {
	p := newPool(endings.Tile)
	p.boards = make([][]bitboard.Board, (endings.MaxWalls+1)*milestones)
	p.milestone = func(b bitboard.Board) (int, bool) {
		m := endingMilestone(b)
		return m, m >= int(fewest)*milestones && m < len(p.boards)
	}
	return p
}

// startEnding starts a game in an ending. Endings join one after another, those with the most walls first. Half of the
// games start in the one that joined last, the others in any that joined.
func startEnding(g *gamesOn[bitboard.Board], w *worker[bitboard.Board], index uint64) (b bitboard.Board, from uint64) {
	o := &g.t.o
	joined := endings.MaxWalls - int(o.Network.Walls) + 1
	if o.JoinEvery > 0 {
		joined = int(min(uint64(joined), 1+index/o.JoinEvery))
	}
	walls := endings.MaxWalls - joined + 1
	if endings.Draw(&w.other, 2) == 0 {
		walls += endings.Draw(&w.other, joined)
	}
	stored := false
	if g.t.restarts(&w.learning) {
		b, _, stored = g.take(walls*milestones, &w.other)
	}
	if !stored {
		b = endings.Start(walls, &w.other)
	}
	w.passed = endingMilestone(b)
	return b, wallSum(b)
}
