package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/search/draw"
	"github.com/afterstate2048/afterstate/serve/session"
)

type treeFlags struct {
	bareFlags
	depth  int `flag:"depth,d" default:"2" range:"0:64" help:"plies to draw; 0: all that the player searched"`
	width  int `flag:"width,w" default:"3" range:"0:" help:"spawns to draw at each board; 0: all"`
	boards int `flag:"boards,n" default:"120" range:"1:5000" help:"largest number of boards to draw"`
	out    output.Flags
}

func newTree() *cobra.Command {
	var f treeFlags
	cmd := usage.Command(&cobra.Command{
		Use:   "tree BOARD",
		Short: "Draw the search tree of a player",
		Long: `Draw the search tree of a player on a board, with the value of each board and the
principal variation: as a picture (svg) or as data (json).

Each value comes from the whole search and is exact, however deep the drawing goes: what the
search pruned is searched again where its value is shown. A player with a limit of time or nodes
shows the tree of the depth it reached.

Trees grow exponentially. --depth limits the plies and --width the spawns drawn at each
board: with random spawns a likely one, the worst and the best come first; with an
adversary the worst. If --boards is too small, lines near the principal variation come
first. The picture and stderr report what is omitted.

` + oneBoardHelp,
		Example: `afterstate tree 2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2 -o tree.svg
afterstate tree -p "minimax(depth=2)" --width 2 2,4,8/0,2,4/0,0,2 -o tree.svg`,
		Args: usage.Args(1, 1, "a board"),
	}, &f, runTree)
	f.out.Add(cmd.Flags(), "svg or json")
	return cmd
}

func runTree(cmd *cobra.Command, args []string, f *treeFlags) error {
	announceLoading(cmd)
	b, err := board.Parse(args[0])
	if err != nil {
		return usage.Wrap(err)
	}
	maker, err := program.Player(f.player)
	if err != nil {
		return usage.Wrap(err)
	}
	format, err := f.out.Choose([]string{"svg", "json"})
	if err != nil {
		return err
	}
	file, err := output.Create(f.out.Out)
	if err != nil {
		return err
	}
	defer file.Discard()
	picture, err := f.picture(cmd, maker, b)
	if err != nil {
		return err
	}
	write := map[string]func(io.Writer) error{"svg": picture.WriteSVG, "json": picture.WriteJSON}[format]
	if file != nil {
		err = file.Commit(write)
	} else {
		err = write(cmd.OutOrStdout())
	}
	if omitted := picture.Omissions(); err == nil && len(omitted) > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "%d boards drawn. %s\n", picture.Tree.Boards, strings.Join(omitted, " "))
	}
	return err
}

// picture runs the player's search and returns its tree as a picture.
func (f *treeFlags) picture(cmd *cobra.Command, m catalog.Maker, b board.Board) (*draw.Picture, error) {
	p := player.Driver{Player: m.New()}
	defer p.Close()
	searcher, err := catalog.AsSearcher(p.Player, m.Spec)
	if err != nil {
		return nil, usage.Wrap(err)
	}
	return session.Picture(cmd.Context(), &m, searcher, f.query(&b), search.TreeOptions{Depth: f.depth, Width: f.width, Boards: f.boards})
}
