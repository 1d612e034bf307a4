// Package shrink quantizes models and measures how much strength they lose.
//
//	data, lost, err := shrink.Model(ctx, model, shrink.Options{Options: quant.Options{Bits: 12}, Games: 1000})
//
// The original and the quantized network play games with the same seeds, at one ply, so their
// scores are compared pairwise. The results are stored in the quantized model file.
package shrink

import (
	"context"
	"errors"
	"math"

	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/learn"
)

// Options configures Model.
type Options struct {
	quant.Options     // if Size is set, Model sets Visits
	Games         int // games per network to measure the loss; 0: no measurement; 1: no interval
	Seed          uint64
	Threads       int
	// Begin, if not nil, is called before games are played; label says what the games are
	// for. Model calls done after each game and end after the last one.
	Begin func(games int, label string) (done, end func())
}

// RefusalError means that the model cannot be quantized with these options.
type RefusalError struct{ Err error }

func (r *RefusalError) Error() string { return r.Err.Error() }

// Unwrap returns the reason.
func (r *RefusalError) Unwrap() error { return r.Err }

// visitGames and endingGames are the numbers of games played to count how often play reads each weight; endingGames is
// for ending networks, whose games are short. On boards of more than 16 cells, where games are long, no further game
// starts once all games together have wideMoves moves.
const (
	visitGames  = 1000
	endingGames = 40_000
	wideMoves   = 1_000_000
)

// Model quantizes a model and measures its loss. data is the quantized model file. If the model
// cannot be quantized with these options, the error is a *RefusalError.
func Model(ctx context.Context, m *models.Model, o Options) (data []byte, lost *quant.Loss, err error) {
	network := m.Network
	if network.Bias != 0 || network.Walls > 0 {
		if network, err = network.Copy(); err != nil {
			return nil, nil, err
		}
		defer network.Close()
		network.FoldBias()
	}
	if o.Size > 0 {
		if o.Visits, err = o.visits(ctx, network); err != nil {
			return nil, nil, err
		}
	}
	data, loss, err := quant.Quantize(network, m.Info, o.Options)
	if err != nil {
		return nil, nil, &RefusalError{err}
	}
	if o.Games == 0 {
		return data, &loss, nil
	}
	small, err := quant.Dequantize(data)
	if err != nil {
		return nil, nil, err
	}
	defer small.Close()
	before, err := o.scores(ctx, "games with the original network", network)
	if err != nil {
		return nil, nil, err
	}
	after, err := o.scores(ctx, "games with the quantized network", small)
	if err != nil {
		return nil, nil, err
	}
	var measured *ntuple.Measured
	loss.Played, measured = o.compare(before, after)
	data, err = quant.Annotate(data, measured, loss.Played)
	return data, &loss, err
}

// visits counts how often play reads each weight. It uses another seed than the games that measure the
// loss.
func (o *Options) visits(ctx context.Context, n *ntuple.Network) ([][]uint32, error) {
	games := visitGames
	if n.Walls > 0 {
		games = endingGames
	}
	done, end := o.begin(games, "games to find out which weights are important")
	defer end()
	p := learn.PlayOptions{Network: n, Seed: ^o.Seed, Games: uint64(games), Threads: o.Threads, Done: done}
	if n.Wide() {
		p.Moves = wideMoves
	}
	return learn.Visits(ctx, p)
}

func (o *Options) begin(games int, label string) (done, end func()) {
	if o.Begin == nil {
		return func() {}, func() {}
	}
	return o.Begin(games, label)
}

// scores plays the games with a network and returns their scores.
func (o *Options) scores(ctx context.Context, label string, n *ntuple.Network) (scores []float64, err error) {
	done, end := o.begin(o.Games, label)
	defer end()
	games, err := learn.Play(ctx, learn.PlayOptions{Network: n, Seed: o.Seed, Games: uint64(o.Games), Threads: o.Threads, Done: done})
	for _, g := range games {
		scores = append(scores, float64(g.Score))
	}
	return scores, errors.Join(err, ctx.Err())
}

// compare returns the statistics of scores from games with equal seeds.
func (o *Options) compare(raw, quantized []float64) (*quant.ScoreComparison, *ntuple.Measured) {
	before, _ := stats.Mean(raw)
	after, ci := stats.Mean(quantized)
	difference, differenceCI := stats.Paired(quantized, raw)
	return &quant.ScoreComparison{
			Games: o.Games, Seed: o.Seed, Raw: rounded(before), Quantized: rounded(after),
			Difference: rounded(difference), CI95: ends(differenceCI),
		}, &ntuple.Measured{
			Player: "ntuple(plies=1)", Games: o.Games, Seed: o.Seed, Mean: rounded(after), CI95: ends(ci),
		}
}

func ends(ci stats.Interval) [2]float64 { return [2]float64{rounded(ci.Low), rounded(ci.High)} }

// rounded rounds a score to tenths. It rounds a value of at most 1, which is a probability in endings, to
// ten-thousandths.
func rounded(x float64) float64 {
	if math.Abs(x) <= 1 {
		return math.Round(1e4*x) / 1e4
	}
	return math.Round(10*x) / 10
}
