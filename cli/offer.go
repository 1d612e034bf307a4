package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/live"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search/solve"
)

// offerExact offers to solve a size, if the players of m have exact values on it afterwards. On a
// terminal it asks, and solves after a yes; elsewhere it prints the command. The caller makes no player
// for the size before. The error is that of the command's context.
func offerExact(cmd *cobra.Command, m *catalog.Maker, size board.Size) error {
	p, ok := catalog.Offer(m, size)
	if !ok {
		return nil
	}
	out := cmd.ErrOrStderr()
	if !live.IsTerminal(cmd.InOrStdin()) || !live.IsTerminal(out) {
		if !m.Exact(size) { // a player that cannot do without the table fails with the same advice
			fmt.Fprintf(out, "solve %v once for exact values (%s): %s\n", size, p.Cost(), p.Command())
		}
		return nil
	}
	fmt.Fprintf(out, "Solve %v once for exact values (%s)? [y/N] ", size, p.Cost())
	yes, err := readYes(cmd.Context(), cmd.InOrStdin())
	if err != nil || !yes {
		return err
	}
	return solveOffered(cmd, p)
}

// solveOffered solves a problem. The player can do without the table, or says what is missing.
func solveOffered(cmd *cobra.Command, p solve.Problem) error {
	var o solve.Options
	var end func()
	started := time.Now()
	o.Progress, end = showSolving(cmd, p, new(float64))
	o.Busy = func() { fmt.Fprintf(cmd.ErrOrStderr(), "another process solves %v: waiting for it\n", p.Size) }
	err := catalog.Solve(cmd.Context(), p, o)
	end()
	if cmd.Context().Err() != nil {
		return cmd.Context().Err()
	}
	out := cmd.ErrOrStderr()
	if err != nil {
		fmt.Fprintf(out, "afterstate: %v\n", err)
		return nil
	}
	fmt.Fprintf(out, "%v is solved, in %.1f s. Its values are exact from now on.\n", p.Size, time.Since(started).Seconds())
	return nil
}

// readYes reads a line and reports whether it is a yes. It stops waiting when ctx ends. It reads no byte
// after the line: that is a key for what follows.
func readYes(ctx context.Context, in io.Reader) (bool, error) {
	answer := make(chan string, 1)
	go func() {
		var line []byte
		var one [1]byte
		for len(line) < 100 {
			n, err := in.Read(one[:])
			if n > 0 && one[0] == '\n' || err != nil && !errors.Is(err, io.ErrNoProgress) {
				break
			}
			line = append(line, one[:n]...)
		}
		answer <- strings.ToLower(strings.TrimSpace(string(line)))
	}()
	select {
	case line := <-answer:
		return line == "y" || line == "yes", nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}
