// Package luck splits the score of a game into the contributions of its moves and of its new tiles.
//
//	v, err := luck.New(ctx, parse, g.Board().Size(), game.P4)
//	defer v.Close()
//	account, err := v.Account(ctx, g, 0, nil)
//	ledger := v.Ledger(&account)
//
// # The account
//
// A [Valuer] values boards: V(b) is the score that a player still expects to gain from board b on.
// Score + V is the expected final score. From one board of a game to the next it changes by two amounts:
//
//   - luck: V after the new tile, minus the mean of V over all possible new tiles, weighted by their
//     probabilities. The mean of luck is zero however wrong V is, for every player that does not know
//     the coming tiles. So the sum over a game can be compared with its standard deviation.
//   - moves: the reward of the move plus the mean of V over the new tiles, minus V before the move.
//
// So for a finished game
//
//	score = V(first board) + sum of moves + sum of luck
//
// holds for every V. With exact values, each move contributes minus its loss: never a positive amount, and zero for
// optimal play. V expects play as strong as that of its own player, so a weaker player's moves give away most of the
// expected score. The contribution of the moves also includes drift: where V is inconsistent from one board to the
// next, even the best move according to V changes the expected score. A level, which models a player of some strength
// (package levels), measures both contributions by playouts and without drift; see review.Judge.Ledger.
//
// # Source
//
// M. White and M. Bowling, Learning a value analysis tool for agent evaluation (IJCAI 2009): the luck
// of chance events has mean zero for every V.
package luck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/internal/yield"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
	"github.com/afterstate2048/afterstate/search"
)

// ErrNoPoints is the error for a board size without a player that estimates points.
var ErrNoPoints = errors.New("skill and luck need values in points: a network for boards of this size, or a solved size")

// Valuer estimates the future score of boards. It is not safe for concurrent use.
type Valuer struct {
	Spec   string // spec of the player that computes the values
	Exact  bool   // the values are exact
	driver player.Driver
	p4     float64
}

// New returns a valuer with values in points, for boards of one size, where a 4 spawns with probability
// p4. On 4x4 it uses the embedded network at 1 ply. On other sizes it uses the player "best": the exact
// values of a solved size, or else a network at 1 ply. It fails with [ErrNoPoints] if the size has
// neither. parse is catalog.Parse with the caller's capabilities.
func New(
	ctx context.Context, parse func(spec string) (catalog.Maker, error), size board.Size, p4 float64,
) (*Valuer, error) {
	spec := "best"
	if size == bitboard.Size {
		spec = "ntuple(plies=1,endings=none)"
	}
	v, err := open(ctx, parse, spec, size, p4)
	if err != nil {
		return nil, err
	}
	b := board.New(size)
	b.Set(0, 1)
	b.Set(1, 1)
	if d, err := v.decide(ctx, &b); err != nil || d.Unit != eval.Points {
		v.Close()
		return nil, cmp.Or(err, ErrNoPoints)
	}
	return v, nil
}

// NewControl returns a valuer for control variates: its luck should explain as much as possible of the
// variance of the score, or of whether a goal is reached. Its values are not always in points, so it must
// not be used for a [protocol.Ledger]: in endings on 4x4 the values are chances of a 32768 times a constant,
// and on a size without a network or exact values they come from a heuristic.
func NewControl(ctx context.Context, parse func(spec string) (catalog.Maker, error), size board.Size, p4 float64) (*Valuer, error) {
	if size == bitboard.Size {
		return open(ctx, parse, "ntuple(plies=1)", size, p4)
	}
	v, err := New(ctx, parse, size, p4)
	if errors.Is(err, ErrNoPoints) {
		return open(ctx, parse, "expectimax(eval=expert,plies=2,death_value=-400000)", size, p4)
	}
	return v, err
}

// open returns a valuer that uses the values of the player with the given spec, for boards of one size.
func open(ctx context.Context, parse func(spec string) (catalog.Maker, error), spec string, size board.Size, p4 float64) (*Valuer, error) {
	m, err := parse(catalog.WithP4(spec, p4))
	if err != nil {
		return nil, fmt.Errorf("%w (%s: %w)", ErrNoPoints, spec, err)
	}
	solved := m.Exact != nil && m.Exact(size)
	v := &Valuer{Spec: m.Spec, Exact: solved, p4: p4}
	if v.driver.Player = m.New(); !solved {
		v.driver.Player = m.Rollout()
	}
	v.driver.Start(0, 0, nil)
	if err := v.driver.Prepare(ctx, size); err != nil {
		v.Close()
		return nil, err
	}
	return v, nil
}

// Close closes the valuer's player.
func (v *Valuer) Close() { v.driver.Close() }

func (v *Valuer) decide(ctx context.Context, b *board.Board) (player.Decision, error) {
	return v.driver.Decide(ctx, search.NewQuery(*b, 0).Exact())
}

// Hash returns a fingerprint of the values. It hashes the values of the boards of a fixed game and, on 4x4,
// of some endings. Valuers with the same hash give the same values, even if their specs differ.
func (v *Valuer) Hash(ctx context.Context, size board.Size) (string, error) {
	g, err := game.New(game.Options{Size: size, Spawner: game.NewRandom(1, 0, game.P4)})
	if err != nil {
		return "", err
	}
	sum := fnv.New64a()
	add := func(b board.Board) error {
		x, err := v.Value(ctx, &b)
		fmt.Fprintf(sum, "%.6g ", x) // the last digits differ between processors
		return err
	}
	if size == bitboard.Size {
		r := rand.NewPCG(1, 0)
		for i := range 12 {
			if err := add(endings.Start(4+i%3, r).Board()); err != nil {
				return "", err
			}
		}
	}
	for range 64 {
		b := g.Board()
		if err := add(b); err != nil {
			return "", err
		}
		legal := b.Legal()
		if len(legal) == 0 {
			break
		}
		if err := g.Move(legal[g.Moves()%len(legal)]); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%016x", sum.Sum64()), nil
}

// Value returns the expected future score of a board before a move, or 0 if the game is over.
func (v *Valuer) Value(ctx context.Context, b *board.Board) (float64, error) {
	if b.Terminal() {
		return 0, nil
	}
	d, err := v.decide(ctx, b)
	return d.Best(), err
}

// spawned returns the mean and the variance of Value over all possible new tiles on an afterstate. with
// is the value after the actual new tile s.
func (v *Valuer) spawned(ctx context.Context, after *board.Board, s game.Spawn) (mean, variance, with float64, err error) {
	empty, squares := 0, 0.0
	for cell := range after.Size().Cells() {
		if after.Cell(cell) != 0 {
			continue
		}
		empty++
		for e, p := range [...]float64{1: 1 - v.p4, 2: v.p4} {
			if p == 0 && (cell != s.Cell || uint8(e) != s.Exponent) {
				continue
			}
			b := *after
			b.Set(cell, uint8(e))
			x, err := v.Value(ctx, &b)
			if err != nil {
				return 0, 0, 0, err
			}
			mean += p * x
			squares += p * x * x
			if cell == s.Cell && uint8(e) == s.Exponent {
				with = x
			}
		}
	}
	mean /= float64(empty)
	return mean, max(0, squares/float64(empty)-mean*mean), with, nil
}

// FourProbability returns the probability of a 4 in a recorded game. If its new tiles are not random, ok is false
// and p4 is game.P4. It assumes that games imported from other programs use the probability of the original game.
func FourProbability(m *record.Meta) (p4 float64, ok bool) {
	switch m.Spawn {
	case record.Random:
		return m.P4, true
	case record.Imported:
		return game.P4, true
	}
	return game.P4, false
}

// Known reports whether the luck of a recorded game can be computed: its new tiles are random, and its
// player did not know them.
func Known(parse func(spec string) (catalog.Maker, error), m *record.Meta) bool {
	_, random := FourProbability(m)
	return random && !Foreseen(parse, m)
}

// Foreseen reports whether the player of a recorded game knew the coming tiles. The moves then depend on the tiles, so
// the mean of the game's luck is not 0.
func Foreseen(parse func(spec string) (catalog.Maker, error), m *record.Meta) bool {
	p, err := parse(m.Player)
	return err == nil && p.Foresees
}

// Recorded returns the ledger of a recorded game. It returns nil if the new tiles are not random, if the
// player knew them, if no player estimates points on this board size, or if [Account.Contradictory] reports true.
func Recorded(
	ctx context.Context, parse func(spec string) (catalog.Maker, error), m *record.Meta, g *game.Game,
) (*protocol.Ledger, error) {
	if !Known(parse, m) {
		return nil, nil
	}
	p4, _ := FourProbability(m)
	b := g.Board()
	v, err := New(ctx, parse, b.Size(), p4)
	switch {
	case errors.Is(err, ErrNoPoints):
		return nil, nil
	case err != nil:
		return nil, err
	}
	defer v.Close()
	a, err := v.Account(ctx, g, 0, nil)
	if err != nil {
		return nil, err
	}
	if a.Contradictory() {
		return nil, nil
	}
	l := v.Ledger(&a)
	return &l, nil
}

// Account describes how the expected final score changes along a game.
type Account struct {
	protocol.LuckAccount
	Score int64 // score after the last move
}

// Account computes the account of g, starting at move number from (counted from 0). If enough is not nil, Account calls
// it after each move, and stops when it returns true. Account undoes and replays moves of g; on return, g is unchanged.
// If ctx ends, Account returns the account so far and ctx.Err().
func (v *Valuer) Account(ctx context.Context, g *game.Game, from int, enough func() bool) (Account, error) {
	total := g.Moves()
	for g.Moves() > from && g.Undo() {
	}
	defer func() {
		for g.Moves() < total && g.Redo() {
		}
	}()
	b := g.Board()
	value, err := v.Value(ctx, &b)
	a := Account{protocol.LuckAccount{From: from, Expected: []float64{float64(g.Score()) + value}, Luck: []float64{}, Player: v.Spec, Exact: v.Exact}, g.Score()}
	for err == nil && g.Redo() {
		step, _ := g.LastStep()
		after, reward, _ := b.Slide(step.Move)
		mean, variance, with, failed := v.spawned(ctx, &after, step.Spawn)
		if err = failed; err != nil {
			break
		}
		drift, failed := v.drift(ctx, &b, step.Move, float64(reward)+mean)
		if err = failed; err != nil {
			break
		}
		a.Drift += drift
		b = g.Board()
		a.Score = g.Score()
		a.Luck = append(a.Luck, with-mean)
		a.Variance += variance
		a.Expected = append(a.Expected, float64(a.Score)+with)
		yield.Point()
		if err = ctx.Err(); enough != nil && enough() {
			break
		}
	}
	a.Next = from + len(a.Luck)
	return a, err
}

// drift returns how much the best move according to the values changes the expected score: 0 if the
// values of successive boards are consistent. after is the reward of the played move plus the mean value after it.
func (v *Valuer) drift(ctx context.Context, b *board.Board, played board.Direction, after float64) (float64, error) {
	d, err := v.decide(ctx, b)
	if err != nil || v.Exact || d.Unvalued() {
		return 0, err
	}
	if d.Move != played {
		best, reward, _ := b.Slide(d.Move)
		mean, _, _, err := v.spawned(ctx, &best, game.Spawn{})
		if err != nil {
			return 0, err
		}
		after = float64(reward) + mean
	}
	return after - d.Best(), nil
}

// Contradictory reports whether the drift is larger than the contributions of moves and luck together.
// The account is then meaningless.
func (a *Account) Contradictory() bool {
	tiles := 0.0
	for _, x := range a.Luck {
		tiles += x
	}
	moves := a.Expected[len(a.Luck)] - a.Expected[0] - tiles
	return math.Abs(a.Drift) > math.Abs(moves)+math.Abs(tiles)
}

// Moves returns how much move i of the account, counted from 0, changed the expected score, without luck.
func (a *Account) Moves(i int) float64 { return a.Expected[i+1] - a.Expected[i] - a.Luck[i] }

// Ledger sums up an account that v computed.
func (v *Valuer) Ledger(a *Account) protocol.Ledger {
	l := protocol.Ledger{
		Player: v.Spec, Exact: v.Exact, Expected: a.Expected[0], LuckSD: math.Sqrt(a.Variance), Remaining: a.Expected[len(a.Luck)] - float64(a.Score), Score: a.Score,
	}
	for i, x := range a.Luck {
		l.Luck += x
		l.Moves += a.Moves(i)
	}
	if len(a.Luck) > 0 {
		worst, best := slices.Index(a.Luck, slices.Min(a.Luck)), slices.Index(a.Luck, slices.Max(a.Luck))
		l.Worst = &protocol.TileLuck{Move: a.From + worst, Luck: a.Luck[worst]}
		l.Best = &protocol.TileLuck{Move: a.From + best, Luck: a.Luck[best]}
	}
	return l
}
