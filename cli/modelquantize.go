package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"afterstate/learn"
	"afterstate/models"
	"afterstate/ntuple"
	"afterstate/ntuple/quant"
	"afterstate/stats"
)

const quantizeHelp = `Write a network in few bytes: weights are rounded to integers of --bits bits and coded
by an adaptive range coder. With --max-size, weights are rounded more coarsely, or dropped,
where play loses least by it, until the file fits; games are played first to count how often
play reads each weight. A network trained for hundreds of thousands of games loses next to
nothing at five bits for each weight that is not zero.

The loss is measured: the network and the small one play --games games of the same seeds,
one ply. The mean scores and their difference with its 95 % interval are printed, and kept
in the file.`

// quantization is the result of model quantize --json.
type quantization struct {
	File  string     `json:"file"`
	Bytes int        `json:"bytes"`
	Bits  int        `json:"bits"`
	Loss  quant.Loss `json:"loss"`
}

// quantizer is a call of model quantize.
type quantizer struct {
	ctx     context.Context
	errOut  io.Writer
	bits    int
	size    byteFlag
	games   int
	seed    seedFlag
	threads int
}

func newModelQuantize() *cobra.Command {
	var (
		q      = quantizer{bits: 16, games: 1000, threads: runtime.NumCPU()}
		out    string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "quantize FILE -o OUT",
		Short: "Make a model small, and measure what that loses",
		Long:  quantizeHelp,
		Example: `afterstate model quantize checkpoint.model -o small.model --max-size 32MB
afterstate model quantize checkpoint.model -o small.model --bits 12 --games 0`,
		Args: between(1, 1, "one model file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := q.check(); err != nil {
				return err
			}
			file, err := wantOutput(out, args...)
			if err != nil {
				return err
			}
			defer file.discard()
			m, err := loadModel(args[0])
			if err != nil {
				return err
			}
			defer m.Close()
			q.ctx, q.errOut = cmd.Context(), cmd.ErrOrStderr()
			data, loss, err := q.run(args[0], m)
			if err != nil {
				return err
			}
			if err := file.commit(writeBytes(data)); err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), quantization{out, len(data), q.bits, *loss})
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, %s\n", out, byteWords(int64(len(data))), lossWords(loss))
			if err == nil && loss.Played != nil {
				_, err = fmt.Fprintln(cmd.OutOrStdout(), scoreComparisonWords(loss.Played))
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&out, "out", "o", "", "`FILE` to write")
	flags.IntVar(&q.bits, "bits", q.bits, "bits of a number at most, 2 to 16")
	flags.Var(&q.size, "max-size", "make the file no larger than `BYTES`, such as 32MB or 500kB")
	flags.IntVar(&q.games, "games", q.games, "games that measure the loss; 0: do not measure")
	flags.Var(&q.seed, "seed", "seed of these games; 0 if not given")
	flags.IntVarP(&q.threads, "threads", "j", q.threads, "games to play at the same time")
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (q *quantizer) check() error {
	switch {
	case q.bits < 2 || q.bits > 16:
		return usagef("--bits %d: want 2 to 16", q.bits)
	case q.games < 0 || q.games == 1:
		return usagef("--games %d: want 0, or 2 and more for an interval", q.games)
	case q.threads < 1:
		return usagef("--threads %d: want at least 1", q.threads)
	}
	return nil
}

// visitGames are played to count how often play reads each weight.
const visitGames = 1000

// run quantizes a model and measures it.
func (q *quantizer) run(path string, m *models.Model) ([]byte, *quant.Loss, error) {
	o := quant.Options{Bits: q.bits, Size: int(q.size)}
	if q.size > 0 {
		// Of another seed than those that measure.
		p := newProgress(q.errOut, visitGames, "games to count which weights play reads")
		var err error
		o.Visits, err = learn.Visits(q.ctx, learn.PlayOptions{
			Network: m.Network, Seed: ^q.seed.value, Games: visitGames, Threads: q.threads, Done: func() { p.add(1) },
		})
		p.end()
		if err != nil {
			return nil, nil, err
		}
	}
	data, loss, err := quant.Quantize(m.Network, m.Info, o)
	if err != nil {
		return nil, nil, usagef("%s: %w", path, err)
	}
	if q.games == 0 {
		return data, &loss, nil
	}
	small, err := quant.Dequantize(data)
	if err != nil {
		return nil, nil, err
	}
	defer small.Close()
	raw, err := q.measure("games by the network", m.Network)
	if err != nil {
		return nil, nil, err
	}
	quantized, err := q.measure("games by the small one", small.Network)
	if err != nil {
		return nil, nil, err
	}
	var measured *ntuple.Measured
	loss.Played, measured = q.compare(raw, quantized)
	data, err = quant.Annotate(data, measured, loss.Played)
	return data, &loss, err
}

// measure is the scores of a network's games.
func (q *quantizer) measure(what string, n *ntuple.Network) (scores []float64, err error) {
	p := newProgress(q.errOut, q.games, what)
	defer p.end()
	games, err := learn.Play(q.ctx, learn.PlayOptions{
		Network: n, Seed: q.seed.value, Games: uint64(q.games), Threads: q.threads, Done: func() { p.add(1) },
	})
	for _, g := range games {
		scores = append(scores, float64(g.Score))
	}
	return scores, errors.Join(err, q.ctx.Err())
}

// compare is what scores of games with equal seeds say.
func (q *quantizer) compare(raw, quantized []float64) (*quant.ScoreComparison, *ntuple.Measured) {
	differences := make([]float64, len(raw))
	for i := range raw {
		differences[i] = quantized[i] - raw[i]
	}
	before, _ := stats.Mean(raw)
	after, ci := stats.Mean(quantized)
	difference, differenceCI := stats.Mean(differences)
	return &quant.ScoreComparison{
			Games: q.games, Seed: q.seed.value, Raw: tenths(before), Quantized: tenths(after),
			Difference: tenths(difference), CI95: ends(differenceCI),
		}, &ntuple.Measured{
			Player: "ntuple(plies=1)", Games: q.games, Seed: q.seed.value, Mean: tenths(after), CI95: ends(ci),
		}
}

func ends(ci stats.Interval) [2]float64 { return [2]float64{tenths(ci.Low), tenths(ci.High)} }

// tenths rounds a score.
func tenths(x float64) float64 { return math.Round(10*x) / 10 }

func lossWords(l *quant.Loss) string {
	return fmt.Sprintf("%d of %d weights kept; as play asks for them, they are off by %.3g points (root mean square)", l.Kept, l.Weights, l.RMS)
}

func scoreComparisonWords(p *quant.ScoreComparison) string {
	return fmt.Sprintf("mean score %.0f, raw %.0f: %+.0f (%+.2f %%), 95 %% %+.0f to %+.0f, in %d games of seed %d",
		p.Quantized, p.Raw, p.Difference, 100*p.Difference/max(1, p.Raw), p.CI95[0], p.CI95[1], p.Games, p.Seed)
}

// byteFlag is a number of bytes; 0 is none.
type byteFlag int64

var byteUnits = map[string]float64{
	"": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
}

var bytePattern = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?) ?([a-z]*)$`)

func (b *byteFlag) Set(text string) error {
	m := bytePattern.FindStringSubmatch(strings.ToLower(text))
	if m == nil {
		m = make([]string, 3)
	}
	unit, known := byteUnits[m[2]]
	n, err := strconv.ParseFloat(m[1], 64)
	if err != nil || !known || n*unit < 1 || n*unit > 1<<40 {
		return fmt.Errorf("%q is no size: want bytes, or a number with kB, MB, GB, KiB, MiB or GiB, such as 32MB", text)
	}
	*b = byteFlag(n * unit)
	return nil
}

func (b *byteFlag) String() string {
	if *b == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*b), 10)
}

func (b *byteFlag) Type() string { return "BYTES" }
