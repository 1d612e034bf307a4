package arena

import (
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"afterstate/arena"
	"afterstate/arena/stages"
	"afterstate/cli/internal/usage"
	"afterstate/game"
	"afterstate/internal/inputfile"
)

// maxTries bounds --tries, so that the number of games stays within checkGames.
const maxTries = 10_000

// starts reads the boards of --start; nil without it.
func (f *playFlags) starts(cmd *cobra.Command) ([]arena.Start, error) {
	changed := cmd.Flags().Changed
	switch {
	case f.start == "" && changed("tries"):
		return nil, usage.Errorf("--tries is the number of games from each board of --start, which is missing")
	case f.start == "":
		return nil, nil
	case changed("games"):
		return nil, usage.Errorf("--games and --start: with start boards, --tries is the number of games from each")
	case changed("size"):
		return nil, usage.Errorf("--size and --start: the size is that of the boards")
	case f.tries < 1 || f.tries > maxTries:
		return nil, usage.Errorf("%d tries: want 1 to %d", f.tries, maxTries)
	}
	starts, next, err := readStarts(cmd.InOrStdin(), f.start)
	if f.goal.Goal == (game.Goal{}) {
		f.goal.Goal = next
	}
	if err == nil {
		err = arena.CheckStarts(starts, f.goal.Goal)
	}
	if err != nil {
		return nil, usage.Errorf("--start %s: %w", f.start, err)
	}
	return starts, nil
}

// readStarts reads the boards of a file, of stdin (-) or of an embedded set (stage:N),
// which has a goal: the next stage.
func readStarts(stdin io.Reader, name string) (starts []arena.Start, goal game.Goal, err error) {
	if stage, ok := strings.CutPrefix(name, "stage:"); ok {
		sum, err := strconv.ParseInt(stage, 10, 64)
		if err != nil {
			sum = 0 // Open names those that there are
		}
		starts, err = stages.Open(sum)
		return starts, stages.Next(sum), err
	}
	if name == "-" {
		starts, err = arena.ReadStarts(stdin)
		return starts, goal, err
	}
	file, err := inputfile.Open(name)
	if err != nil {
		return nil, goal, err
	}
	defer file.Close()
	starts, err = arena.ReadStarts(file)
	return starts, goal, err
}

// goalFlag is a game.Goal.
type goalFlag struct{ game.Goal }

func (g *goalFlag) Set(text string) (err error) {
	g.Goal, err = game.ParseGoal(text)
	return err
}

func (g *goalFlag) Type() string { return "GOAL" }
