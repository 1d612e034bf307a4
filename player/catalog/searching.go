package catalog

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/spec"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// searching adapts a search to the Player interface.
type searching struct {
	spec   string
	unit   eval.Unit
	search searcher

	// eval and dead determine span. dead is the value of a dead board; it is nil if that value is minus infinity, or if
	// the unit is not heuristic.
	eval eval.Evaluator
	dead *float64
	span float64 // player.Decision.Span for size
	size board.Size
}

func (*searching) Start(_, _ uint64) {}

// Prepare loads the search's network or compiles its tables, if it has any. It fails with a
// *player.BoardError if the network is for another size.
func (p *searching) Prepare(ctx context.Context, size board.Size) error {
	if s, ok := p.search.(interface {
		prepare(context.Context, board.Size) error
	}); ok {
		return s.prepare(ctx, size)
	}
	return nil
}

// Ready implements player.Readier.
func (p *searching) Ready(size board.Size) (bool, error) {
	if s, ok := p.search.(interface {
		ready(board.Size) (bool, error)
	}); ok {
		return s.ready(size)
	}
	return true, nil
}

func (p *searching) Decide(ctx context.Context, q search.Query) (player.Decision, error) {
	r, err := p.search.Search(ctx, q)
	if size := q.Board.Size(); p.dead != nil && size != p.size {
		p.span, p.size = p.eval.Value(&eval.Position{Board: board.New(size)})-*p.dead, size
	}
	return player.Decision{Result: r, Board: q.Board, Player: p.spec, Unit: p.unit, Span: p.span, Source: "search"}, err
}

// Search limits of players for rollouts.
const (
	quickNodes  = 500
	quickLayers = 2
	quickDepth  = 3
)

func buildMinimax(b *builder, s *spec.Spec) (Maker, error) {
	a := b.args(s, keysOf[minimaxArgs]())
	makeEval, named := b.evaluator(&a)
	var read minimaxArgs
	a.read(&read)
	o := read.MinimaxOptions // a spec with time and without depth has no depth limit
	if o.Time == 0 && !a.given("depth") {
		o.Layers = defaultLayers
	}
	build := func(o search.MinimaxOptions) player.Player {
		o.Eval = makeEval()
		return &searching{spec: b.spec, unit: o.Eval.Unit(), search: search.NewMinimax(o)}
	}
	m := Maker{TimeLimited: o.Time > 0, Evaluator: named, New: func() player.Player { return build(o) }}
	if o.Time > 0 || o.Layers > quickLayers {
		quick := o
		quick.Time, quick.Layers, quick.AlphaBeta = 0, quickLayers, true
		m.NewRollout, m.RolloutLimits = func() player.Player { return build(quick) }, fmt.Sprintf("%d layers", quickLayers)
	}
	return m, a.finish()
}

// foresight is a player that sees future spawns.
type foresight struct {
	spec   string
	unit   eval.Unit
	search *search.Foresight
	oracle search.Oracle
}

func (*foresight) Start(_, _ uint64) {}

func (p *foresight) See(o search.Oracle) { p.oracle = o }

func (p *foresight) Decide(ctx context.Context, q search.Query) (player.Decision, error) {
	r, err := p.search.Search(ctx, q, p.oracle)
	return player.Decision{Result: r, Board: q.Board, Player: p.spec, Unit: p.unit, Source: "foresight"}, err
}

func buildForesight(b *builder, s *spec.Spec) (Maker, error) {
	a := b.args(s, keysOf[foresightArgs]())
	makeEval, named := b.evaluator(&a)
	deepest := deepestFull
	if !b.caps.Trusted {
		deepest = deepestFullGuest // a tree of this depth takes about 10 MB
	}
	var read foresightArgs
	a.read(&read)
	o := read.ForesightOptions
	if o.Beam == 0 && o.Depth > deepest {
		a.fail("depth=%d without a beam grows like 4^depth: use a depth up to %d, or beam=N such as beam=64", o.Depth, deepest)
	}
	build := func(o search.ForesightOptions) player.Player {
		o.Eval = makeEval()
		return &foresight{spec: b.spec, unit: o.Eval.Unit(), search: search.NewForesight(o)}
	}
	m := Maker{Foresees: true, Evaluator: named, New: func() player.Player { return build(o) }}
	if o.Beam > 0 || o.Depth > quickDepth {
		quick := o
		quick.Depth, quick.Beam = quickDepth, 0
		m.NewRollout, m.RolloutLimits = func() player.Player { return build(quick) }, fmt.Sprintf("depth %d", quickDepth)
	}
	return m, a.finish()
}

// evaluator reads the key "eval". It returns a constructor of evaluators, since each player needs its own, and a
// function for Maker.Evaluator.
func (b *builder) evaluator(a *args) (makeEval func() eval.Evaluator, named func(board.Size) (string, eval.Evaluator)) {
	k := a.key("eval")
	v, ok := a.spec.Get(k.Name)
	if !ok {
		v = spec.Value{Text: k.Default}
	}
	makeEval, err := b.parseEval(v)
	if err != nil {
		a.fail("eval=%v: %w", v, err)
	}
	name := v.String()
	return makeEval, func(board.Size) (string, eval.Evaluator) { return name, makeEval() }
}

func buildExpectimax(b *builder, s *spec.Spec) (Maker, error) {
	a := b.args(s, keysOf[expectimaxArgs]())
	makeEval, named := b.evaluator(&a)
	var read expectimaxArgs
	a.read(&read)
	o := expectimaxOptions(read.ExpectimaxOptions)
	var lines func() *search.Lines
	if !read.Generic {
		// The tables are compiled when the first 4x4 board is searched, and shared by all players.
		lines = sync.OnceValue(func() *search.Lines {
			l, _ := search.CompileLines(makeEval())
			return l
		})
	}
	build := func(o search.ExpectimaxOptions) player.Player {
		o.Eval = makeEval()
		p := &searching{spec: b.spec, unit: o.Eval.Unit(), search: &expectimax{o: o, lines: lines}}
		if p.unit == eval.Heuristic {
			p.eval, p.dead = o.Eval, o.DeathValue
		}
		return p
	}
	m := Maker{TimeLimited: o.Time > 0, P4: o.P4, Memory: o.TT, Evaluator: named, New: func() player.Player { return build(o) }}
	if o.Nodes == 0 || o.Nodes > quickNodes {
		quick := o
		quick.Time, quick.Nodes, quick.TT = 0, quickNodes, 0
		m.NewRollout, m.RolloutLimits = func() player.Player { return build(quick) }, fmt.Sprintf("at most %d nodes a move", quickNodes)
	}
	return m, a.finish()
}

// p4Option returns an option for a probability of a 4; see game.ChanceOf4.
func p4Option(p4 float64) float64 {
	if p4 == 0 {
		return -1
	}
	return p4
}

// WithP4 adds the key p4 to a player's spec that does not set it, for games whose probability of a 4 differs from the
// original game's. The player must have this key.
func WithP4(spec string, p4 float64) string {
	if p4 == game.P4 {
		return spec
	}
	args, given := strings.CutSuffix(spec, ")")
	if given {
		return fmt.Sprintf("%s,p4=%v)", args, p4)
	}
	return fmt.Sprintf("%s(p4=%v)", spec, p4)
}

// expectimaxOptions converts options that were read from a spec to options for package search.
func expectimaxOptions(o search.ExpectimaxOptions) search.ExpectimaxOptions {
	o.P4 = p4Option(o.P4)
	if o.DeathValue != nil && math.IsInf(*o.DeathValue, -1) {
		o.DeathValue = nil
	}
	return o
}

// expectimax searches each board with the implementation for its size.
type expectimax struct {
	o search.ExpectimaxOptions
	// lines compiles the evaluator for the fast search. It returns nil if the evaluator does not support that search.
	// The field is nil if the spec excludes the fast search.
	lines func() *search.Lines
	board *search.Expectimax
	bits  *search.Expectimax4
}

// searcher is the common interface of all searches.
type searcher interface {
	Search(context.Context, search.Query) (search.Result, error)
	Tree(context.Context, search.Query, search.TreeOptions) (*search.Tree, error)
}

// prepare selects the search for a size and compiles the evaluator if that search needs it.
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

// random plays a uniformly random legal move.
type random struct {
	spec string
	draw *rand.Rand
}

func buildRandom(b *builder, s *spec.Spec) (Maker, error) {
	a := b.args(s, nil)
	return Maker{New: func() player.Player {
		p := &random{spec: b.spec}
		p.Start(0, 0)
		return p
	}}, a.finish()
}

func (p *random) Start(seed, game uint64) { p.draw = rand.New(rand.NewPCG(^seed, game)) }

func (p *random) Decide(_ context.Context, q search.Query) (player.Decision, error) {
	d := player.Decision{Board: q.Board, Player: p.spec, Unit: eval.Heuristic, Source: "random"}
	legal := q.Board.Legal()
	for _, dir := range legal {
		d.Moves[dir].Legal = true
	}
	if len(legal) > 0 {
		d.Move, d.OK = legal[p.draw.IntN(len(legal))], true
	}
	return d, nil
}

// greedy plays the move with the largest immediate reward.
type greedy struct{ spec string }

func buildGreedy(b *builder, s *spec.Spec) (Maker, error) {
	a := b.args(s, nil)
	p := &greedy{b.spec}
	return Maker{New: func() player.Player { return p }}, a.finish()
}

func (*greedy) Start(_, _ uint64) {}

func (p *greedy) Decide(_ context.Context, q search.Query) (player.Decision, error) {
	d := player.Decision{Board: q.Board, Player: p.spec, Unit: eval.Points, Source: "reward"}
	for _, dir := range board.Directions {
		if _, reward, moved := q.Board.Slide(dir); moved {
			d.Moves[dir] = search.MoveValue{Legal: true, Value: float64(reward)}
			d.Plies = 1
		}
	}
	d.Move, d.OK = search.BestMove(&d.Moves)
	return d, nil
}
