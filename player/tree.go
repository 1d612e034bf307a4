package player

import (
	"context"
	"fmt"
	"strings"

	"afterstate/search"
)

// Searcher is a player that searches a tree and can show it.
type Searcher interface {
	Player
	// Tree decides as Decide does, with the exact value of every move, and captures
	// the tree that the decision rests on.
	Tree(ctx context.Context, q search.Query, o search.TreeOptions) (Decision, *search.Tree, error)
}

// AsSearcher is a player as a Searcher. For one that searches no tree the error names
// those that do, with the capabilities of whoever asks.
func AsSearcher(p Player, spec string, caps Capabilities) (Searcher, error) {
	if s, ok := p.(Searcher); ok {
		return s, nil
	}
	var names []string
	for _, e := range Catalog() {
		m, err := Parse(e.Name, caps)
		if err != nil {
			continue // a name that needs arguments or capabilities
		}
		if _, ok := m.New().(Searcher); ok {
			names = append(names, e.Name)
		}
	}
	return nil, fmt.Errorf("%s searches no tree; want one of %s", spec, strings.Join(names, ", "))
}

// Tree is the search's.
func (p *searching) Tree(ctx context.Context, q search.Query, o search.TreeOptions) (Decision, *search.Tree, error) {
	t, err := p.search.Tree(ctx, q, o)
	if err != nil {
		return Decision{}, nil, err
	}
	return Decision{Result: t.Result, Board: q.Board, Player: p.spec, Unit: p.unit, Source: "search"}, t, nil
}

// Tree is the search's, through the tiles that will really come.
func (p *foreseeing) Tree(ctx context.Context, q search.Query, o search.TreeOptions) (Decision, *search.Tree, error) {
	t, err := p.search.Tree(ctx, q, p.oracle, o)
	if err != nil {
		return Decision{}, nil, err
	}
	return Decision{Result: t.Result, Board: q.Board, Player: p.spec, Unit: p.unit, Source: "foresight"}, t, nil
}

// Tree is that of the player for the board's size, which a spec stands for.
func (p *auto) Tree(ctx context.Context, q search.Query, o search.TreeOptions) (Decision, *search.Tree, error) {
	inner, err := p.seated(ctx, q.Board.Size())
	if err != nil {
		return Decision{}, nil, err
	}
	d, t, err := inner.(Searcher).Tree(ctx, q, o)
	d.Player = p.spec
	return d, t, err
}
