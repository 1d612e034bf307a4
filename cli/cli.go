// Package cli implements the command line: flags and messages only, with a function for each
// subcommand and a folder for each group of subcommands. The packages it imports do the work.
//
// Results are written to stdout, progress and messages to stderr. The exit status is 0 on success,
// 2 for usage errors and bad input (nothing was changed), 1 for failures at run time, and 130 after
// Ctrl-C.
package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/arena"
	"github.com/afterstate2048/afterstate/cli/internal/entry"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/cli/model"
	"github.com/afterstate2048/afterstate/cli/train"
	"github.com/afterstate2048/afterstate/eval/models"
)

// Main runs the program and exits.
func Main() { entry.Main(Run) }

// Run executes one command line and returns the exit status.
func Run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	return entry.Run(ctx, New(), args, in, out, errOut)
}

// On Windows, cobra refuses to run a program that was started by a double click. An empty help text
// disables that: the program then serves the page.
func init() { cobra.MousetrapHelpText = "" }

// New returns the command afterstate with all its subcommands.
func New() *cobra.Command {
	root := &cobra.Command{
		Use:   "afterstate",
		Short: "Play, watch, analyse and measure the game 2048",
		Long: `Afterstate plays the game 2048 on every board from 2x2 to 6x6: watch it played
well, find the best move on your board, and measure players against each other.
Without a command it serves the web page and opens it in the browser.`,
		Example: `# open the page in the browser
afterstate

# watch 2048 being reached
afterstate watch --until 2048

# the best move on a board
afterstate best 2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2

# 100 games each, the same seeds for all
afterstate arena auto snake greedy --games 100`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage.UnknownCommand(cmd, args[0])
			}
			return serveBare(cmd)
		},
	}
	noCache := root.PersistentFlags().Bool("no-cache", false, "decode the network instead of keeping it unpacked in the cache; see version")
	root.PersistentPreRun = func(*cobra.Command, []string) {
		if *noCache {
			models.DisableCache()
		}
	}
	root.AddCommand(newPlay(), newWatch(), newDrive())
	root.AddCommand(newBest(), newReview(), newConvert(), newTree(), newInspect(), newSolve())
	root.AddCommand(arena.New(), newWorker(), newWorkers(), train.New(), model.New())
	root.AddCommand(newServe(), newRpc(), newBench(), newPerft(), newPlayers(), newNew(), newVersion())
	return root
}
