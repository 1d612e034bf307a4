package bench

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

const (
	settleGames  = 500  // number of training games that are not counted: they touch memory for the first time
	trainedGames = 4000 // number of games for which the playing network is trained
	playSeed     = 2    // seed of the games that are played; training uses seed 1
)

// Layout returns the network layout for training and playing: 4x6.
func Layout() ntuple.Layout {
	l, err := ntuple.Named(bitboard.Size, "4x6")
	if err != nil {
		panic(err) // impossible: the name exists
	}
	return l
}

// MeasureTraining returns the moves per second of one thread that trains a network from scratch: by TC at
// rate 1 if coherent is true, otherwise by plain TD at rate 0.1. The measurement takes about the given duration.
// The first games are not counted.
func MeasureTraining(ctx context.Context, coherent bool, duration time.Duration) (movesPerSecond float64, err error) {
	network, err := ntuple.New(Layout())
	if err != nil {
		return 0, err
	}
	defer network.Close()
	settling, settled := context.WithCancel(ctx)
	defer settled()
	trainer, err := learn.New(learn.Options{
		Network: network, Coherent: coherent, Seed: 1,
		ReportEvery: settleGames, Report: func(learn.Interval) { settled() },
	})
	if err != nil {
		return 0, err
	}
	defer trainer.Close()
	if err := trainer.Run(settling); err != nil {
		return 0, err
	}
	return rate(ctx, duration, func(ctx context.Context) (moves uint64, err error) {
		before := trainer.Tally().Moves
		err = trainer.Run(ctx)
		return trainer.Tally().Moves - before, err
	})
}

// MeasurePlay returns the moves per second of one thread that plays, 1-ply, with a network that plain TD at
// rate 0.1 trained for 4000 games. The measurement takes about the given duration. The games are the same in every
// call.
func MeasurePlay(ctx context.Context, duration time.Duration) (movesPerSecond float64, err error) {
	network, err := player(ctx)
	if err != nil {
		return 0, err
	}
	defer network.Close()
	return rate(ctx, duration, func(ctx context.Context) (moves uint64, err error) {
		games, err := learn.Play(ctx, learn.PlayOptions{Network: network, Seed: playSeed})
		for _, g := range games {
			moves += uint64(g.Moves)
		}
		return moves, err
	})
}

// player returns a briefly trained network with int16 weights, as players use it.
func player(ctx context.Context) (*ntuple.Network, error) {
	network, err := ntuple.New(Layout())
	if err != nil {
		return nil, err
	}
	defer network.Close()
	if err := train(ctx, learn.Options{Network: network, Seed: 1, Games: trainedGames}); err != nil {
		return nil, err
	}
	return network.Int16()
}

// train trains a network until it has played o.Games games.
func train(ctx context.Context, o learn.Options) error {
	trainer, err := learn.New(o)
	if err != nil {
		return err
	}
	defer trainer.Close()
	if err := trainer.Run(ctx); err != nil {
		return err
	}
	return ctx.Err()
}

// rate returns the moves per second of run, which plays until its context ends. rate ends that
// context after the given duration, calls run again if no game was finished, and divides the moves
// by the time that actually passed.
func rate(ctx context.Context, duration time.Duration, run func(context.Context) (moves uint64, err error)) (perSecond float64, err error) {
	start := time.Now()
	moves := uint64(0)
	for moves == 0 && err == nil {
		timed, cancel := context.WithTimeout(ctx, duration)
		moves, err = run(timed)
		cancel()
		if err == nil {
			err = ctx.Err()
		}
	}
	return float64(moves) / time.Since(start).Seconds(), err
}

// ReferenceSearch returns the options of a search like that of nneonneo/2048-ai: with its
// heuristic, its depth rule (the number of distinct tiles minus 2, at least 3, counted below the
// first move), its probability cutoff of 1e-4, and a separate transposition table for each first
// move.
func ReferenceSearch() search.ExpectimaxOptions {
	tiles, dead := 1, 0.0
	return search.ExpectimaxOptions{
		Eval: eval.NewLines(eval.NneonneoWeights()), DeathValue: &dead,
		Plies: 4, DepthByTiles: &tiles, MinProb: 1e-4,
		TT: search.MinTT, TTRootMove: true,
	}
}

// PlayingSearch returns the options of ReferenceSearch with a PruneMargin. The search makes the same decision
// in at least 95 % of positions, with at most a third of the nodes (TestPlayedDecidesLikeTheAnchor).
func PlayingSearch() search.ExpectimaxOptions {
	o := ReferenceSearch()
	o.PruneMargin = 200000
	return o
}

// MeasureSearch measures the two speeds of the 4x4 search and sets them in r. Each measurement takes about
// the given duration. MovesEvaluated is measured with ReferenceSearch and counts four moves for each board after a
// spawn, as nneonneo/2048-ai does. SearchPlayed counts decisions of PlayingSearch.
func MeasureSearch(ctx context.Context, duration time.Duration, r *Speeds) error {
	positions := Positions()
	nodes, _, seconds, err := measure(ctx, ReferenceSearch(), positions, duration)
	if err != nil {
		return err
	}
	r.MovesEvaluated = float64(nodes) * 4 / 5 / seconds
	_, moves, seconds, err := measure(ctx, PlayingSearch(), positions, duration)
	r.SearchPlayed = float64(moves) / seconds
	return err
}

func measure(ctx context.Context, o search.ExpectimaxOptions, positions []board.Board, duration time.Duration) (nodes int64, moves int, seconds float64, err error) {
	s := newSearch(o)
	start := time.Now()
	for moves == 0 || time.Since(start) < duration {
		q := search.NewQuery(positions[moves%len(positions)], 0)
		r, err := s.Search(ctx, q)
		if err != nil {
			return 0, 0, 0, err
		}
		nodes += r.Nodes
		moves++
	}
	return nodes, moves, time.Since(start).Seconds(), nil
}

func newSearch(o search.ExpectimaxOptions) *search.Expectimax4 {
	lines, _ := search.CompileLines(o.Eval)
	return search.NewExpectimax4(o, lines)
}

const (
	positionGames = 8  // number of games: seeds 1 to 8, played by a search of 2 plies
	positionEvery = 16 // number of moves from one position to the next
)

// Positions returns boards from complete games, in a fixed shuffled order.
func Positions() (all []board.Board) {
	dead := 0.0
	s := newSearch(search.ExpectimaxOptions{Eval: eval.NewLines(eval.NneonneoWeights()), DeathValue: &dead, Plies: 2})
	for seed := range uint64(positionGames) {
		g, err := game.New(game.Options{Spawner: game.NewRandom(seed+1, 0, game.P4)})
		if err != nil {
			panic(err) // cannot fail for 4x4 and P4
		}
		for n := 0; !g.Over(); n++ {
			if n%positionEvery == 0 {
				all = append(all, g.Board())
			}
			r, err := s.Search(context.Background(), search.NewQuery(g.Board(), 0))
			if err != nil || !r.OK || g.Move(r.Move) != nil {
				panic("bench: a game cannot be played") // impossible: the move is legal
			}
		}
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// Speeds holds the measured speeds and the signature. A speed that was not measured is zero, and omitted in
// JSON.
type Speeds struct {
	MovesEvaluated float64 `json:"moves_evaluated_per_s,omitempty"`
	SearchPlayed   float64 `json:"search_played_moves_per_s,omitempty"`
	TD             float64 `json:"td_moves_per_s,omitempty"`
	TC             float64 `json:"tc_moves_per_s,omitempty"`
	Play           float64 `json:"play_moves_per_s,omitempty"`
	Signature      string  `json:"signature,omitempty"`
}

// Part is one of the measurements.
type Part struct {
	Name   string
	Memory int64 // memory in bytes that the network and its training need
	// Measure measures the part's speeds, each for about the given duration, and sets them in r.
	Measure func(ctx context.Context, duration time.Duration, r *Speeds) error
}

// Parts lists all measurements.
func Parts() []Part {
	layout := Layout()
	plain, coherent := learn.RequiredMemory(&layout, false), learn.RequiredMemory(&layout, true)
	return []Part{
		{"search", 0, MeasureSearch},
		{"td", plain, func(ctx context.Context, duration time.Duration, r *Speeds) (err error) {
			r.TD, err = MeasureTraining(ctx, false, duration)
			return err
		}},
		{"tc", coherent, func(ctx context.Context, duration time.Duration, r *Speeds) (err error) {
			r.TC, err = MeasureTraining(ctx, true, duration)
			return err
		}},
		{"play", plain, func(ctx context.Context, duration time.Duration, r *Speeds) (err error) {
			r.Play, err = MeasurePlay(ctx, duration)
			return err
		}},
	}
}

// WriteText writes one line for each result.
func (r *Speeds) WriteText(w io.Writer) error {
	var text strings.Builder
	for i, all := 0, reflect.ValueOf(r).Elem(); i < all.NumField(); i++ {
		name, _, _ := strings.Cut(all.Type().Field(i).Tag.Get("json"), ",")
		switch value := all.Field(i); {
		case value.IsZero(): // not measured
		case value.CanFloat():
			fmt.Fprintf(&text, "%-27s%14.0f\n", name, value.Float())
		default:
			fmt.Fprintf(&text, "%-27s%s\n", name, value)
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}
