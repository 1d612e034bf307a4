package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/remote"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment/jetstream"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/table"
)

func newWorkers() *cobra.Command {
	var f struct {
		remote.Server
		json output.AsJSON `flag:"json" help:"print JSON, one worker per line"`
	}
	cmd := &cobra.Command{
		Use:   "workers [URL]",
		Short: "List the workers of a server",
		Long: `List the workers that a hub or a NATS server has heard of in the last ten minutes. The URL is
as for worker; hub is the hub of this machine.

A worker announces itself every few seconds. One that was heard of more than 20 seconds ago is
lost: it has no connection, or was killed. Of more than 32,768, those that were heard of last are listed.`,
		Example: `afterstate workers hub
afterstate workers @hub-url --json`,
		Args: usage.Args(0, 1, "at most the URL of a server"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{""}
			}
			o, err := f.Options(args[0])
			if err != nil {
				return err
			}
			c, err := remote.Connect(cmd.Context(), o, remote.Patience, nil)
			if err != nil {
				return err
			}
			defer c.Close()
			all, err := c.Workers(cmd.Context())
			if err != nil {
				return err
			}
			if !bool(f.json) && len(all) == 0 {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s has heard of no worker in the last ten minutes\n", o.URL)
				return nil
			}
			return output.PrintEach(cmd, f.json, all, func(w io.Writer, all []jetstream.WorkerInfo) error {
				return writeWorkers(w, all, time.Now())
			})
		},
	}
	usage.Flags(cmd.Flags(), &f)
	return cmd
}

func writeWorkers(out io.Writer, all []jetstream.WorkerInfo, now time.Time) error {
	t := table.New(table.Words("name"), table.Number("cores"), table.Words("version"), table.Number("games"), table.Number("games/s"), table.Number("last heard"), table.Words("state"))
	for _, w := range all {
		state := "waiting"
		if len(w.Playing) > 0 {
			state = fmt.Sprintf("playing on %d", len(w.Playing))
		}
		for _, lane := range slices.Sorted(maps.Keys(w.Refused)) {
			state += "; cannot play " + w.Refused[lane].String()
		}
		if w.Lost {
			state = "lost"
		}
		heard := max(now.Sub(w.LastHeard).Round(time.Second), 0)
		t.Add(w.Name, fmt.Sprint(w.Cores), w.Version, numfmt.Int(w.Games), numfmt.Rate(w.GamesPerSecond), heard.String()+" ago", state)
	}
	return t.Write(out)
}
