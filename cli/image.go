package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/exchange/picture"
	"github.com/afterstate2048/afterstate/internal/inputfile"
	"github.com/afterstate2048/afterstate/rules/board"
)

const imageHelp = `--image reads the board from a screenshot (PNG, JPEG or WebP) of any 2048 game, shows what was
read and marks the cells that are not certain. With such cells there is no advice: copy the
board that is printed, correct it and ask again, or say --accept if it is right.`

// imageFlags say that the board is on a picture.
type imageFlags struct {
	path   string `flag:"image" help:"read the board from a screenshot <FILE>, - for stdin"`
	accept bool   `flag:"accept" help:"with --image, accept doubtful cells as read"`
}

// boards returns the arguments of a command, or the board of the picture in their place.
func (f *imageFlags) boards(cmd *cobra.Command, args []string, show bool) ([]string, error) {
	switch {
	case f.path == "" && f.accept:
		return nil, usage.Errorf("--accept goes with --image")
	case f.path == "":
		return args, nil
	case len(args) > 0:
		return nil, usage.Errorf("both --image and a board are given: want one of them")
	}
	b, err := f.board(cmd, show)
	return []string{b.String()}, err
}

// board returns the board of the picture, once it is certain or accepted. With show it is printed.
func (f *imageFlags) board(cmd *cobra.Command, show bool) (board.Board, error) {
	r, err := f.read(cmd)
	if err != nil {
		return board.Board{}, err
	}
	doubt := r.Doubt()
	to := cmd.OutOrStdout()
	if !show {
		to = cmd.ErrOrStderr()
	}
	if doubt != "" {
		if err := r.WriteText(to); err != nil {
			return board.Board{}, err
		}
		fmt.Fprintln(to)
	}
	if doubt != "" || show {
		fmt.Fprintf(to, "read from %s: %v\n\n", f.path, r.Board)
	}
	if doubt != "" && !f.accept {
		return board.Board{}, usage.Errorf("%s: %s\nCorrect the board in this command and run it: afterstate %s %v\nIf the board is right, repeat your command with --accept.", f.path, doubt, cmd.Name(), r.Board)
	}
	return r.Board, nil
}

func (f *imageFlags) read(cmd *cobra.Command) (picture.Reading, error) {
	in := cmd.InOrStdin()
	if f.path != "-" {
		file, err := inputfile.Open(f.path)
		if err != nil {
			return picture.Reading{}, usage.Wrap(err)
		}
		defer file.Close()
		in = file
	}
	r, err := picture.Read(cmd.Context(), in)
	if err != nil && cmd.Context().Err() == nil {
		return r, usage.Errorf("%s: %v", f.path, err)
	}
	return r, err
}
