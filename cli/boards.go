package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/live"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/rules/board"
)

const oneBoardHelp = `BOARD is tile values, cells split by commas, rows by slashes, 0 or . for an empty
cell: 2,0,0,4/0,0,8,0/0,0,0,0/2,0,0,2. Also as programs and people write it: 9, 16, 25
or 36 numbers on a line, cells of a spreadsheet, a table with |, JSON rows
([[2,0],[0,4]]), an array of Python, the gameState that the original page stores, and
for 4x4 sixteen characters 0-9a-h, one exponent each.`

const boardHelp = oneBoardHelp + ` With - boards are read from
stdin, one a line.`

// boardFunc returns the result of one board, and a function that writes it as text. Calls may be concurrent; printing is
// in order. stream reports whether there may be more boards.
type boardFunc func(b board.Board, stream bool) (result any, text func(io.Writer) error, err error)

// isPiped returns an error if a command without arguments would read its board from a terminal.
func isPiped(cmd *cobra.Command, args []string, what string) error {
	if len(args) == 0 && live.IsTerminal(cmd.InOrStdin()) {
		return usage.Errorf("%s: missing a board, or - to read %s from stdin; see afterstate %s --help", cmd.Name(), what, cmd.Name())
	}
	return nil
}

// eachBoard processes the board in args, or those on stdin, one a line, with the given number of
// workers; each worker has its own function.
func eachBoard(cmd *cobra.Command, args []string, workers int, asJSON output.AsJSON, newFunc func() boardFunc) error {
	if len(args) == 1 && args[0] != "-" {
		b, err := board.Parse(args[0])
		if err != nil {
			return usage.Wrap(err)
		}
		result, text, err := newFunc()(b, false)
		if err != nil {
			return err
		}
		return asJSON.Print(cmd, result, text)
	}
	if err := isPiped(cmd, args, "boards"); err != nil {
		return err
	}
	idle := make(chan boardFunc, workers)
	for range workers {
		idle <- newFunc()
	}
	return streamBoards(cmd, asJSON, idle)
}

// answered is the result of one line of a stream.
type answered struct {
	result any
	text   func(io.Writer) error
	err    error
}

// streamBoards keeps a window of lines in flight and prints the results in order. The first invalid line
// ends the stream; earlier results are printed.
func streamBoards(cmd *cobra.Command, asJSON output.AsJSON, idle chan boardFunc) error {
	inOrder := make(chan chan answered, 4*cap(idle))
	ctx, stop := context.WithCancel(cmd.Context()) // unblocks the reader if the stream ends early
	defer stop()
	go func() {
		defer close(inOrder)
		for b, err := range board.Scan(cmd.InOrStdin()) {
			result := make(chan answered, 1)
			select {
			case inOrder <- result:
			case <-ctx.Done():
				return
			}
			if err != nil {
				result <- answered{err: usage.Wrap(err)}
				return
			}
			answer := <-idle
			go func() {
				v, text, err := answer(b, true)
				idle <- answer
				result <- answered{v, text, err}
			}()
		}
	}()
	for {
		select {
		case result, more := <-inOrder:
			if !more {
				return nil
			}
			r := <-result
			if r.err != nil {
				return r.err
			}
			if err := asJSON.Print(cmd, r.result, r.text); err != nil {
				return err
			}
		case <-ctx.Done(): // a read of stdin may block forever
			return ctx.Err()
		}
	}
}
