package catalog

import (
	"context"
	"fmt"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/spec"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// searching adapts a search to the Player interface.
type searching struct {
	spec   string
	unit   eval.Unit
	source string // of decisions
	search interface {
		Search(context.Context, search.Query) (search.Result, error)
		Tree(context.Context, search.Query, search.TreeOptions) (*search.Tree, error)
	}

	// eval and dead, the value of a dead board, give the span of a heuristic's values; dead is nil where
	// that is minus infinity, and for other units.
	eval eval.Evaluator
	dead *float64
	span float64
	size board.Size // that span is for
}

func (p *searching) Start(_, _ uint64) {
	if s, ok := p.search.(interface{ Forget() }); ok {
		s.Forget() // a game's decisions must not depend on earlier games
	}
}

// Prepare loads the network or compiles tables, if the search has any. It fails with a
// *player.SizeError if a network is for another size.
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
	return player.Decision{Result: r, Board: q.Board, Player: p.spec, Unit: p.unit, Span: p.span, Source: p.source}, err
}

// Limits of the players for rollouts.
const (
	quickNodes  = 500
	quickLayers = 2
	quickDepth  = 3
)

func buildMinimax(b *builder, s *spec.Spec) (Maker, error) {
	a := b.args(s, minimaxKeys)
	makeEval, named := b.evaluator(&a)
	var o search.MinimaxOptions // with a time and no depth it is limited by the time only
	a.fill(&o)
	if o.Time == 0 && !a.given("depth") {
		o.Layers = defaultLayers
	}
	make := func(o search.MinimaxOptions) func() player.Player {
		return func() player.Player {
			o := o
			o.Eval = makeEval()
			return &searching{spec: b.spec, unit: o.Eval.Unit(), source: "search", search: search.NewMinimax(o)}
		}
	}
	m := Maker{TimeLimited: o.Time > 0, Evaluator: named, New: make(o)}
	if o.Time > 0 || o.Layers > quickLayers {
		quick := o
		quick.Time, quick.Layers, quick.AlphaBeta = 0, quickLayers, true
		m.NewRollout, m.RolloutLimits = make(quick), fmt.Sprintf("%d layers", quickLayers)
	}
	return m, a.finish()
}

// foresight is a search with the future spawns of a game.
type foresight struct {
	*search.Foresight
	oracle search.Oracle
}

func (f *foresight) Search(ctx context.Context, q search.Query) (search.Result, error) {
	return f.Foresight.Search(ctx, q, f.oracle)
}

func (f *foresight) Tree(ctx context.Context, q search.Query, o search.TreeOptions) (*search.Tree, error) {
	return f.Foresight.Tree(ctx, q, f.oracle, o)
}

// foreseeing is a player that sees future spawns.
type foreseeing struct {
	searching
	foresight *foresight
}

func (p *foreseeing) See(o search.Oracle) { p.foresight.oracle = o }

func buildForesight(b *builder, s *spec.Spec) (Maker, error) {
	a := b.args(s, foresightKeys)
	makeEval, named := b.evaluator(&a)
	deepest := deepestFull
	if !b.caps.Trusted {
		deepest = deepestFullGuest // a tree of about 10 MB
	}
	var o search.ForesightOptions
	a.fill(&o)
	if o.Beam == 0 && o.Depth > deepest {
		a.fail("depth=%d without a beam grows like 4^depth: want depth up to %d, or beam=N such as beam=64", o.Depth, deepest)
	}
	make := func(o search.ForesightOptions) func() player.Player {
		return func() player.Player {
			o := o
			o.Eval = makeEval()
			f := &foresight{Foresight: search.NewForesight(o)}
			return &foreseeing{searching{spec: b.spec, unit: o.Eval.Unit(), source: "foresight", search: f}, f}
		}
	}
	m := Maker{Foresees: true, Evaluator: named, New: make(o)}
	if o.Beam > 0 || o.Depth > quickDepth {
		quick := o
		quick.Depth, quick.Beam = quickDepth, 0
		m.NewRollout, m.RolloutLimits = make(quick), fmt.Sprintf("depth %d", quickDepth)
	}
	return m, a.finish()
}

// evaluator reads the key eval. It returns a constructor, since each player needs an evaluator of
// its own, and the same with the name, for Maker.Evaluator.
func (b *builder) evaluator(a *args) (makeEval func() eval.Evaluator, named func(board.Size) (string, eval.Evaluator)) {
	k := a.key("eval")
	v, ok := a.spec.Get(k.name)
	if !ok {
		v = spec.Value{Text: k.defaultValue}
	}
	makeEval, err := b.parseEval(v)
	if err != nil {
		a.fail("eval=%v: %w", v, err)
	}
	name := v.String()
	return makeEval, func(board.Size) (string, eval.Evaluator) { return name, makeEval() }
}
