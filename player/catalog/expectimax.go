package catalog

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/spec"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

func buildExpectimax(b *builder, s *spec.Spec) (Maker, error) {
	a := b.args(s, expectimaxKeys)
	makeEval, named := b.evaluator(&a)
	o := expectimaxOptions(&a)
	var lines func() *search.Lines
	if get[int](&a, "impl") == implBitboard {
		// Tables are compiled for the first 4x4 board and shared by all players.
		lines = sync.OnceValue(func() *search.Lines {
			l, _ := search.CompileLines(makeEval())
			return l
		})
	}
	make := func(o search.ExpectimaxOptions) func() player.Player {
		return func() player.Player {
			o := o
			o.Eval, o.NewEval = makeEval(), makeEval
			p := &searching{spec: b.spec, unit: o.Eval.Unit(), source: "search", search: &expectimax{o: o, lines: lines}}
			if p.unit == eval.Heuristic {
				p.eval, p.dead = o.Eval, o.DeathValue
			}
			return p
		}
	}
	m := Maker{TimeLimited: o.Time > 0, Memory: o.TT, Evaluator: named, New: make(o)}
	if o.Nodes == 0 || o.Nodes > quickNodes {
		quick := o
		quick.Time, quick.Nodes, quick.Threads, quick.TT = 0, quickNodes, 0, 0
		m.NewRollout, m.RolloutLimits = make(quick), fmt.Sprintf("at most %d nodes a move", quickNodes)
	}
	return m, a.finish()
}

// expectimaxOptions reads the keys of an expectimax search.
func expectimaxOptions(a *args) (o search.ExpectimaxOptions) {
	a.fill(&o)
	if o.P4 == 0 {
		o.P4 = -1 // the zero value of the option means the default 0.1
	}
	if o.DeathValue != nil && math.IsInf(*o.DeathValue, -1) {
		o.DeathValue = nil
	}
	return o
}

// expectimax delegates each board to the search for its size.
type expectimax struct {
	o     search.ExpectimaxOptions
	lines func() *search.Lines // nil: never use the fast search; returns nil if the evaluator does not support it
	board *search.Expectimax
	bits  *search.Expectimax4
}

// searcher is the common interface of both searches.
type searcher interface {
	Search(context.Context, search.Query) (search.Result, error)
	Tree(context.Context, search.Query, search.TreeOptions) (*search.Tree, error)
	ClearTable()
}

// prepare selects the search for a size and compiles the evaluator for it where needed.
func (e *expectimax) prepare(_ context.Context, size board.Size) error {
	e.pick(size)
	return nil
}

func (e *expectimax) pick(size board.Size) searcher {
	if e.lines != nil && size == bitboard.Size {
		if e.bits == nil && e.lines() != nil {
			e.bits = search.NewExpectimax4(e.o, e.lines())
		}
		if e.bits != nil {
			return e.bits
		}
	}
	if e.board == nil {
		e.board = search.NewExpectimax(e.o)
	}
	return e.board
}

func (e *expectimax) Search(ctx context.Context, q search.Query) (search.Result, error) {
	return e.pick(q.Board.Size()).Search(ctx, q)
}

func (e *expectimax) Tree(ctx context.Context, q search.Query, o search.TreeOptions) (*search.Tree, error) {
	return e.pick(q.Board.Size()).Tree(ctx, q, o)
}

func (e *expectimax) Forget() {
	if e.board != nil {
		e.board.ClearTable()
	}
	if e.bits != nil {
		e.bits.ClearTable()
	}
}
