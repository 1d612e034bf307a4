package model

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/learn/shrink"
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
	bits    int           `flag:"bits" default:"16" range:"2:16" help:"largest number of bits per weight, 2 to 16"`
	size    flags.Bytes   `flag:"max-size" help:"make the file no larger than <BYTES>, such as 32MB or 500kB"`
	games   int           `flag:"games" default:"1000" range:"0:" help:"games to measure the loss of strength; 0: no measurement"`
	seed    flags.Seed    `flag:"seed" help:"seed of these games (default 0)"`
	threads int           `flag:"threads,j" default:"cores" range:"1:" help:"games played in parallel"`
	out     string        `flag:"out,o" help:"<FILE> to write"`
	json    output.AsJSON `flag:"json" help:"print JSON"`
}

func newQuantize() *cobra.Command {
	var q quantizer
	cmd := &cobra.Command{
		Use:   "quantize FILE|RUN -o OUT",
		Short: "Quantize a model and measure the loss of strength",
		Long:  quantizeHelp,
		Example: `afterstate model quantize 4x6-1 -o small.model --max-size 32MB
afterstate model quantize checkpoint.model -o small.model --bits 12 --games 0`,
		Args: usage.Args(1, 1, oneModel),
		RunE: func(cmd *cobra.Command, args []string) error {
			if q.games == 1 {
				return usage.Errorf("--games 1: want 0, or 2 and more for an interval")
			}
			if q.out == "" {
				return errNoOut
			}
			path, m, err := program.OpenModel(args[0], q.out)
			if err != nil {
				return err
			}
			defer m.Close()
			file, err := output.Create(q.out)
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
			return q.json.Print(cmd, quantization{q.out, len(data), q.bits, *lost}, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s: %s, %s\n", q.out, memory.Words(int64(len(data))), lost.Text())
				if err == nil && lost.Played != nil {
					_, err = fmt.Fprintln(w, lost.Played.Text())
				}
				return err
			})
		},
	}
	usage.Flags(cmd.Flags(), &q)
	return cmd
}

// run quantizes a model and measures its loss.
func (q *quantizer) run(path string, m *models.Model) ([]byte, *quant.Loss, error) {
	data, lost, err := shrink.Model(q.ctx, m, shrink.Options{
		Options: quant.Options{Bits: q.bits, Size: int(q.size)}, Games: q.games, Seed: q.seed.Value, Threads: q.threads,
		Begin: func(games int, what string) (done, end func()) {
			p := output.NewProgress(q.errOut, games, what)
			return func() { p.Add(1) }, p.End
		},
	})
	if errors.As(err, new(*shrink.RefusalError)) {
		err = usage.Errorf("%s: %w", path, err)
	}
	return data, lost, err
}
