package train

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/learn/runs"
)

// listed is a run in the output of train list --json.
type listed struct {
	Run       string         `json:"run"`
	State     string         `json:"state"`
	Network   string         `json:"network"`
	Games     uint64         `json:"games"`      // of the last checkpoint
	Goal      *uint64        `json:"goal_games"` // null: no limit
	MeanScore *float64       `json:"mean_score"` // of the last interval
	Updated   time.Time      `json:"updated"`
	Options   []runs.Setting `json:"options"`
}

func newList(folder *runs.Folder) *cobra.Command {
	var asJSON output.AsJSON
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the training runs",
		Long: `List the training runs, the most recently active one first: running if a process trains it,
finished if it has all its games, else stopped. Its games are those of the last checkpoint.`,
		Example: "afterstate train list",
		Args:    usage.Args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			where, err := openFolder(cmd, folder)
			if err != nil {
				return err
			}
			all, err := list(where)
			if err != nil {
				return err
			}
			return output.PrintEach(cmd, asJSON, all, writeList)
		},
	}
	asJSON.Add(cmd, ", one object a line")
	return cmd
}

func list(folder runs.Folder) (all []listed, err error) {
	infos, err := folder.List()
	if err != nil {
		return nil, err
	}
	for _, i := range infos {
		r := listed{Run: i.Name, State: i.State, Network: i.Network, Games: i.Games, Updated: i.Updated.UTC().Truncate(time.Second), Options: i.Settings}
		if i.Goal > 0 {
			r.Goal = &i.Goal
		}
		if intervals, err := folder.Intervals(i.Name); err == nil && len(intervals) > 0 {
			r.MeanScore = intervals[len(intervals)-1].MeanScore
		}
		all = append(all, r)
	}
	return all, nil
}

func writeList(out io.Writer, all []listed) error {
	if len(all) == 0 {
		_, err := fmt.Fprintln(out, "there are no runs; afterstate train --games 20000 begins one")
		return err
	}
	t := table.New(table.Words("run"), table.Words("state"), table.Words("network"), table.Number("games"), table.Number("mean score"), table.Words("updated"))
	for _, r := range all {
		games, score := numfmt.Int(int64(r.Games)), "-"
		if r.Goal != nil {
			games += " of " + numfmt.Int(int64(*r.Goal))
		}
		if r.MeanScore != nil {
			score = numfmt.Rounded(*r.MeanScore)
		}
		t.Add(r.Run, r.State, r.Network, games, score, r.Updated.Local().Format("2006-01-02 15:04"))
	}
	return t.Write(out)
}
