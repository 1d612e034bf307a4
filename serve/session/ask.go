package session

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/afterstate2048/afterstate/advice/explain"
	"github.com/afterstate2048/afterstate/advice/odds"
	"github.com/afterstate2048/afterstate/exchange/picture"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/search/draw"
)

// parse returns the maker of a player spec in a request. An empty spec and the spec of own, the server's
// player, select own, even if c does not permit requests to use such a player (a program, for example).
func parse(spec string, own catalog.Maker, c catalog.Capabilities) (catalog.Maker, error) {
	if spec == "" || spec == own.Spec {
		return own, nil
	}
	return catalog.Parse(spec, c)
}

// parseAskable does what parse does, for a request about a single board: the player must not need future
// spawns.
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
	on[protocol.Tree]("tree", Concurrent, (*Client).tree).or(protocol.TreePicture{}),
	on[protocol.PictureBoard](protocol.MethodPicture, Concurrent, (*Client).readPicture),
}

// maker returns the maker of a player spec in a request about a single board.
func (h *Host) maker(spec string) (catalog.Maker, error) {
	return parseAskable(spec, h.player(), h.o.Capabilities)
}

// defaultBoards is the default for the maximum number of boards in a tree.
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
	picture, err := Picture(ctx, &m, searcher, q, search.TreeOptions{Depth: p.Depth, Width: p.Width, Boards: cmp.Or(p.Boards, defaultBoards)})
	if err != nil {
		return nil, err
	}
	if p.Format == "svg" {
		var out bytes.Buffer
		err := picture.WriteSVG(&out)
		return protocol.TreePicture{SVG: out.String()}, err
	}
	return picture.Wire(), nil
}

// Picture searches q with s, a player that m has made, and returns the search tree as a picture.
func Picture(ctx context.Context, m *catalog.Maker, s player.Searcher, q search.Query, o search.TreeOptions) (*draw.Picture, error) {
	d, tree, err := s.Tree(ctx, q, o)
	if err != nil {
		return nil, err
	}
	picture := &draw.Picture{Tree: tree, Player: m.Spec, Unit: d.Unit, Source: d.Source}
	if m.Evaluator != nil && !q.Board.Terminal() {
		picture.Evaluator, _ = m.Evaluator(q.Board.Size())
	}
	return picture, nil
}

func (c *Client) parseBoard(_ context.Context, p *protocol.ParseBoard) (_ any, err error) {
	parsed := protocol.ParsedBoard{}
	parsed.Board, parsed.Score, err = board.ParseScored(p.Text)
	var walls *board.WallsError
	switch {
	case errors.As(err, &walls):
		parsed.Readings, parsed.Board = walls.Readings, walls.Readings[0]
	case err != nil:
		return nil, invalid("text", err)
	}
	parsed.Text = parsed.Board.String()
	return parsed, nil
}

// milliseconds converts a number of milliseconds to a duration.
func milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

func (s *Session) explain(ctx context.Context, p *protocol.Explain) (any, error) {
	m, err := s.maker(p.Player)
	if err != nil {
		return nil, err
	}
	o := explain.Options{Seed: p.Seed, Games: p.Games, Time: cmp.Or(milliseconds(p.TimeMS), explain.DefaultTime), Threads: s.Threads}
	if o.Tiles, err = odds.Exponents(p.Tiles); err != nil {
		return nil, invalid("tiles", err)
	}
	if err := s.makeRoom(m.Memory); err != nil {
		return nil, err
	}
	r, err := explain.Explain(ctx, m, search.NewQuery(p.Board, p.Score), o)
	// The time limit for a search may end the games before time_ms does. Then the result is based
	// on the games played so far.
	timeUp := errors.Is(context.Cause(ctx), context.DeadlineExceeded) && r.Odds.Games > 0
	if err != nil && !timeUp {
		return nil, err
	}
	return r.Wire(), nil
}

// readPicture reads the board in a screenshot. It decodes one picture at a time, because decoding may take
// picture.MaxMemory bytes.
func (c *Client) readPicture(ctx context.Context, p *protocol.ReadPicture) (_ any, err error) {
	var r picture.Reading
	if err = c.host.pictures.Enter(ctx); err == nil {
		defer c.host.pictures.Leave()
		if p.Size == (board.Size{}) {
			r, err = picture.Parse(ctx, p.Data)
		} else {
			r, err = picture.ParseIn(ctx, p.Data, p.Size, picture.Frame(p.PictureFrame))
		}
	}
	switch {
	case err != nil && errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return nil, refusef(protocol.CodeTime, "the picture was not read within %v: use a smaller one, or try again later", c.host.o.SearchTime)
	case err != nil && ctx.Err() != nil:
		return nil, err
	case err != nil:
		return nil, invalid("data", err)
	}
	return protocol.PictureBoard{Board: r.Board, Text: r.Board.String(), Doubts: append([]int{}, r.Doubts()...), Grid: r.Grid, Frame: protocol.PictureFrame(r.Frame)}, nil
}
