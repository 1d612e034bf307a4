package session

import (
	"context"
	"fmt"
	"time"

	"afterstate/board"
	"afterstate/game"
	"afterstate/game/record"
	"afterstate/player"
	"afterstate/search"
	"afterstate/wire"
)

// reviewed reads the params of a method and replays its record.
func reviewed(method string, params []byte) (*wire.Review, record.Record, *game.Game, error) {
	p := new(wire.Review)
	if err := p.ReadParams(method, params); err != nil {
		return nil, record.Record{}, nil, err
	}
	r, err := record.Parse([]byte(p.Record))
	var g *game.Game
	if err == nil {
		g, err = r.Replay()
	}
	if err != nil {
		return nil, r, nil, invalid(method, "record", err)
	}
	return p, r, g, nil
}

func (c *Client) openReview(_ context.Context, params []byte) (any, error) {
	_, r, g, err := reviewed(wire.MethodReviewOpen, params)
	if err != nil {
		return nil, err
	}
	return wire.ReviewSummary{
		Size: r.Board.Size(), Spawn: r.Spawn, Seed: r.Seed, Player: r.Player,
		Moves: g.Moves(), Board: r.Board, Score: r.Score,
	}, nil
}

// goTo undoes moves until the given number is left.
func goTo(g *game.Game, moves int) {
	for g.Moves() > moves && g.Undo() {
	}
}

func (c *Client) showReview(_ context.Context, params []byte) (any, error) {
	p, r, g, err := reviewed(wire.MethodReviewShow, params)
	if err != nil {
		return nil, err
	}
	if p.Move > g.Moves() {
		return nil, invalid(wire.MethodReviewShow, "move", fmt.Errorf("%d: the record has %d moves", p.Move, g.Moves()))
	}
	goTo(g, p.Move)
	at := wire.ReviewPosition{Board: g.Board(), Score: g.Score()}
	if made, ok := g.LastStep(); ok {
		g.Undo()
		before := g.Board()
		at.Step = step(&before, made.Move, made.Spawn)
	}
	if p.Move < len(r.Moves) {
		at.Next = &wire.NextMove{Move: r.Moves[p.Move]}
	}
	return at, nil
}

// Limits of one answer of review.values; the client requests the remaining moves.
const (
	valuesTime = 400 * time.Millisecond
	maxValues  = 2000
)

func (c *Client) reviewValues(ctx context.Context, params []byte) (any, error) {
	p, r, g, err := reviewed(wire.MethodReviewValues, params)
	if err != nil {
		return nil, err
	}
	m, err := c.host.maker(wire.MethodReviewValues, p.Player)
	if err != nil {
		return nil, err
	}
	if p.From > len(r.Moves) {
		return nil, invalid(wire.MethodReviewValues, "from", fmt.Errorf("%d: the record has %d moves", p.From, len(r.Moves)))
	}
	goTo(g, p.From)
	reviewer := player.Driver{Player: m.New()}
	defer reviewer.Close()
	reviewer.Start(0, 0, nil)
	b := g.Board()
	if err := reviewer.Prepare(ctx, b.Size()); err != nil {
		return nil, err
	}
	out := wire.ReviewValues{From: p.From, Next: p.From, Moves: []wire.MoveReview{}}
	for begin := time.Now(); out.Next < len(r.Moves) && len(out.Moves) < maxValues && time.Since(begin) < valuesTime; out.Next++ {
		d, err := reviewer.Decide(ctx, search.NewQuery(g.Board(), g.Score()).Exact())
		if err != nil {
			return nil, err
		}
		unit := wire.Unit(d.Unit)
		out.Unit = &unit
		out.Moves = append(out.Moves, moveReview(&d, out.Next, r.Moves[out.Next]))
		g.Redo()
	}
	return out, nil
}

// moveReview compares the move that was made with the best one.
func moveReview(d *player.Decision, move int, made board.Direction) wire.MoveReview {
	v := wire.MoveReview{Move: move, Played: made, Best: d.Move, Phase: wire.PhaseTo512, Class: wire.ClassBest}
	best := d.Moves[d.Move]
	if !best.Lost() && best.Value == best.Value { // not NaN
		v.Value = &best.Value
	}
	v.Lost = d.Moves[made].Lost() && !best.Lost()
	return v
}
