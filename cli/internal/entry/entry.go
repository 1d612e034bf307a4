// Package entry runs the commands of a program. The exit status is 0 on success, 2 for usage errors and bad input
// (nothing was changed), 1 for failures at run time, and 130 after Ctrl-C.
package entry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"charm.land/fang/v2"
	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/version"
)

// Main runs a program with the arguments of this process, and exits.
func Main(run func(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		// Ignore signals for half a second, because timeout(1) sends two at once. Later signals end the program
		// immediately.
		time.Sleep(500 * time.Millisecond)
		stop()
	}()
	if runtime.GOOS != "windows" && os.Getenv("TERM") == "" { // if TERM is not set, some libraries write colours
		_ = os.Setenv("TERM", "dumb")
	}
	out := os.Stdout
	if null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		// before fang prints help, it queries the background of os.Stdout and may wait seconds for an answer
		os.Stdout = null
	}
	os.Exit(run(ctx, os.Args[1:], os.Stdin, out, os.Stderr))
}

// colors returns the colors of help. They come from the terminal's own palette, so they are readable on any background.
func colors(lipgloss.LightDarkFunc) fang.ColorScheme {
	plain := lipgloss.NoColor{}
	return fang.ColorScheme{
		Base: plain, Title: plain, Description: plain, Codeblock: plain, Comment: lipgloss.BrightBlack, Program: lipgloss.Cyan,
		Command: lipgloss.Cyan, Argument: plain, DimmedArgument: lipgloss.BrightBlack, Flag: lipgloss.Magenta,
		FlagDefault: lipgloss.BrightBlack, QuotedString: lipgloss.Green, Help: plain, Dash: plain,
	}
}

// Run executes one command line and returns the exit status.
func Run(ctx context.Context, root *cobra.Command, args []string, in io.Reader, out, errOut io.Writer) int {
	root.SetArgs(append([]string{}, args...)) // with nil, cobra would use os.Args[1:]
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usage.Wrap(usage.FlagHint(cmd, err)) })
	var failed error
	holdErrors(root, &failed)
	usage.Plain(root)
	err := execute(ctx, root)
	if err == nil {
		err = failed
	}
	text, status := fmt.Sprint(err), 1
	switch {
	case err == nil:
		return 0
	case errors.Is(err, context.Canceled):
		text, status = "interrupted", 130
	case errors.As(err, new(usage.Error)):
		status = 2
	}
	fmt.Fprintf(console.NewWriter(errOut), "%s: %s\n", root.Name(), text) // text has one to three lines
	return status
}

func execute(ctx context.Context, root *cobra.Command) (err error) {
	defer memory.CatchFaults(&err)() // reading a memory-mapped model can fault
	return fang.Execute(ctx, root,
		fang.WithVersion(version.Version),
		fang.WithColorSchemeFunc(colors),
		fang.WithoutManpage(),
		fang.WithErrorHandler(func(io.Writer, fang.Styles, error) {}))
}

// holdErrors makes commands store their errors in failed instead of returning them to fang. Before fang reports
// an error, it queries the terminal's background colour, which takes four seconds if the terminal does not
// answer.
//
// holdErrors also makes commands escape control characters in their output, which may contain untrusted text. Help is
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
