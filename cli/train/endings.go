package train

import (
	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

const endingsHelp = `Train an ending network for 4x4: it knows the chance to make the tile 32768.

In an ending the largest tiles are walls: all different, they cannot merge before the next large tile,
the goal, is made. With 16384, 8192, 4096 and 2048 on the board the goal is a 1024. The network sees
all walls as one symbol, and learns an ending for each number of walls from --walls to 6:

  walls           3     4     5    6
  goal            2048  1024  512  512
  from a sum of   28672 30720 31744 32256

The value of a board is the chance that all goals up to the second 512 are made. The ending with
6 walls is learned first; every --join-every games the one before joins, and its games go
on through the endings after it. Half of the games start in the ending that joined last.
A game starts from a new layout of the walls with a few small tiles, or, in --restart-share of the games,
from a board of an earlier game.

The run is stored and resumed as those of train: afterstate train --resume ID. restarts in metrics.jsonl has
the results by the sum of the tiles at the start; mean_score is the share of games that made all goals.`

// newEndings returns the command train endings.
func newEndings(folder *runs.Folder) *cobra.Command {
	f := trainFlags{seed: flags.Training(), settings: defaults()}
	f.size.Size = bitboard.Size
	f.settings.RestartShare, f.settings.JoinEvery, f.settings.OptimisticInit = 0.1, 1_000_000, 1
	walls := 3
	cmd := &cobra.Command{
		Use:   "endings [NETWORK]",
		Short: "Train a network that knows late boards",
		Long:  endingsHelp,
		Example: `afterstate train endings --games 20000000 --name endings
afterstate train --resume endings --games 40000000
afterstate train endings 4x6 --walls 6 --games 1000000`,
		Args: usage.Args(0, 1, "at most one network"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.endings = func(o *runs.Options, named bool) (err error) {
				if !named {
					if o.Layout, err = ntuple.Named(bitboard.Size, "8x6"); err != nil {
						return err
					}
				}
				if o.Layout, err = ntuple.EndingLayout(o.Layout, walls); err != nil {
					return usage.Errorf("--walls: %w", err)
				}
				return nil
			}
			return run(cmd, args, &f, folder)
		},
	}
	set := cmd.Flags()
	set.StringVar(&f.network, "network", "", "the `NETWORK`; same as the argument (default 8x6)")
	set.IntVar(&walls, "walls", walls, "fewest `WALLS` of an ending, 1 to 6")
	f.addSettings(set, "warmup-games", "coherent", "settled", "restart-tile", "downgrade", "optimistic-init")
	usage.Flags(set, &f.commonFlags)
	return cmd
}
