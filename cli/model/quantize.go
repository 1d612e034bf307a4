package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"

	"afterstate/cli/internal/flags"
	"afterstate/cli/internal/live"
	"afterstate/cli/internal/output"
	"afterstate/cli/internal/program"
	"afterstate/cli/internal/usage"
	"afterstate/internal/memory"
	"afterstate/models"
	"afterstate/models/shrink"
	"afterstate/ntuple/quant"
)

const quantizeHelp = `Write a network to a small file: weights are rounded to integers of --bits bits and coded
by adaptive entropy coding. With --max-size, weights are rounded more coarsely, or dropped,
in the order of least use in play, until the file fits; games are played first to count how
often play reads each weight. A network trained for hundreds of thousands of games loses almost
no strength at five bits for each weight that is not zero.

The loss is measured: the raw and the quantized network play --games games with the same
seeds, 1-ply. The mean scores and their difference with its 95 % interval are printed and stored
in the file.`

// quantization is the result of model quantize --json.
type quantization struct {
	File  string     `json:"file"`
	Bytes int        `json:"bytes"`
	Bits  int        `json:"bits"`
	Loss  quant.Loss `json:"loss"`
}

// quantizer is one execution of model quantize.
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
		Use:   "quantize FILE|RUN -o OUT",
		Short: "Quantize a model and measure the loss of strength",
		Long:  quantizeHelp,
		Example: `afterstate model quantize 4x6-1 -o small.model --max-size 32MB
afterstate model quantize checkpoint.model -o small.model --bits 12 --games 0`,
		Args: usage.Args(1, 1, oneModel),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := q.check(); err != nil {
				return err
			}
			if out == "" {
				return errNoOut
			}
			path, m, err := program.OpenModel(args[0], out)
			if err != nil {
				return err
			}
			defer m.Close()
			file, err := output.Create(out)
			if err != nil {
				return err
			}
			defer file.Discard()
			q.ctx, q.errOut = cmd.Context(), cmd.ErrOrStderr()
			data, lost, err := q.run(path, m)
			if err != nil {
				return err
			}
			if err := file.Commit(writeBytes(data)); err != nil {
				return err
			}
			if asJSON {
				return output.JSON(cmd.OutOrStdout(), quantization{out, len(data), q.bits, *lost})
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, %s\n", out, memory.Words(int64(len(data))), lost.Text())
			if err == nil && lost.Played != nil {
				_, err = fmt.Fprintln(cmd.OutOrStdout(), lost.Played.Text())
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&out, "out", "o", "", "`FILE` to write")
	flags.IntVar(&q.bits, "bits", q.bits, "largest number of bits per weight, 2 to 16")
	flags.Var(&q.size, "max-size", "make the file no larger than `BYTES`, such as 32MB or 500kB")
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

// run quantizes a model and measures its loss.
func (q *quantizer) run(path string, m *models.Model) ([]byte, *quant.Loss, error) {
	data, lost, err := shrink.Model(q.ctx, m, shrink.Options{
		Options: quant.Options{Bits: q.bits, Size: int(q.size)}, Games: q.games, Seed: q.seed.Value, Threads: q.threads,
		Begin: func(games int, what string) (done, end func()) {
			p := live.NewProgress(q.errOut, games, what)
			return func() { p.Add(1) }, p.End
		},
	})
	if errors.As(err, new(*shrink.Refusal)) {
		err = usage.Errorf("%s: %w", path, err)
	}
	return data, lost, err
}

// byteFlag is a flag with a number of bytes; 0 means none.
type byteFlag int64

func (b *byteFlag) Set(text string) error {
	n, ok := memory.Parse(text)
	if !ok {
		return fmt.Errorf("%q is not a size: want bytes, or a number with kB, MB, GB, KiB, MiB or GiB, such as 32MB", text)
	}
	*b = byteFlag(n)
	return nil
}

func (b *byteFlag) String() string {
	if *b == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*b), 10)
}

func (b *byteFlag) Type() string { return "BYTES" }
