package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"afterstate/board"
	"afterstate/cli/internal/live"
	"afterstate/cli/internal/usage"
)

const oneBoardHelp = `BOARD is tile values, cells split by commas, rows by slashes, 0 or . for an empty
cell: 2,0,0,4/0,0,8,0/0,0,0,0/2,0,0,2. Also as programs and people write it: 9, 16, 25
or 36 numbers on a line, cells of a spreadsheet, a table with |, JSON rows
([[2,0],[0,4]]), an array of Python, the gameState that the original page stores, and
for 4x4 sixteen characters 0-9a-h, one exponent each.`

const boardHelp = oneBoardHelp + ` With - boards are read from
stdin, one a line.`

// boardFunc computes the result of one board and returns a function that prints it. Calls may be
// concurrent; printing is in order. stream reports whether there may be more boards.
type boardFunc func(b board.Board, stream bool) (print func() error, err error)

// eachBoard processes the board in args, or those on stdin, one a line, with the given number of
// workers; each worker has its own function.
func eachBoard(cmd *cobra.Command, args []string, workers int, newFunc func() (boardFunc, error)) error {
	if len(args) == 1 && args[0] != "-" {
		b, err := board.Parse(args[0])
		if err != nil {
			return usage.Wrap(err)
		}
		answer, err := newFunc()
		if err != nil {
			return err
		}
		print, err := answer(b, false)
		if err != nil {
			return err
		}
		return print()
	}
	if _, terminal := live.TerminalWidth(cmd.InOrStdin()); terminal && len(args) == 0 {
		return usage.Errorf("%s: missing a board, or - to read boards from stdin; see afterstate %s --help", cmd.Name(), cmd.Name())
	}
	return streamBoards(cmd, workers, newFunc)
}

// job is one line of a stream.
type job struct {
	board board.Board
	print func() error
	err   error
	done  chan struct{}
}

// streamBoards keeps a window of jobs in flight and prints them in order. The first invalid line
// ends the stream; earlier results are printed.
func streamBoards(cmd *cobra.Command, workers int, newFunc func() (boardFunc, error)) error {
	todo := make(chan *job)
	inOrder := make(chan *job, 4*workers)
	stop := make(chan struct{})
	defer close(stop) // unblocks the workers if the stream ends early
	answers := make([]boardFunc, workers)
	for i := range answers {
		var err error
		if answers[i], err = newFunc(); err != nil {
			return err
		}
	}
	for _, answer := range answers {
		go func() {
			for j := range todo {
				j.print, j.err = answer(j.board, true)
				close(j.done)
			}
		}()
	}
	go func() {
		defer close(inOrder)
		defer close(todo)
		readBoards(cmd.InOrStdin(), todo, inOrder, stop)
	}()
	return printInOrder(cmd.Context(), inOrder)
}

func printInOrder(ctx context.Context, inOrder <-chan *job) error {
	for {
		var j *job
		var more bool
		select {
		case j, more = <-inOrder:
		case <-ctx.Done(): // a read of stdin may block forever
			return ctx.Err()
		}
		if !more {
			return nil
		}
		<-j.done
		if j.err != nil {
			return j.err
		}
		if err := j.print(); err != nil {
			return err
		}
	}
}

func readBoards(in io.Reader, todo, inOrder chan<- *job, stop <-chan struct{}) {
	send := func(to chan<- *job, j *job) bool {
		select {
		case to <- j:
			return true
		case <-stop:
			return false
		}
	}
	fail := func(err error) {
		j := &job{err: err, done: make(chan struct{})}
		close(j.done)
		send(inOrder, j)
	}
	for b, err := range board.Scan(in) {
		if err != nil {
			fail(usage.Wrap(err))
			return
		}
		j := &job{board: b, done: make(chan struct{})}
		if !send(inOrder, j) || !send(todo, j) {
			return
		}
	}
}
