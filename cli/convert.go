package cli

import (
	"bufio"
	"cmp"
	"io"
	"math"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/bind"
	"github.com/afterstate2048/afterstate/cli/internal/games"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/exchange/formats"
	"github.com/afterstate2048/afterstate/internal/console"
)

type convertFlags struct {
	from   string `flag:"from" help:"<FORMAT> of the input (default: recognized)"`
	to     string `flag:"to" default:"records" help:"<FORMAT> of the output"`
	out    string `flag:"out,o" default:"-" help:"write to a <FILE>; -: stdout"`
	player string `flag:"player" help:"<NAME> of the player, where the input has none"`
	game   int    `flag:"game" range:"0:" help:"convert only this game, counted from 0 (default: all)"`
}

func newConvert() *cobra.Command {
	var f convertFlags
	cmd := &cobra.Command{
		Use:   "convert FILE...|-",
		Short: "Convert games between the formats of other programs and sites",
		Long: `Read games in the formats of other programs and sites, and write them in another one.
The format of a file is recognized by its content:

` + games.Help() + `
Every move is checked against the rules. An illegal one is an error that names the move
and the board, and no file is written then. What the new format cannot hold is listed
on stderr; docs/exchange.md has a table.`,
		Example: `afterstate watch greedy --seed 1 --record game.jsonl
afterstate convert game.jsonl --to rpl1
afterstate convert game.jsonl --to csv -o game.csv
afterstate review game.csv`,
		Args: usage.Args(1, math.MaxInt, "files of games, or - for stdin"),
		RunE: func(cmd *cobra.Command, args []string) error { return runConvert(cmd, args, &f) },
	}
	bind.Flags(cmd.Flags(), &f)
	return cmd
}

func runConvert(cmd *cobra.Command, paths []string, f *convertFlags) error {
	to, err := games.Format("--to", f.to)
	if err != nil {
		return err
	}
	from, err := games.Format("--from", f.from)
	if err != nil {
		return err
	}
	switch {
	case to == nil:
		return usage.Errorf("--to is empty: want a format")
	case !cmd.Flags().Changed("game"):
		f.game = -1
	}
	if f.out != "-" {
		if err := output.Distinct(append(slices.Clone(paths), f.out)...); err != nil {
			return err
		}
		var failed error // is about the input, which it names
		err := output.Write(f.out, func(w io.Writer) error {
			failed = f.convert(cmd, w, paths, from, to)
			return failed
		})
		return cmp.Or(failed, err)
	}
	out := cmd.OutOrStdout()
	if to.Binary {
		out = console.Raw(out)
		if file, ok := out.(*os.File); ok {
			if info, err := file.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
				return usage.Errorf("%s is not text: want -o FILE", to.Name)
			}
		}
	}
	return f.convert(cmd, out, paths, from, to)
}

// convert writes the games of all files, and to stderr what is lost.
func (f *convertFlags) convert(cmd *cobra.Command, out io.Writer, paths []string, from, to *formats.Format) error {
	buffered := bufio.NewWriter(out)
	w := formats.NewWriter(buffered, to)
	var lost formats.Losses
	seen := 0
	for _, path := range paths {
		for g, err := range games.Read(cmd, path, from) {
			if err != nil {
				return err
			}
			if seen++; f.game >= 0 && seen-1 != f.game {
				continue
			}
			if g.Player == "" {
				g.Player = f.player
			}
			lost.Add(g.Lost)
			if err := w.Write(g); err != nil {
				return usage.Errorf("%s: game %d: %w", path, seen-1, err)
			}
		}
	}
	if w.Games() == 0 {
		return usage.Errorf("--game %d: the input has %d games, counted from 0", f.game, seen)
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	games.Warn(cmd, to.Name, w.Dropped(), lost.List())
	return nil
}
