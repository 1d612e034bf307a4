package model

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"afterstate/cli/internal/flags"
	"afterstate/cli/internal/live"
	"afterstate/cli/internal/output"
	"afterstate/cli/internal/program"
	"afterstate/cli/internal/usage"
	"afterstate/internal/memory"
	"afterstate/learn"
	"afterstate/models"
	"afterstate/models/loss"
	"afterstate/ntuple/quant"
)

const quantizeHelp = `Write a quantized copy of a network. With --bits, the error of a weight is at most half
a quantization step. With --size, weights are quantized more coarsely or dropped until
the file fits, starting with weights that play uses least; games are played first to
count their use. A network that took games by the hundred thousand to train loses next to
nothing at five bits for each weight that is not zero.

The loss of strength is measured: both networks play --games games of the same seeds with
a 1-ply search. The mean scores and the difference with its 95 % interval are printed
and kept in the file.`

// quantization is what model quantize tells.
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
	seed    flags.Seed
	threads int
}

func newQuantize() *cobra.Command {
	var (
		q      = quantizer{bits: 16, games: 1000, threads: runtime.NumCPU()}
		out    string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "quantize FILE -o OUT",
		Short: "Quantize a model and measure the loss of strength",
		Long:  quantizeHelp,
		Example: `afterstate model quantize checkpoint.model -o small.model --size 32MB
afterstate model quantize checkpoint.model -o small.model --bits 12 --games 0`,
		Args: usage.Args(1, 1, "one model file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := q.check(); err != nil {
				return err
			}
			file, err := wantOutput(out, args...)
			if err != nil {
				return err
			}
			defer file.Discard()
			m, err := program.OpenModel(args[0])
			if err != nil {
				return err
			}
			defer m.Close()
			q.ctx, q.errOut = cmd.Context(), cmd.ErrOrStderr()
			data, lost, err := q.run(args[0], m)
			if err != nil {
				return err
			}
			if err := file.Commit(writeBytes(data)); err != nil {
				return err
			}
			if asJSON {
				return output.JSON(cmd.OutOrStdout(), quantization{out, len(data), q.bits, *lost})
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, %s\n", out, memory.Words(int64(len(data))), lost.Words())
			if err == nil && lost.Played != nil {
				_, err = fmt.Fprintln(cmd.OutOrStdout(), lost.Played.Words())
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&out, "out", "o", "", "`FILE` to write")
	flags.IntVar(&q.bits, "bits", q.bits, "largest number of bits per weight, 2 to 16")
	flags.Var(&q.size, "size", "make the file no larger than `BYTES`, such as 32MB or 500kB")
	flags.IntVar(&q.games, "games", q.games, "games to measure the loss of strength; 0: no measurement")
	flags.Var(&q.seed, "seed", "seed of these games (default 0)")
	flags.IntVarP(&q.threads, "threads", "j", q.threads, "games played in parallel")
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (q *quantizer) check() error {
	switch {
	case q.bits < 2 || q.bits > 16:
		return usage.Errorf("--bits %d: want 2 to 16", q.bits)
	case q.games < 0 || q.games == 1:
		return usage.Errorf("--games %d: want 0, or 2 and more for an interval", q.games)
	case q.threads < 1:
		return usage.Errorf("--threads %d: want at least 1", q.threads)
	}
	return nil
}

// visitGames are played to see which weights play asks for.
const visitGames = 1000

// run quantizes a model and measures it.
func (q *quantizer) run(path string, m *models.Model) ([]byte, *quant.Loss, error) {
	o := quant.Options{Bits: q.bits, Size: int(q.size)}
	if q.size > 0 {
		// Of another seed than those that measure.
		p := live.NewProgress(q.errOut, visitGames, "games to see which weights matter")
		var err error
		o.Visits, err = learn.Visits(q.ctx, learn.PlayOptions{
			Network: m.Network, Seed: ^q.seed.Value, Games: visitGames, Threads: q.threads, Done: func() { p.Add(1) },
		})
		p.End()
		if err != nil {
			return nil, nil, err
		}
	}
	data, lost, err := quant.Quantize(m.Network, m.Info, o)
	if err != nil {
		return nil, nil, usage.Errorf("%s: %w", path, err)
	}
	if q.games == 0 {
		return data, &lost, nil
	}
	small, err := quant.Dequantize(data)
	if err != nil {
		return nil, nil, err
	}
	defer small.Close()
	played, measured, err := loss.Measure(q.ctx, m.Network, small.Network, loss.Options{
		Games: q.games, Seed: q.seed.Value, Threads: q.threads,
		Begin: func(games int, what string) (done, end func()) {
			p := live.NewProgress(q.errOut, games, what)
			return func() { p.Add(1) }, p.End
		},
	})
	if err != nil {
		return nil, nil, err
	}
	lost.Played = played
	data, err = quant.Annotate(data, measured, played)
	return data, &lost, err
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
