package arena

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/report"
)

// setupFlags are the flags that determine how games are played.
type setupFlags struct {
	size       flags.Size  `flag:"size,s" default:"4x4"`
	seed       flags.Seed  `flag:"seed" default:"1" help:"seed; game i has the same tiles for every player"`
	until      flags.Tile  `flag:"until" help:"stop a game as soon as it has this tile"`
	spawn      flags.Spawn `flag:"spawn" default:"random"`
	stageFlags `flag:"-"`  // match has none

	allowForfeits bool `flag:"allow-forfeits" help:"exit 0 even if a player forfeits more than 10 % of its games"`

	strict bool // flags that are not set must match an existing experiment too
}

// checkForfeits fails if a player forfeited too many games.
func (f *setupFlags) checkForfeits(r *arena.Results) error {
	err := r.CheckForfeits()
	if err == nil || f.allowForfeits {
		return nil
	}
	return fmt.Errorf("%w\n(--allow-forfeits makes this no failure)", err)
}

// maxSpecs is the largest number of players of an experiment in the store.
const maxSpecs = 1000

func checkExperimentName(name string) error { return usage.Wrap(arena.CheckName(name)) }

func checkGames(games int) error {
	if games < 1 || games > 1e9 {
		return usage.Errorf("%d games: want 1 to 1000000000", games)
	}
	return nil
}

// same returns an error if flags do not match an existing experiment.
func (f *setupFlags) same(cmd *cobra.Command, e *arena.Plan) error {
	for _, c := range []struct{ flag, has, wanted string }{
		{"size", e.Setup.Size.String(), f.size.String()},
		{"seed", fmt.Sprint(e.Setup.Seed), fmt.Sprint(f.seed.Value)},
		{"until", fmt.Sprint(e.Setup.Until()), fmt.Sprint(int64(f.until))},
		{"goal", cmp.Or(e.Setup.GoalText(), "nothing"), cmp.Or(f.goal.String(), "nothing")},
		{"spawn", e.Setup.Spawn, f.spawn.Spec},
	} {
		if (f.strict || cmd.Flags().Changed(c.flag)) && c.has != c.wanted {
			return usage.Errorf("%s has --%s %s, not %s: begin another experiment under another name", e.Name, c.flag, c.has, c.wanted)
		}
	}
	if (f.strict || f.start != "") && e.Setup.Starts.String() != arena.NewStarts(f.boards).String() {
		return usage.Errorf("%s has other start boards: begin another experiment under another name", e.Name)
	}
	return nil
}

// printResults prints results as text or JSON.
func printResults(cmd *cobra.Command, r *arena.Results, asJSON output.AsJSON) error {
	out := cmd.OutOrStdout()
	if asJSON {
		return output.JSON(out, r.Statistics())
	}
	width, _ := output.TerminalWidth(out)
	return report.Text(out, r, width)
}
