package search_test

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// Reference implementations of the searches. Sums are computed in the searches' order, so that
// values are equal to the last bit.

// answer is a value for each legal move.
type answer map[board.Direction]float64

// best is the move with the highest value, the lowest direction among equals.
func (a answer) best() (move board.Direction, ok bool) {
	for _, d := range board.Directions {
		if v, legal := a[d]; legal && (!ok || v > a[move]) {
			move, ok = d, true
		}
	}
	return move, ok
}

type step struct {
	move   board.Direction
	reward float64
	after  eval.Position
}

func steps(p eval.Position) (all []step) {
	for _, d := range board.Directions {
		if after, reward, moved := p.Board.Slide(d); moved {
			all = append(all, step{d, float64(reward), eval.Position{Board: after, Score: p.Score + reward}})
		}
	}
	return all
}

func emptyCells(b board.Board) (cells []int) {
	for i := range b.Size().Cells() {
		if b.Cell(i) == 0 {
			cells = append(cells, i)
		}
	}
	return cells
}

func placed(p eval.Position, cell int, exponent uint8) eval.Position {
	p.Board.Set(cell, exponent)
	return p
}

// worth holds what the reference searches have in common: how boards are valued.
type worth struct {
	eval eval.Evaluator
	dead float64 // of a dead position, for heuristics
}

func (w worth) gain(reward float64) float64 {
	if w.eval.Unit() == eval.Points {
		return reward
	}
	return 0
}

func (w worth) ofDead() float64 {
	if w.eval.Unit() == eval.Points {
		return 0
	}
	return w.dead
}

func (w worth) ofBoard(p eval.Position) float64 {
	if len(steps(p)) == 0 {
		return w.ofDead()
	}
	return w.eval.Value(&p)
}

// plainExpectimax averages over the spawns.
type plainExpectimax struct {
	worth
	leaf   search.Leaf
	p4     float64
	cut    float64
	margin float64
	view   func(board.Board) board.Board // nil: every board as it is
}

// steps returns the legal moves on a position, with the rewards of its view.
func (e plainExpectimax) steps(p eval.Position) []step {
	all := steps(p)
	if e.view != nil {
		view := e.view(p.Board)
		for i := range all {
			_, reward, _ := view.Slide(all[i].move)
			all[i].reward = float64(reward)
		}
	}
	return all
}

func (e plainExpectimax) answer(p eval.Position, plies int) answer {
	a := answer{}
	for _, s := range e.steps(p) {
		a[s.move] = e.gain(s.reward) + e.afterstate(s.after, plies-1, 1)
	}
	return a
}

// afterstate returns the value of an afterstate; likely is the probability of the line to it.
func (e plainExpectimax) afterstate(p eval.Position, plies int, likely float64) float64 {
	if likely < e.cut {
		plies = 0
	}
	if plies == 0 && e.leaf == search.LeafAfterstate {
		return e.eval.Value(&p)
	}
	cells := emptyCells(p.Board)
	total := 0.0
	for exponent, chance := range chances(e.p4) {
		if chance == 0 {
			continue
		}
		sum := 0.0 // of all spawns of one tile
		for _, cell := range cells {
			sum += e.board(placed(p, cell, uint8(exponent+1)), plies, likely*chance/float64(len(cells)))
		}
		total += float64(chance * sum)
	}
	return total / float64(len(cells))
}

// chances are the probabilities of a 2 and of a 4.
func chances(p4 float64) [2]float64 { return [2]float64{1 - p4, p4} }

func (e plainExpectimax) board(p eval.Position, plies int, likely float64) float64 {
	if plies == 0 {
		return e.ofBoard(p)
	}
	all := e.steps(p)
	if e.margin > 0 && plies > 1 && likely >= e.cut {
		all = e.good(all)
	}
	value, legal := -inf, false
	for _, s := range all {
		value, legal = math.Max(value, e.gain(s.reward)+e.afterstate(s.after, plies-1, likely)), true
	}
	if !legal {
		return e.ofDead()
	}
	return value
}

// good returns the moves that the evaluator values at most a margin below the best.
func (e plainExpectimax) good(all []step) []step {
	at := func(s step) float64 { return e.gain(s.reward) + e.eval.Value(&s.after) }
	top := -inf
	for _, s := range all {
		top = math.Max(top, at(s))
	}
	return slices.DeleteFunc(all, func(s step) bool { return at(s) < top-e.margin })
}

// plainMinimax assumes the worst spawn.
type plainMinimax struct{ worth }

func (m plainMinimax) answer(p eval.Position, layers int) answer {
	a := answer{}
	for _, s := range steps(p) {
		a[s.move] = m.gain(s.reward) + m.opponent(s.after, layers)
	}
	return a
}

func (m plainMinimax) opponent(p eval.Position, layers int) float64 {
	if layers == 0 {
		return m.eval.Value(&p)
	}
	value := inf
	for _, cell := range emptyCells(p.Board) {
		for exponent := uint8(1); exponent <= 2; exponent++ {
			value = math.Min(value, m.player(placed(p, cell, exponent), layers-1))
		}
	}
	return value
}

func (m plainMinimax) player(p eval.Position, layers int) float64 {
	if layers == 0 {
		return m.ofBoard(p)
	}
	value, legal := -inf, false
	for _, s := range steps(p) {
		value, legal = math.Max(value, m.gain(s.reward)+m.opponent(s.after, layers-1)), true
	}
	if !legal {
		return m.ofDead()
	}
	return value
}

// future is the random numbers of the spawns to come, computed from the documented rule and not by
// package game.
type future struct {
	draws []uint64
	p4    float64
}

// newFuture is the future of game number index of a seed after a number of spawns.
func newFuture(seed, index uint64, p4 float64, spawned, length int) future {
	pcg := rand.NewPCG(seed, index)
	draws := make([]uint64, spawned+length)
	for i := range draws {
		draws[i] = pcg.Uint64()
	}
	return future{draws[spawned:], p4}
}

// spawn puts the k-th tile to come on a board.
func (f future) spawn(p eval.Position, k int) eval.Position {
	cells := emptyCells(p.Board)
	u := f.draws[k]
	exponent := uint8(1)
	if u&0xffffffff < uint64(f.p4*(1<<32)) {
		exponent = 2
	}
	return placed(p, cells[(u>>32)*uint64(len(cells))>>32], exponent)
}

// plainForesight follows every sequence of moves through the spawns to come.
type plainForesight struct {
	eval eval.Evaluator
	future
}

// leaf is the end of a sequence of moves, because of the depth or of death.
type leaf struct {
	first board.Direction
	line  []board.Direction
	end   eval.Position
	dead  bool
}

func (f plainForesight) leaves(p eval.Position, depth int, line []board.Direction) (all []leaf) {
	next := steps(p)
	if len(line) > 0 && (len(next) == 0 || len(line) == depth) {
		return []leaf{{line[0], line, p, len(next) == 0}}
	}
	for _, s := range next {
		longer := append(line[:len(line):len(line)], s.move)
		all = append(all, f.leaves(f.spawn(s.after, len(line)), depth, longer)...)
	}
	return all
}

// answer gives each move the value of its best leaf in the deepest layer; a move
// without one there is lost. deepest is that layer.
func (f plainForesight) answer(p eval.Position, depth int) (a answer, deepest int, leaves []leaf) {
	a = answer{}
	leaves = f.leaves(p, depth, nil)
	for _, l := range leaves {
		deepest = max(deepest, len(l.line))
		a[l.first] = -inf
	}
	for _, l := range leaves {
		if len(l.line) == deepest && !l.dead {
			a[l.first] = math.Max(a[l.first], f.eval.Value(&l.end))
		}
	}
	return a, deepest, leaves
}
