package catalog

import (
	"context"
	"errors"
	"fmt"

	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// endingOptions are the keys of a network player for endings.
type endingOptions struct {
	source *models.Source // nil: no ending network
	walls  int
	margin float64
}

// endings reads the keys of endings.
func (b *builder) endings(a *args, model models.Source) endingOptions {
	o := endingOptions{walls: get[int](a, "endings_walls"), margin: get[float64](a, "endings_margin")}
	v, given := a.spec.Get("endings")
	switch {
	case !given:
		o.source = model.Endings
	case v.Quoted || v.Text != "none":
		found := b.find(a, "endings")
		o.source = &found
	}
	return o
}

// endingSearch decides on the boards of endings. Its network is loaded on first use.
type endingSearch struct {
	endingOptions
	search searcher
}

// decides reports whether a board is in an ending that the search decides on.
func (e *endingSearch) decides(b *board.Board) bool {
	if e.source == nil {
		return false
	}
	packed, ok := bitboard.From(b)
	if !ok {
		return false
	}
	_, walls := endings.Of(packed)
	return walls >= e.walls && walls <= endings.MaxWalls || walls == endings.Complete && endings.Completed(packed)
}

// notEndings returns the error for a network that does not know all endings from this number of walls on.
func notEndings(n *ntuple.Network, walls int) error {
	if n.Walls == 0 {
		return errors.New("endings: the network values boards in points: must be one of train endings")
	}
	return fmt.Errorf("endings_walls=%d: the network knows endings with %d to %d walls", walls, n.Walls, endings.MaxWalls)
}

// open returns the search, with the options of the player's own.
func (e *endingSearch) open(ctx context.Context, n *network) (searcher, error) {
	if e.search != nil {
		return e.search, nil
	}
	net, err := loadNetwork(ctx, *e.source)
	if err != nil {
		return nil, err
	}
	if net.Walls == 0 || int(net.Walls) > e.walls {
		return nil, notEndings(net, e.walls)
	}
	o := n.o
	o.PruneMargin, o.ClearMargin = e.margin/endings.Points, o.ClearMargin/endings.Points
	e.search = inPoints{searcherOf(o, net, n.fast)}
	return e.search, nil
}

// inPoints turns the chances of a search into points, so that all values of a player have one unit.
type inPoints struct{ searcher }

func (s inPoints) Search(ctx context.Context, q search.Query) (search.Result, error) {
	r, err := s.searcher.Search(ctx, q)
	toPoints(&r)
	return r, err
}

func (s inPoints) Tree(ctx context.Context, q search.Query, o search.TreeOptions) (*search.Tree, error) {
	t, err := s.searcher.Tree(ctx, q, o)
	if err != nil {
		return nil, err
	}
	toPoints(&t.Result)
	nodeToPoints(t.Root)
	return t, nil
}

func toPoints(r *search.Result) {
	for d := range r.Moves {
		r.Moves[d].Value *= endings.Points
	}
}

func nodeToPoints(n *search.TreeNode) {
	n.Value *= endings.Points
	for _, child := range n.Children {
		nodeToPoints(child)
	}
}
