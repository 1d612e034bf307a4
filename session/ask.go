package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"afterstate/board"
	"afterstate/explain"
	"afterstate/player"
	"afterstate/player/catalog"
	"afterstate/search"
	"afterstate/search/draw"
	"afterstate/wire"
)

// maker returns the maker of a spec in a request about a single board.
func (h *Host) maker(method, spec string) (catalog.Maker, error) {
	if spec == "" {
		return h.player(), nil
	}
	m, err := catalog.Parse(spec, h.o.Capabilities)
	if err == nil && m.Foresees {
		err = fmt.Errorf("%s knows the coming spawns, which a single board does not determine: want another player", m.Spec)
	}
	if err != nil {
		return m, invalid(method, "player", err)
	}
	return m, nil
}

func (c *Client) explain(ctx context.Context, params []byte) (any, error) {
	var p wire.Explain
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	m, err := c.host.maker(wire.MethodExplain, p.Player)
	if err != nil {
		return nil, err
	}
	// A slot for a search is one processor.
	o := explain.Options{Time: time.Duration(p.TimeMS * float64(time.Millisecond)), Workers: 1}
	r, err := explain.Explain(ctx, m, search.NewQuery(p.Board, p.Score), o)
	if err != nil {
		return nil, err
	}
	return r.Wire(), nil
}

// defaultBoards is the default limit of the boards in a tree.
const defaultBoards = 500

func (c *Client) tree(ctx context.Context, params []byte) (any, error) {
	var p wire.DrawTree
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	m, err := c.host.maker(wire.MethodTree, p.Player)
	if err != nil {
		return nil, err
	}
	d := player.Driver{Player: m.New()}
	defer d.Close()
	d.Start(0, 0, nil)
	searcher, err := catalog.AsSearcher(d.Player, m.Spec)
	if err != nil {
		return nil, invalid(wire.MethodTree, "player", err)
	}
	if p.Boards == 0 {
		p.Boards = defaultBoards
	}
	q := search.NewQuery(p.Board, p.Score).Exact()
	answer, tree, err := searcher.Tree(ctx, q, search.TreeOptions{Depth: p.Depth, Width: p.Width, Boards: p.Boards})
	switch {
	case errors.Is(err, search.ErrTreeTooLarge):
		return nil, invalid(wire.MethodTree, "player", err)
	case err != nil:
		return nil, err
	}
	picture := &draw.Picture{Tree: tree, Player: m.Spec, Unit: answer.Unit, Source: answer.Source}
	if m.Evaluator != nil && !p.Board.Terminal() {
		picture.Evaluator, _ = m.Evaluator(p.Board.Size())
	}
	if p.Format == "svg" {
		var out bytes.Buffer
		err := picture.WriteSVG(&out)
		return wire.TreePicture{SVG: out.String()}, err
	}
	return picture.Wire(), nil
}

func (c *Client) parseBoard(_ context.Context, params []byte) (any, error) {
	var p wire.ParseBoard
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	parsed := wire.ParsedBoard{}
	var err error
	parsed.Board, parsed.Score, err = board.ParseScored(p.Text)
	if err != nil {
		return nil, invalid(wire.MethodParse, "text", err)
	}
	parsed.Text = parsed.Board.String()
	return parsed, nil
}
