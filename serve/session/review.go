package session

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/advice/luck"
	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/exchange/formats"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/player/levels"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

var reviewMethods = []Method{
	on[protocol.FileGame](protocol.MethodReviewRead, Ordered, (*Client).readReview),
	on[protocol.FootageGames](protocol.MethodFootage, Concurrent, (*Client).readFootage),
	on[protocol.ReviewSummary]("review.open", Ordered, replayed((*reviewed).summary)),
	on[protocol.ReviewPosition]("review.show", Ordered, replayed((*reviewed).position)),
	on[protocol.ReviewValues]("review.values", Concurrent, replayed((*reviewed).values)),
	on[protocol.ReviewValues]("review.board", Concurrent, (*Client).judgeBoard),
	on[protocol.ReviewChance]("review.chance", Concurrent, replayed((*reviewed).chance)),
	on[protocol.LuckAccount]("review.luck", Concurrent, replayed((*reviewed).luck)),
}

// reviewed is a record from a request, together with the replayed game.
type reviewed struct {
	*Client
	record.Record
	game *game.Game // after the last move of the record
}

// replayed returns a function that replays the record in a request and passes it to answer.
func replayed[P any, Q interface {
	*P
	Recorded() string
}](answer func(*reviewed, context.Context, *P) (any, error)) func(*Client, context.Context, *P) (any, error) {
	return func(c *Client, ctx context.Context, p *P) (any, error) {
		r, err := c.replay(Q(p).Recorded())
		if err != nil {
			return nil, err
		}
		return answer(r, ctx, p)
	}
}

// replay parses and replays a record.
func (c *Client) replay(text string) (*reviewed, error) {
	r, err := record.Parse([]byte(text))
	var g *game.Game
	if err == nil {
		g, err = r.Replay()
	}
	if err != nil {
		return nil, invalid("record", err)
	}
	return &reviewed{c, r, g}, nil
}

// checkMove returns an error about param if the record has fewer than move moves.
func (r *reviewed) checkMove(param string, move int) error {
	if move > len(r.Moves) {
		return invalid(param, fmt.Errorf("%d: the record has %d moves", move, len(r.Moves)))
	}
	return nil
}

func (r *reviewed) summary(_ context.Context, p *protocol.SumReview) (any, error) {
	out := protocol.ReviewSummary{
		Size: r.Board.Size(), Spawn: r.Spawn, Seed: r.Seed, Player: r.Player,
		Moves: r.game.Moves(), Board: r.Board, Score: r.Score,
	}
	if err := r.checkMove("classes", len(p.Classes)); err != nil {
		return nil, err
	}
	classes := make([]protocol.MoveClass, len(p.Classes))
	for i := range classes {
		at := strings.IndexByte(classLetters, p.Classes[i])
		if at < 0 {
			return nil, invalid("classes", fmt.Errorf("%.24q: every letter must be one of %s", p.Classes, classLetters))
		}
		classes[i] = classesByLetter[at]
	}
	if times := review.Times(review.Positions(r.game), r.Times, classes); times != nil {
		out.Times = &protocol.TimesOfGame{ReviewTimes: *times, Moves: r.Times}
	}
	return out, nil
}

const classLetters = "fbguimx"

// classesByLetter holds the class for each letter in classLetters.
var classesByLetter = [len(classLetters)]protocol.MoveClass{
	protocol.ClassForced, protocol.ClassBest, protocol.ClassGood, protocol.ClassUndecided,
	protocol.ClassInaccuracy, protocol.ClassMistake, protocol.ClassBlunder,
}

func (r *reviewed) position(_ context.Context, p *protocol.ShowReview) (any, error) {
	if err := r.checkMove("move", p.Move); err != nil {
		return nil, err
	}
	g := r.game
	for g.Moves() > p.Move && g.Undo() {
	}
	at := protocol.ReviewPosition{Board: g.Board(), Score: g.Score()}
	if made, ok := g.LastStep(); ok {
		g.Undo()
		before := g.Board()
		at.Step = step(&before, made.Move, made.Spawn)
	}
	if p.Move < len(r.Moves) {
		at.Next = &protocol.NextMove{Move: r.Moves[p.Move]}
	}
	return at, nil
}

// Limits for one answer; the client requests the remaining moves afterwards. The methods
// review.chance and review.luck use valuesTime too.
const (
	valuesTime = 400 * time.Millisecond
	maxValues  = 1000
)

// parse is catalog.Parse with the host's capabilities.
func (c *Client) parse(spec string) (catalog.Maker, error) {
	return catalog.Parse(spec, c.host.o.Capabilities)
}

// level returns the level with this name or, if name is empty, the level nearest to the record's score. It
// returns nil for the name levels.Strong, or if no level fits (see [levels.Choose]).
func (r *reviewed) level(name string) (*levels.Level, error) {
	level, err := levels.Choose(name, &r.Board, float64(r.Score))
	if err != nil {
		return nil, invalid("level", err)
	}
	return level, nil
}

// judge returns the judge of the game: the player that spec names, or a judge for a level if spec
// is empty.
func (r *reviewed) judge(spec, level string) (*review.Judge, error) {
	if spec == "" {
		l, err := r.level(level)
		if err != nil {
			return nil, err
		}
		p4, _ := luck.FourProbability(&r.Meta)
		return review.New(r.parse, l, r.Board.Size(), len(r.Moves), p4)
	}
	if level != "" {
		return nil, invalid("level", errors.New("both level and player are given: give one of them"))
	}
	judge, err := review.Named(r.parse, spec)
	if err != nil {
		return nil, invalid("player", err)
	}
	return judge, nil
}

func (r *reviewed) values(ctx context.Context, p *protocol.JudgeMoves) (any, error) {
	if err := r.checkMove("from", p.From); err != nil {
		return nil, err
	}
	judge, err := r.judge(p.Player, p.Level)
	if err != nil {
		return nil, err
	}
	all := review.Positions(r.game)
	look, ps, from := review.FirstLook, all[p.From:], p.From
	if p.Deepen != nil {
		look, from = review.SecondLook, 0
		ps = nil
		for _, m := range p.Deepen {
			if m >= len(all) {
				return nil, invalid("deepen", fmt.Errorf("%d: the record has %d moves, numbered from 0", m, len(all)))
			}
			ps = append(ps, all[m])
		}
	}
	threads, done := r.host.searches.takeFree() // done is called after valuesTime at most
	defer done()
	moves, err := judge.Look(ctx, look, ps[:min(len(ps), maxValues)], review.Options{Threads: threads, Time: valuesTime})
	if err != nil {
		return nil, err
	}
	out := valuesOf(judge, from, moves)
	if luck.Known(r.parse, &r.Meta) {
		out.End = stats.OrNull(judge.End(r.game))
	}
	return out, nil
}

func valuesOf(judge *review.Judge, from int, moves []review.Judgement) protocol.ReviewValues {
	out := protocol.ReviewValues{From: from, Next: from + len(moves), Moves: []protocol.MoveReview{}, Judge: judge.Spec, Unit: review.UnitOf(moves), Exact: review.AllExact(moves)}
	for i := range moves {
		out.Moves = append(out.Moves, moves[i].Wire())
	}
	return out
}

// judgeBoard judges all legal moves on a board, with both looks of a review (see package review) and the effort per
// move of a short game.
func (c *Client) judgeBoard(ctx context.Context, p *protocol.JudgeBoard) (any, error) {
	level, err := levels.Choose(cmp.Or(p.Level, levels.Strong), &p.Board, 0)
	if err != nil {
		return nil, invalid("level", err)
	}
	p4 := game.P4
	if p.P4 != nil {
		p4 = *p.P4
	}
	judge, err := review.New(c.parse, level, p.Board.Size(), 1, p4)
	if err != nil {
		return nil, err
	}
	moves, err := judge.Review(ctx, review.Choices(eval.Position{Board: p.Board, Score: p.Score}), review.Options{Threads: 1})
	if err != nil {
		return nil, err
	}
	return valuesOf(judge, 0, moves), nil
}

// chance returns the chance to survive from each of the given positions of a game. It estimates
// each chance by playing on from the position.
func (r *reviewed) chance(ctx context.Context, p *protocol.FindChance) (any, error) {
	p4, _ := luck.FourProbability(&r.Meta)
	m, err := r.parse(catalog.WithP4(review.Casual, p4))
	if err != nil {
		return nil, err
	}
	d := player.Driver{Player: m.New()}
	defer d.Close()
	d.Start(0, 0, nil)
	if err := d.Prepare(ctx, r.Board.Size()); err != nil {
		return nil, err
	}
	out := protocol.ReviewChance{Player: m.Spec, Horizon: review.Horizon(r.Board.Size()), Chances: []float64{}}
	boards := append(review.Positions(r.game), review.Position{Position: eval.Position{Board: r.game.Board()}})
	begun := time.Now()
	for _, at := range p.At {
		if err := r.checkMove("at", at); err != nil {
			return nil, err
		}
		chance, err := review.Survival(ctx, &d, boards[at].Board, p4)
		if err != nil {
			return nil, err
		}
		if out.Chances = append(out.Chances, chance); time.Since(begun) > valuesTime {
			break
		}
	}
	return out, nil
}

// luck returns the luck of the spawns, for as many moves from p.From on as valuesTime allows.
func (r *reviewed) luck(ctx context.Context, p *protocol.AccountLuck) (any, error) {
	if err := r.checkMove("from", p.From); err != nil {
		return nil, err
	}
	p4, ok := luck.FourProbability(&r.Meta)
	if !ok {
		return nil, invalid("record", fmt.Errorf("the new tiles follow the rule %q: luck is defined only for random tiles", r.Spawn))
	}
	if luck.Foreseen(r.parse, &r.Meta) {
		return nil, invalid("record", fmt.Errorf("%s knows the coming tiles, so its moves and its luck cannot be told apart", r.Player))
	}
	v, err := luck.New(ctx, r.parse, r.Board.Size(), p4)
	if errors.Is(err, luck.ErrNoPoints) {
		return nil, invalid("record", err)
	}
	if err != nil {
		return nil, err
	}
	defer v.Close()
	begun := time.Now()
	a, err := v.Account(ctx, r.game, p.From, func() bool { return time.Since(begun) > valuesTime })
	if err != nil {
		return nil, err
	}
	return a.LuckAccount, nil
}

// readReview finds a game in a file of any format. It reads the whole file, so that an error in a
// later game is reported too.
func (c *Client) readReview(ctx context.Context, p *protocol.ReadGames) (any, error) {
	format := formats.Detect(p.Data)
	var chosen *formats.AnnotatedRecord
	games := 0
	for g, err := range formats.Read(bytes.NewReader(p.Data), format) {
		if err != nil {
			return nil, invalid("data", err)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if games == p.Game {
			chosen = g
		}
		games++
	}
	if chosen == nil {
		return nil, invalid("game", fmt.Errorf("%d: the file has %d games, counted from 0", p.Game, games))
	}
	var line bytes.Buffer
	if err := record.Write(&line, chosen.Record); err != nil {
		return nil, err
	}
	if line.Len() > protocol.MaxRecord {
		return nil, invalid("data", fmt.Errorf("game %d has %d moves and a record of %d bytes: must be at most %d bytes; for longer games use afterstate review FILE", p.Game, len(chosen.Moves), line.Len(), protocol.MaxRecord))
	}
	var dropped, lost formats.Losses
	dropped.Add(chosen.Beyond(formats.Named("records").Holds))
	lost.Add(chosen.Lost)
	return protocol.FileGame{
		Format: format.Name, Games: games, Record: string(bytes.TrimSpace(line.Bytes())),
		Player: chosen.Player, Score: chosen.Score, Moves: len(chosen.Moves), Lost: append(append([]string{}, dropped.List()...), lost.List()...), // never nil, which would be null in JSON
	}, nil
}
