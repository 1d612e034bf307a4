package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"afterstate/eval"
	"afterstate/game"
	"afterstate/game/record"
	"afterstate/player"
	"afterstate/player/catalog"
	"afterstate/review"
	"afterstate/wire"
)

var reviewMethods = []Method{
	on[wire.FileGame](wire.MethodReviewRead, Ordered, (*Client).readReview),
	on[wire.ReviewSummary]("review.open", Ordered, (*Client).openReview),
	on[wire.ReviewPosition]("review.show", Ordered, (*Client).showReview),
	on[wire.ReviewValues]("review.values", Concurrent, (*Client).reviewValues),
	on[wire.ReviewReport]("review.report", Concurrent, (*Client).reviewReport),
	on[wire.ReviewChance]("review.chance", Concurrent, (*Client).reviewChance),
}

// replayedRecord replays the record of a request.
func replayedRecord(p *wire.OpenReview) (record.Record, *game.Game, error) {
	r, err := record.Parse([]byte(p.Record))
	var g *game.Game
	if err == nil {
		g, err = r.Replay()
	}
	if err != nil {
		return r, nil, invalid("record", err)
	}
	return r, g, nil
}

func (c *Client) openReview(_ context.Context, p *wire.OpenReview) (any, error) {
	r, g, err := replayedRecord(p)
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

func (c *Client) showReview(_ context.Context, p *wire.ShowReview) (any, error) {
	r, g, err := replayedRecord(&p.OpenReview)
	if err != nil {
		return nil, err
	}
	if p.Move > g.Moves() {
		return nil, invalid("move", fmt.Errorf("%d: the record has %d moves", p.Move, g.Moves()))
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
	maxValues  = 1000
)

// defaultWorst is the default number of worst moves of review.report.
const defaultWorst = 8

// judge returns the judge of a record: the default one, or a player.
func (c *Client) judge(spec string, r *record.Record) (*review.Judge, error) {
	parse := func(spec string) (catalog.Maker, error) { return catalog.Parse(spec, c.host.o.Capabilities) }
	if spec == "" {
		return review.New(parse, r.Board.Size(), len(r.Moves))
	}
	judge, err := review.Named(parse, spec)
	if err != nil {
		return nil, invalid("player", err)
	}
	return judge, nil
}

func (c *Client) reviewValues(ctx context.Context, p *wire.JudgeMoves) (any, error) {
	r, g, err := replayedRecord(&p.OpenReview)
	if err != nil {
		return nil, err
	}
	if p.From > len(r.Moves) {
		return nil, invalid("from", fmt.Errorf("%d: the record has %d moves", p.From, len(r.Moves)))
	}
	judge, err := c.judge(p.Player, &r)
	if err != nil {
		return nil, err
	}
	all := review.Positions(g)
	look, ps, from := review.FirstLook, all[p.From:], p.From
	if p.Deepen != nil {
		look, from = review.SecondLook, 0
		if ps, err = positionsAt(all, p.Deepen); err != nil {
			return nil, invalid("deepen", err)
		}
	}
	workers, done := c.host.limiter.more(0) // for a moment only
	defer done()
	moves, err := judge.Look(ctx, look, ps[:min(len(ps), maxValues)], review.Options{Workers: workers, Time: valuesTime})
	if err != nil {
		return nil, unsuitable(err)
	}
	out := wire.ReviewValues{From: from, Next: from + len(moves), Moves: []wire.MoveReview{}, Judge: judge.Spec, Unit: review.UnitOf(moves), Exact: review.AllExact(moves)}
	for i := range moves {
		out.Moves = append(out.Moves, moves[i].Wire())
	}
	return out, nil
}

// reviewChance plays on from positions of a game.
func (c *Client) reviewChance(ctx context.Context, p *wire.FindChance) (any, error) {
	r, g, err := replayedRecord(&p.OpenReview)
	if err != nil {
		return nil, err
	}
	m, err := catalog.Parse(review.Casual, c.host.o.Capabilities)
	if err != nil {
		return nil, err
	}
	d := player.Driver{Player: m.New()}
	defer d.Close()
	d.Start(0, 0, nil)
	if err := d.Prepare(ctx, r.Board.Size()); err != nil {
		return nil, err
	}
	out := wire.ReviewChance{Player: m.Spec, Horizon: review.Horizon(r.Board.Size()), Chances: []float64{}}
	boards := append(review.Positions(g), review.Position{Position: eval.Position{Board: g.Board()}})
	begun := time.Now()
	for _, at := range p.At {
		if at >= len(boards) {
			return nil, invalid("at", fmt.Errorf("%d: the record has %d moves", at, g.Moves()))
		}
		chance, err := review.Survival(ctx, &d, boards[at].Board)
		if err != nil {
			return nil, err
		}
		if out.Chances = append(out.Chances, chance); time.Since(begun) > valuesTime {
			break
		}
	}
	return out, nil
}

// positionsAt returns the positions of some moves.
func positionsAt(all []review.Position, moves []int) ([]review.Position, error) {
	var ps []review.Position
	for _, m := range moves {
		if m >= len(all) {
			return nil, fmt.Errorf("%d: the record has %d moves, the first is 0", m, len(all))
		}
		ps = append(ps, all[m])
	}
	return ps, nil
}

// reviewReport reviews a whole game. If the time of a search ends first, it reports what is judged.
func (c *Client) reviewReport(ctx context.Context, p *wire.ReportReview) (any, error) {
	r, g, err := replayedRecord(&p.OpenReview)
	if err != nil {
		return nil, err
	}
	judge, err := c.judge(p.Player, &r)
	if err != nil {
		return nil, err
	}
	workers, done := c.host.limiter.more(1) // other clients' searches need not wait for it
	defer done()
	moves, err := judge.Review(ctx, review.Positions(g), review.Options{Workers: workers})
	timeUp := errors.Is(context.Cause(ctx), context.DeadlineExceeded) && len(moves) > 0
	if err != nil && !timeUp {
		return nil, unsuitable(err)
	}
	if p.Worst == 0 {
		p.Worst = defaultWorst
	}
	return *review.NewReport(judge, moves, len(r.Moves), p.Worst), nil
}

// unsuitable makes the error about a judge one about the param player.
func unsuitable(err error) error {
	var u *review.Unsuitable
	if errors.As(err, &u) {
		return invalid("player", err)
	}
	return err
}
