// Package model implements the command model and its subcommands: info, quantize, export and import
// network files.
package model

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/internal/inputfile"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/learn/shrink"
)

// New returns the command model.
func New() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "Inspect, quantize, export and import model files",
		Long: `Work on model files, which train writes. Name a model by its path or its training run. A raw
model holds 32-bit weights for further training; a quantized model is a fraction of the size at
about the same strength.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage.UnknownCommand(cmd, args[0])
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(newInfo(), newQuantize(), newExport(), newImport())
	return cmd
}

// oneModel describes the argument of most subcommands.
const oneModel = "one model file, or the name of a training run"

type infoFlags struct {
	json output.AsJSON `flag:"json" help:"print JSON"`
}

func newInfo() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "info FILE|RUN",
		Short: "Show what a model file contains and how it was made",
		Long: `Read and verify the whole file, and show its contents. The checksum covers all
weights and is the same on every machine.`,
		Example: `afterstate model info 4x6-1
afterstate model info small.model`,
		Args: usage.Args(1, 1, oneModel),
	}, &infoFlags{}, func(cmd *cobra.Command, args []string, f *infoFlags) error {
		path, m, err := program.OpenModel(args[0])
		if err != nil {
			return err
		}
		defer m.Close()
		i, err := m.Describe(path)
		if err != nil {
			return err
		}
		return f.json.Print(cmd, i, i.WriteText)
	})
}

// outFlag is the flag --out of the commands that write a single file.
type outFlag struct {
	out string `flag:"out,o" help:"<FILE> to write"`
}

// create creates the output file given by --out. It fails if that file is one of the inputs.
func (f *outFlag) create(inputs ...string) (*output.File, error) {
	if f.out == "" {
		return nil, usage.Errorf("missing --out: give a file to write to")
	}
	for _, in := range inputs {
		if err := output.Distinct(in, f.out); err != nil {
			return nil, err
		}
	}
	return output.Create(f.out)
}

// write creates the file at path, fills it and prints its path.
func write(cmd *cobra.Command, path string, fill func(io.Writer) error) error {
	err := output.Write(path, fill)
	if err == nil {
		_, err = fmt.Fprintln(cmd.OutOrStdout(), path)
	}
	return err
}

func writeBytes(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

const exportHelp = `Write the weights as arrays that NumPy reads: a .npy file for each stage and pattern
into DIR, or all in one FILE that ends in .npz; and layout.json beside them (in the .npz
too), which describes them.

An array has one dimension of 16 for each cell of its pattern, in the order of layout.json's
"cells", which number the board row by row from the top left. Indices are exponents: 0 an
empty cell, 1 a tile of 2, 15 a tile of 32768. So a pattern of the cells 0 1 2 4 5 6 is

  w = np.load("stage0-pattern0.npy")      # or np.load("all.npz")["stage0-pattern0"]
  w[a, b, c, d, e, f]

The value of a board is bias plus the sum of w over all patterns and the 8 symmetries of the
board (4 for boards that are not square, each counted twice), or over the patterns alone if
"fixed" is true. The stage of a board is the last one whose tiles it has. A weight of 0 in a
later stage stands for the previous stage's weight. If downgrade is not 0, boards with that
exponent or a larger one are viewed with smaller tiles first (docs/training.md).`

type exportFlags struct {
	out string `flag:"out,o" help:"write to <DIR>, or to a file that ends in .npz"`
}

func newExport() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:     "export FILE|RUN -o DIR|FILE.npz",
		Short:   "Export a model's weights as NumPy arrays",
		Long:    exportHelp,
		Example: "afterstate model export 4x6-1 -o weights.npz",
		Args:    usage.Args(1, 1, oneModel),
	}, &exportFlags{}, export)
}

func export(cmd *cobra.Command, args []string, f *exportFlags) error {
	if f.out == "" {
		return usage.Errorf("missing --out: give a folder, or a file that ends in .npz")
	}
	_, m, err := program.OpenModel(args[0], f.out)
	if err != nil {
		return err
	}
	defer m.Close()
	if strings.HasSuffix(f.out, ".npz") {
		return write(cmd, f.out, m.WriteArrays)
	}
	if err := os.MkdirAll(f.out, 0o777); err != nil {
		return usage.Errorf("%s cannot be created: %w", f.out, inputfile.Cause(err))
	}
	l := m.Arrays()
	for _, a := range l.Arrays {
		err := write(cmd, filepath.Join(f.out, a.Name+".npy"), func(w io.Writer) error { return models.WriteArray(w, m.Network, a) })
		if err != nil {
			return err
		}
	}
	return write(cmd, filepath.Join(f.out, "layout.json"), l.WriteJSON)
}

const importHelp = `Make a model from arrays that NumPy or PyTorch learned: the inverse of model export, from an
.npz file or a folder. Arrays are float32 or float64, as model export --help describes them.
layout.json describes them; in a file that numpy.savez writes it may be a string:

  layout = {"size": "4x4", "arrays": [
    {"name": "rows", "stage": 0, "pattern": 0, "cells": [0, 1, 2, 3]},
    {"name": "square", "stage": 0, "pattern": 1, "cells": [0, 1, 4, 5]}]}
  numpy.savez("own.npz", rows=w0, square=w1, **{"layout.json": json.dumps(layout)})

Missing fields are 0; without "stages" there is one stage. With "fixed": true, each pattern
is read at its own cells only, not under the symmetries of the board: for networks that were learned
without them. Arrays may have fewer than 16 weights in each dimension. A .zip file that gymnasium-2048
saved needs no layout.json. The model plays as ntuple(model="FILE"), and train --from continues its
training.`

func newImport() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "import FILE|DIR -o OUT",
		Short: "Make a model from NumPy arrays",
		Long:  importHelp,
		Example: `afterstate model import own.npz -o own.model
afterstate arena 'ntuple(model="own.model",plies=1)' greedy`,
		Args: usage.Args(1, 1, "one .npz or .zip file, or a folder with layout.json"),
	}, &outFlag{}, importArrays)
}

func importArrays(cmd *cobra.Command, args []string, f *outFlag) error {
	file, err := f.create(args...)
	if err != nil {
		return err
	}
	defer file.Discard()
	m, err := models.OpenArrays(args[0])
	if err != nil {
		return usage.Wrap(err)
	}
	defer m.Close()
	if err := file.Commit(func(io.Writer) error { return ntuple.Write(file.Temp.File, m.Network, m.Info) }); err != nil {
		return err
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), f.out)
	return err
}

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

type quantizeFlags struct {
	bits    int         `flag:"bits" default:"16" range:"2:16" help:"largest number of bits per weight, 2 to 16"`
	size    flags.Bytes `flag:"max-size" help:"make the file no larger than <BYTES>, such as 32MB or 500kB"`
	games   int         `flag:"games" default:"1000" range:"0:" help:"games to measure the loss of strength; 0: no measurement"`
	seed    uint64      `flag:"seed" help:"seed of the games that measure the loss"`
	threads int         `flag:"threads,j" default:"cores" range:"1:" help:"games played in parallel"`
	outFlag
	json output.AsJSON `flag:"json" help:"print JSON"`
}

func newQuantize() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "quantize FILE|RUN -o OUT",
		Short: "Quantize a model and measure the loss of strength",
		Long:  quantizeHelp,
		Example: `afterstate model quantize 4x6-1 -o small.model --max-size 32MB
afterstate model quantize checkpoint.model -o small.model --bits 12 --games 0`,
		Args: usage.Args(1, 1, oneModel),
	}, &quantizeFlags{}, quantize)
}

func quantize(cmd *cobra.Command, args []string, f *quantizeFlags) error {
	if f.games == 1 {
		return usage.Errorf("--games 1: must be 0, or at least 2 for an interval")
	}
	file, err := f.create()
	if err != nil {
		return err
	}
	defer file.Discard()
	path, m, err := program.OpenModel(args[0], f.out)
	if err != nil {
		return err
	}
	defer m.Close()
	data, lost, err := shrink.Model(cmd.Context(), m, shrink.Options{
		Options: quant.Options{Bits: f.bits, Size: int(f.size)}, Games: f.games, Seed: f.seed, Threads: f.threads,
		Begin: func(games int, label string) (done, end func()) {
			p := output.NewProgress(cmd.ErrOrStderr(), games, label)
			return func() { p.Add(1) }, p.End
		},
	})
	if errors.As(err, new(*shrink.RefusalError)) {
		err = usage.Errorf("%s: %w", path, err)
	}
	if err == nil {
		err = file.Commit(writeBytes(data))
	}
	if err != nil {
		return err
	}
	return f.json.Print(cmd, quantization{f.out, len(data), f.bits, *lost}, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s: %s, %s\n", f.out, memory.Words(int64(len(data))), lost.Text())
		if err == nil && lost.Played != nil {
			_, err = fmt.Fprintln(w, lost.Played.Text())
		}
		return err
	})
}
