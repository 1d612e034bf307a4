package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/remote"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/protocol"
)

type workersFlags struct {
	remote.Server
	json output.AsJSON `flag:"json" help:"print JSON: one object, as experiments.workers of serve"`
}

func newWorkers() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "workers [URL]",
		Short: "List the workers of a server, and what waits for them",
		Long: `List the workers of a hub or a NATS server: what they play, how fast, and why they handed
something back last. Below them are the experiments, with the jobs that wait for a worker or
are being played. The URL is as for worker; hub is the hub of this machine.

A worker announces itself every few seconds. One of which nothing was heard for 20 seconds is no
longer listed: it has no connection, or was killed.`,
		Example: `afterstate workers hub
afterstate workers @hub-url --json`,
		Args: usage.Args(0, 1, "at most the URL of a server"),
	}, &workersFlags{}, runWorkers)
}

func runWorkers(cmd *cobra.Command, args []string, f *workersFlags) error {
	o, err := f.Options(append(args, "")[0])
	if err != nil {
		return err
	}
	c, err := remote.Connect(cmd.Context(), o, remote.Patience, nil)
	if err != nil {
		return err
	}
	defer c.Close()
	list, err := c.Overview(cmd.Context())
	if err != nil {
		return err
	}
	return f.json.Print(cmd, list, func(w io.Writer) error {
		if len(list.Workers) == 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s has no worker\n", o.URL)
		}
		return writeWorkers(w, list)
	})
}

// writeWorkers writes the workers, their troubles, and the experiments.
func writeWorkers(out io.Writer, list *protocol.WorkerList) error {
	t := table.New(table.Words("name"), table.Words("host"), table.Number("cores"), table.Words("version"),
		table.Number("games"), table.Number("games/s"), table.Words("state"))
	var troubles []string
	for i := range list.Workers {
		w := &list.Workers[i]
		state := string(w.State)
		if cores := w.Busy(); cores > 0 {
			state += fmt.Sprintf(" on %d", cores)
		}
		t.Add(w.Name, w.Host, fmt.Sprint(w.Cores), w.Version, numfmt.Int(w.Games), numfmt.Rate(w.GamesPerS), state)
		if w.Trouble != "" {
			troubles = append(troubles, w.Name+": "+w.Trouble)
		}
	}
	if len(list.Workers) > 0 {
		if err := t.Write(out); err != nil {
			return err
		}
	}
	for i, text := range troubles {
		if i == 0 {
			text = "\nhanded back:\n" + text
		}
		fmt.Fprintln(out, text)
	}
	if len(list.Queues) == 0 {
		return nil
	}
	fmt.Fprintln(out)
	t = table.New(table.Words("experiment"), table.Number("games"), table.Number("jobs"), table.Words("scheduler"))
	for i := range list.Queues {
		q := &list.Queues[i]
		t.Add(q.Name, numfmt.Int(int64(q.Finished)), fmt.Sprint(q.Jobs), q.Scheduler)
	}
	return t.Write(out)
}
