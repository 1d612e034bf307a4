// Package cli implements the command line: flags and messages only, with a file for each subcommand
// and a folder for each group of them. The packages it imports do the work.
//
// Results are written to stdout, progress and messages to stderr. The exit status is 0 on success,
// 2 for usage errors and bad input (nothing was changed), 1 for failures at run time, and 130 after
// Ctrl-C.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"

	"afterstate/cli/arena"
	"afterstate/cli/internal/usage"
	"afterstate/cli/model"
	"afterstate/cli/train"
	"afterstate/internal/console"
	"afterstate/internal/version"
	"afterstate/models"
)

// Main runs the program and exits.
func Main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		time.Sleep(500 * time.Millisecond) // timeout(1) sends two signals at once
		stop()                             // a second Ctrl-C ends the program immediately
	}()
	os.Exit(Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Run executes one command line and returns the exit status.
func Run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	root := New()
	root.SetArgs(append([]string{}, args...)) // nil would be the arguments of this process
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	var failed error
	holdErrors(root, &failed)
	usage.Plain(root)
	err := fang.Execute(ctx, root,
		fang.WithVersion(version.Version),
		fang.WithoutManpage(), // package manual writes a page for each command
		fang.WithErrorHandler(func(io.Writer, fang.Styles, error) {}))
	if err == nil {
		err = failed
	}
	return status(console.NewWriter(errOut), err)
}

// holdErrors hides the errors of commands from fang, which queries the terminal's background before
// it returns an error: without an answer of the terminal, that takes four seconds.
//
// It also escapes control characters in the commands' output, which may be untrusted text. Help is
// not escaped, since it contains fang's styles.
func holdErrors(cmd *cobra.Command, failed *error) {
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			cmd.SetOut(console.NewWriter(cmd.OutOrStdout()))
			cmd.SetErr(console.NewWriter(cmd.ErrOrStderr()))
			*failed = run(cmd, args)
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		holdErrors(sub, failed)
	}
}

// status prints an error in one to three lines and returns its exit status.
func status(w io.Writer, err error) int {
	var bad usage.Error
	switch {
	case err == nil:
		return 0
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(w, "afterstate: interrupted")
		return 130
	case errors.As(err, &bad):
		fmt.Fprintln(w, "afterstate:", err)
		return 2
	default:
		fmt.Fprintln(w, "afterstate:", err)
		return 1
	}
}

// A double click on Windows serves the page. By default cobra refuses to run, and asks for a terminal.
func init() { cobra.MousetrapHelpText = "" }

// New returns the command afterstate, with all below it.
func New() *cobra.Command {
	root := &cobra.Command{
		Use:   "afterstate",
		Short: "Play, watch, analyse and measure the game 2048",
		Long: `Afterstate plays the game 2048 on every board from 2x2 to 6x6: watch it played
well, ask which move is best on your board, and measure players against each other.
Without a command it serves the web page and opens it in the browser.`,
		Example: `# play, watch and ask in the browser
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
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usage.Wrap(usage.FlagHint(cmd, err)) })
	root.AddCommand(newPlay(), newWatch(), newAssist(), newDrive())
	root.AddCommand(newBest(), newReview(), newConvert(), newTree(), newInspect(), newSolve())
	root.AddCommand(arena.New(), newTune(), newWorker(), newWorkers(), train.New(), model.New())
	root.AddCommand(newServe(), newRpc(), newBench(), newPerft(), newPlayers(), newNew(), newVersion())
	return root
}
