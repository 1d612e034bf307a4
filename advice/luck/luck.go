// Package luck splits the score of a game into what its moves and what its new tiles changed.
//
//	v, err := luck.New(ctx, parse, g.Board().Size(), game.P4)
//	defer v.Close()
//	account, err := v.Account(ctx, g, 0, nil)
//	ledger := v.Ledger(&account)
//
// # The account
//
// A [Valuer] values boards: V(b) is the score that a player expects from a board on. Score + V is the expected final score.
// Between two boards of a game it changes by two amounts:
//
//   - luck: V after the new tile, minus its mean over all new tiles, each with its probability. Its mean is zero, however wrong V is,
//     for every player that does not know the coming tiles. So the sum over a game compares with its standard deviation.
//   - moves: all the rest, which is the reward and the mean of V after the move, minus V before it.
//
// So for a finished game
//
//	score = V(first board) + sum of moves + sum of luck
//
// holds for every V. With exact values the moves' part is minus their losses: it is never positive,
// and zero for optimal play. A network that plays well expects its own play, so most of its
// expectation is lost by the moves of a weaker player. The moves' part also holds the drift, what V
// changes its mind by: the best move by V should change nothing, and where V contradicts itself it
// does. A level (package review) measures both parts, without such a drift.
//
// # Source
//
// M. White and M. Bowling, Learning a value analysis tool for agent evaluation (IJCAI 2009): the luck of chance events has the mean zero
// for every V.
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

// ErrNoPoints is the error for a size on which nothing estimates points.
var ErrNoPoints = errors.New("skill and luck need values in points: a network for boards of this size, or the size solved")

// Valuer values boards. It is for one goroutine at a time.
type Valuer struct {
	Spec   string // the player whose values these are
	Exact  bool   // the values are exact
	driver player.Driver
	p4     float64
}

// New returns the valuer in points of boards of a size, where a 4 spawns with probability p4: on 4x4 the embedded
// network at one ply, elsewhere a network's 1-ply play, or the exact values of a solved size. It fails with
// [ErrNoPoints] where there is neither. parse is catalog.Parse with the caller's capabilities.
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

// NewControl returns a valuer whose luck, as a control variate, explains as much as possible of a score, or of whether a goal is reached.
// Its values are no points everywhere, which a [protocol.Ledger] needs: in endings of 4x4 they are chances of a 32768, times a constant,
// and a size that has no network and is not solved is valued by hand-made terms.
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

// open returns the valuer that has the values of a player on boards of a size.
func open(ctx context.Context, parse func(spec string) (catalog.Maker, error), spec string, size board.Size, p4 float64) (*Valuer, error) {
	m, err := parse(spec)
	if err != nil {
		return nil, fmt.Errorf("%w (%s: %w)", ErrNoPoints, spec, err)
	}
	solved := m.Exact != nil && m.Exact(size)
	v := &Valuer{Spec: m.Spec, Exact: solved && p4 == game.P4, p4: p4}
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

// Hash identifies the values by those of the boards of a game, and of endings: two valuers with the same hash value boards alike, whatever
// they are called.
func (v *Valuer) Hash(ctx context.Context, size board.Size) (string, error) {
	g, err := game.New(game.Options{Size: size, Spawner: game.NewRandom(1, 0, game.P4)})
	if err != nil {
		return "", err
	}
	sum := fnv.New64a()
	add := func(b board.Board) error {
		x, err := v.Value(ctx, &b)
		fmt.Fprintf(sum, "%.6g ", x) // processors differ in the last digits
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

// Value returns what is expected from a board on, before a move; 0 if the game is over.
func (v *Valuer) Value(ctx context.Context, b *board.Board) (float64, error) {
	if b.Terminal() {
		return 0, nil
	}
	d, err := v.decide(ctx, b)
	return d.Best(), err
}

// spawned returns the mean and the variance of Value over all new tiles on an afterstate, and the value with the given one.
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

// FourProbability returns the probability of a 4 in the game of a record; ok is false if its new tiles are not random. Other programs' games
// are taken to have the original game's tiles.
func FourProbability(m *record.Meta) (p4 float64, ok bool) {
	switch m.Spawn {
	case record.Random:
		return m.P4, true
	case record.Imported:
		return game.P4, true
	}
	return 0, false
}

// Known reports whether the luck of a recorded game can be known: its new tiles are random, and its
// player did not know them.
func Known(parse func(spec string) (catalog.Maker, error), m *record.Meta) bool {
	_, random := FourProbability(m)
	return random && !Foreseen(parse, m)
}

// Foreseen reports whether the player of a record knew the coming tiles: its moves depend on them, so its luck has another mean than 0.
func Foreseen(parse func(spec string) (catalog.Maker, error), m *record.Meta) bool {
	p, err := parse(m.Player)
	return err == nil && p.Foresees
}

// Recorded returns the ledger of the game of a record; nil if its new tiles are not random, if its player knew them,
// if nothing estimates points, or if the values are contradictory.
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

// Account is the expected final score along a game.
type Account struct {
	// Expected is score + value before each move, and after the last one: one more than Luck has.
	Expected []float64
	// Luck is what the new tile after each move changed.
	Luck []float64
	// Variance is the sum of the variances of all entries of Luck, given the moves.
	Variance float64
	// Drift is what the values changed their mind by: the sum of what the best moves by them would have changed.
	Drift float64
	Score int64 // after the last move
	From  int   // number of moves before the first one
}

// Account accounts for the moves of a game, from the one after from moves on, until enough returns true after a move; nil: all of them.
// The game has all its moves afterwards. If ctx ends, the error is its own.
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
	a := Account{From: from, Expected: []float64{float64(g.Score()) + value}, Luck: []float64{}, Score: g.Score()}
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
	return a, err
}

// drift returns what the best move on a board, by the values, would change. after is the value
// after the move that was played.
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

// Contradictory reports whether the values changed their mind by more than they explain, so that
// the account says nothing.
func (a *Account) Contradictory() bool {
	tiles := 0.0
	for _, x := range a.Luck {
		tiles += x
	}
	moves := a.Expected[len(a.Luck)] - a.Expected[0] - tiles
	return math.Abs(a.Drift) > math.Abs(moves)+math.Abs(tiles)
}

// Moves returns what move number i of the account changed.
func (a *Account) Moves(i int) float64 { return a.Expected[i+1] - a.Expected[i] - a.Luck[i] }

// Ledger sums up an account of v.
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
