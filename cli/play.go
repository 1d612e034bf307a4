package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/stages"
	"github.com/afterstate2048/afterstate/internal/xdg"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/player/levels"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/tui"
)

type playFlags struct {
	size  board.Size  `flag:"size,s" default:"4x4" help:"board size, <RxC> from 2x2 to 6x6"`
	seed  *uint64     `flag:"seed" help:"seed of the spawns (default: random)"`
	spawn flags.Spawn `flag:"spawn" default:"random"`
	hint  string      `flag:"hint" default:"best" help:"player <SPEC> for hints; see afterstate players"`
	level string      `flag:"level" help:"<LEVEL> that grades moves and hints; on 4x4: 1000, 3000, 8000, 20000, 60000 or strong (default: the third level)"`
	grade bool        `flag:"grade" help:"show the class of each move right after it, instead of hints; full screen only"`
	start startFlag   `flag:"start" help:"begin from a <BOARD> or from the first board of a file, with a score of 0"`
	fresh bool        `flag:"new" help:"start a new game instead of resuming the saved one"`
	still bool        `flag:"no-animation" help:"do not animate tiles"`
}

func newPlay() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "play",
		Short: "Play the game yourself",
		Long: `Play 2048 on the terminal.

Arrows, WASD or HJKL move; u undoes as many moves as you like, and r redoes them. Space asks a
player for a hint, tab turns live hints on and off. g shows the class of each move right after
it. n starts a new game, ? lists the keys, q quits.

The unfinished game and the best score of each size and spawn rule are saved in
$XDG_STATE_HOME/afterstate (~/.local/state/afterstate); the next play resumes the game.
With --seed the game of that seed is saved separately, and with --start the game from that
board, so neither replaces the game without these flags. If the saved game is open in another
terminal, play starts a second game. A later play resumes it if the first is then open or over.

Where TERM is dumb or not set, play shows lines and reads words: up, down, left, right,
undo, redo, hint, new, quit.`,
		Example: `afterstate play
afterstate play --size 3x3 --hint "expectimax(eval=gradient,plies=3)"
afterstate play --spawn adversary
afterstate play --start 2,4,8,16/256,128,64,32/512,1024,2048,4096/0,0,0,8192`,
		Args: usage.Args(0, 0, "no arguments"),
	}, &playFlags{}, runPlay)
}

func runPlay(cmd *cobra.Command, _ []string, f *playFlags) error {
	if !cmd.Flags().Changed("hint") {
		f.hint = catalog.WithP4(f.hint, f.spawn.P4)
	}
	maker, err := f.spawn.Maker(f.hint)
	if err != nil {
		return usage.Errorf("--hint: %w", err)
	}
	if f.start == "-" {
		return usage.Errorf("--start -: play reads its keys from stdin; give a board or a file")
	}
	start, err := f.start.board(cmd, &f.size, 0)
	if err != nil {
		return err
	}
	for _, stream := range []any{cmd.InOrStdin(), cmd.OutOrStdout()} {
		if !output.IsTerminal(stream) {
			return usage.Errorf("play needs a terminal; without one, let a player play: see afterstate watch --help")
		}
	}
	seed := uint64(rand.Uint32())
	if f.seed != nil {
		seed = *f.seed
	}
	state, _ := xdg.State() // without a home folder games are not saved
	if state != "" {
		if err := os.MkdirAll(state, 0o700); err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "afterstate: games are not saved: %v; set XDG_STATE_HOME to a writable folder\n", err)
			state = ""
		}
	}
	first := start
	if first == (board.Board{}) {
		first = board.New(f.size)
	}
	level, err := grader(f.level, &first)
	if err != nil {
		return err
	}
	judge, err := review.New(program.Player, level, f.size, 1, f.spawn.P4)
	if err != nil {
		return err
	}
	ctx, stop := output.UntilStopped(cmd)
	defer stop()
	o := tui.PlayOptions{
		Judge: judge, Grade: f.grade,
		Size: f.size, Start: start, Rule: f.spawn.SpawnRule, Seed: seed, Fixed: f.seed != nil,
		Hint:  catalog.AtLevel(maker, level),
		State: state, New: f.fresh, Animate: !f.still,
	}
	var played tui.Played
	if output.PlacesText(cmd.OutOrStdout()) {
		played, err = tui.Play(ctx, terminal(cmd), o)
	} else {
		played, err = tui.PlayLines(ctx, cmd.InOrStdin(), cmd.OutOrStdout(), o)
	}
	outcome := "stopped"
	switch {
	case played.Over:
		outcome = "game over"
	case played.Saved:
		outcome = "to be continued"
	}
	_, failed := fmt.Fprintf(cmd.OutOrStdout(), "%s: score %d, best %d, largest tile %d, %d moves\n", outcome, played.Score, played.Best, played.Largest, played.Moves)
	return errors.Join(err, failed)
}

// grader returns the level that grades moves and hints in a game that starts with b, or nil for a strong player. name
// is the value of --level; if it is empty, the size's third level grades.
func grader(name string, b *board.Board) (*levels.Level, error) {
	level, err := levels.Choose(cmp.Or(name, levels.Usual(b.Size())), b, 0)
	if err != nil {
		return nil, usage.Errorf("--level: %w", err)
	}
	return level, nil
}

// startFlag is the flag --start: a board, or a file of boards.
type startFlag string

// board returns the start board for the game with this index, and sets size to the board's size. If there are fewer
// boards than games, it starts again with the first board. Without the flag it returns the zero board.
func (f startFlag) board(cmd *cobra.Command, size *board.Size, index uint64) (board.Board, error) {
	if f == "" {
		return board.Board{}, nil
	}
	if cmd.Flags().Changed("size") {
		return board.Board{}, usage.Errorf("--size cannot be combined with --start: the board sets the size")
	}
	starts, _, err := stages.Load(string(f), cmd.InOrStdin())
	if err == nil {
		err = arena.CheckStarts(starts, game.Stop{})
	}
	if err != nil {
		return board.Board{}, usage.Errorf("--start: %w", err)
	}
	b := starts[index%uint64(len(starts))].Board
	*size = b.Size()
	return b, nil
}
