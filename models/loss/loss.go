// Package loss measures what a network loses in play by being quantized.
//
//	played, measured, err := loss.Measure(ctx, raw, quantized, loss.Options{Games: 1000})
//	data, err = quant.Annotate(data, measured, played)
//
// Both networks play the same games, one ply, so that the difference of their scores is taken
// game by game.
package loss

import (
	"context"
	"errors"
	"math"

	"afterstate/learn"
	"afterstate/ntuple"
	"afterstate/ntuple/quant"
	"afterstate/stats"
)

// Options configure Measure.
type Options struct {
	Games   int // at least 2, for an interval
	Seed    uint64
	Threads int
	// Begin, if not nil, is called before the games of a network, of which what says which
	// one it is. Done is called after each game, end after all.
	Begin func(games int, what string) (done, end func())
}

// Measure lets both networks play. It returns how they compare, and how the quantized one does.
func Measure(ctx context.Context, raw, quantized *ntuple.Network, o Options) (*quant.Played, *ntuple.Measured, error) {
	before, err := o.scores(ctx, "games by the network", raw)
	if err != nil {
		return nil, nil, err
	}
	after, err := o.scores(ctx, "games by the small one", quantized)
	if err != nil {
		return nil, nil, err
	}
	played, measured := o.compare(before, after)
	return played, measured, nil
}

// scores are those of a network's games.
func (o *Options) scores(ctx context.Context, what string, n *ntuple.Network) (scores []float64, err error) {
	done, end := func() {}, func() {}
	if o.Begin != nil {
		done, end = o.Begin(o.Games, what)
	}
	defer end()
	games, err := learn.Play(ctx, learn.PlayOptions{Network: n, Seed: o.Seed, Games: uint64(o.Games), Threads: o.Threads, Done: done})
	for _, g := range games {
		scores = append(scores, float64(g.Score))
	}
	return scores, errors.Join(err, ctx.Err())
}

// compare is what scores of games with equal seeds say.
func (o *Options) compare(raw, quantized []float64) (*quant.Played, *ntuple.Measured) {
	differences := make([]float64, len(raw))
	for i := range raw {
		differences[i] = quantized[i] - raw[i]
	}
	before, _ := stats.Mean(raw)
	after, ci := stats.Mean(quantized)
	difference, differenceCI := stats.Mean(differences)
	return &quant.Played{
			Games: o.Games, Seed: o.Seed, Raw: tenths(before), Quantized: tenths(after),
			Difference: tenths(difference), CI95: ends(differenceCI),
		}, &ntuple.Measured{
			Player: "ntuple(plies=1)", Games: o.Games, Seed: o.Seed, Mean: tenths(after), CI95: ends(ci),
		}
}

func ends(ci stats.Interval) [2]float64 { return [2]float64{tenths(ci.Low), tenths(ci.High)} }

// tenths rounds a score.
func tenths(x float64) float64 { return math.Round(10*x) / 10 }
