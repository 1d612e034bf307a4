package session

import (
	"bytes"
	"cmp"
	"context"
	"errors"

	"github.com/afterstate2048/afterstate/advice/explain"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/search/draw"
)

// parse returns the maker of a spec in a request. The spec of the server's own player stands for it, also
// where requests may not name such a player, such as a program.
func parse(spec string, own catalog.Maker, c catalog.Capabilities) (catalog.Maker, error) {
	if spec == "" || spec == own.Spec {
		return own, nil
	}
	return catalog.Parse(spec, c)
}

// parseAskable returns the maker of a spec in a request about a single board.
func parseAskable(spec string, own catalog.Maker, c catalog.Capabilities) (catalog.Maker, error) {
	m, err := parse(spec, own, c)
	if err == nil {
		err = askable(m)
	}
	if err != nil {
		return m, invalid("player", err)
	}
	return m, nil
}

var askMethods = []Method{
	on[protocol.Empty]("cancel", Immediate, (*Client).cancel),
	on[protocol.ParsedBoard]("board.parse", Immediate, (*Client).parseBoard),
	on[protocol.Reasons]("explain", Concurrent, (*Client).explain),
	on[protocol.Tree]("tree", Concurrent, (*Client).tree).or(protocol.TreePicture{}),
	on[protocol.PictureBoard](protocol.MethodPicture, Concurrent, (*Client).readPicture),
}

// maker returns the maker of a spec in a request about a single board.
func (h *Host) maker(spec string) (catalog.Maker, error) {
	return parseAskable(spec, h.player(), h.o.Capabilities)
}

func (c *Client) explain(ctx context.Context, p *protocol.Explain) (any, error) {
	m, err := c.host.maker(p.Player)
	if err != nil {
		return nil, err
	}
	// A slot for a search is one processor.
	o := explain.Options{Time: milliseconds(p.TimeMS), Workers: 1}
	r, err := explain.Explain(ctx, m, search.NewQuery(p.Board, p.Score), o)
	if err != nil {
		return nil, err
	}
	return r.Wire(), nil
}

// defaultBoards is the default limit of the boards in a tree.
const defaultBoards = 500

func (c *Client) tree(ctx context.Context, p *protocol.DrawTree) (any, error) {
	m, err := c.host.maker(p.Player)
	if err != nil {
		return nil, err
	}
	d := player.Driver{Player: m.New()}
	defer d.Close()
	d.Start(0, 0, nil)
	searcher, err := catalog.AsSearcher(d.Player, m.Spec)
	if err != nil {
		return nil, invalid("player", err)
	}
	q := search.NewQuery(p.Board, p.Score).Exact()
	answer, tree, err := searcher.Tree(ctx, q, search.TreeOptions{Depth: p.Depth, Width: p.Width, Boards: cmp.Or(p.Boards, defaultBoards)})
	switch {
	case errors.Is(err, search.ErrTreeTooLarge):
		return nil, invalid("player", err)
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
		return protocol.TreePicture{SVG: out.String()}, err
	}
	return picture.Wire(), nil
}

func (c *Client) parseBoard(_ context.Context, p *protocol.ParseBoard) (any, error) {
	parsed := protocol.ParsedBoard{}
	var err error
	parsed.Board, parsed.Score, err = board.ParseScored(p.Text)
	if err != nil {
		return nil, invalid("text", err)
	}
	parsed.Text = parsed.Board.String()
	return parsed, nil
}
