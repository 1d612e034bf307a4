package catalog

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/search"
)

// AsSearcher returns p as a Searcher. If p searches no tree, the error lists the players that do.
func AsSearcher(p player.Player, spec string) (player.Searcher, error) {
	if s, ok := player.As[player.Searcher](p); ok {
		return s, nil
	}
	var names []string
	for _, e := range Players(false) {
		m, err := Parse(e.Name, Capabilities{Networks: unopened})
		if err != nil {
			continue // the name needs arguments or capabilities
		}
		if _, ok := player.As[player.Searcher](m.New()); ok {
			names = append(names, e.Name)
		}
	}
	return nil, fmt.Errorf("%s searches no tree; want one of %s", spec, strings.Join(names, ", "))
}

// unopened are networks that all exist, for specs whose players are never run.
func unopened(string, bool) (models.Source, error) {
	return models.Source{Load: func() (*ntuple.Network, error) { return nil, errors.New("not to be opened") }}, nil
}

// Tree implements player.Searcher, by foresight with the actual future spawns.
func (p *searching) Tree(ctx context.Context, q search.Query, o search.TreeOptions) (player.Decision, *search.Tree, error) {
	t, err := p.search.Tree(ctx, q, o)
	if err != nil {
		return player.Decision{}, nil, err
	}
	return player.Decision{Result: t.Result, Board: q.Board, Player: p.spec, Unit: p.unit, Source: p.source}, t, nil
}

// Tree implements player.Searcher with the player for the board's size.
func (p *auto) Tree(ctx context.Context, q search.Query, o search.TreeOptions) (player.Decision, *search.Tree, error) {
	var inner player.Player
	if q.Board.Terminal() { // nobody needs to get ready for it
		inner = p.maker(q.Board.Size()).New()
	} else {
		var err error
		if inner, err = p.playerFor(ctx, q.Board.Size()); err != nil {
			return player.Decision{}, nil, err
		}
	}
	searcher, err := AsSearcher(inner, p.spec)
	if err != nil {
		return player.Decision{}, nil, err
	}
	d, t, err := searcher.Tree(ctx, q, o)
	d.Player = p.spec
	return d, t, err
}
