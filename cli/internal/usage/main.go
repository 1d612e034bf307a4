package usage

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

	"afterstate/internal/console"
	"afterstate/internal/version"
)

// Main runs a program of this command line and exits.
func Main(program *cobra.Command) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		time.Sleep(500 * time.Millisecond) // timeout(1) sends two signals at once
		stop()                             // a second Ctrl-C ends the program immediately
	}()
	os.Exit(Run(ctx, program, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Run executes one command line and returns the exit status.
func Run(ctx context.Context, program *cobra.Command, args []string, in io.Reader, out, errOut io.Writer) int {
	program.SetArgs(append([]string{}, args...)) // nil would be the arguments of this process
	program.SetIn(in)
	program.SetOut(out)
	program.SetErr(errOut)
	program.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return Wrap(flagHint(cmd, err)) })
	var failed error
	holdErrors(program, &failed)
	plain(program)
	err := fang.Execute(ctx, program,
		fang.WithVersion(version.Version),
		fang.WithoutManpage(), // command man writes a page for each command
		fang.WithErrorHandler(func(io.Writer, fang.Styles, error) {}))
	if err == nil {
		err = failed
	}
	return status(console.NewWriter(errOut), program.Name(), err)
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
func status(w io.Writer, program string, err error) int {
	var bad Error
	switch {
	case err == nil:
		return 0
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(w, program+": interrupted")
		return 130
	case errors.As(err, &bad):
		fmt.Fprintln(w, program+":", err)
		return 2
	default:
		fmt.Fprintln(w, program+":", err)
		return 1
	}
}
