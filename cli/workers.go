package cli

import (
	"cmp"
	"fmt"
	"io"
	"time"

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
		Long: `List the workers that a hub or a NATS server has heard of in the last ten minutes: what they
play, how fast, and what failed. Below them are the experiments, with their chunks: those that
wait, that were handed out, and that were handed out again because a worker was lost. The URL is
as for worker; hub is the hub of this machine. With a worker's URL there are no experiments.

A worker announces itself every few seconds. One that was heard of more than 20 seconds ago is
lost: it has no connection, or was killed. Of more than 32,768, those that were heard of last are listed.`,
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
			fmt.Fprintf(cmd.ErrOrStderr(), "%s has heard of no worker in the last ten minutes\n", o.URL)
		}
		return writeWorkers(w, list)
	})
}

// writeWorkers writes the workers, what failed at them, and the queues.
func writeWorkers(out io.Writer, list *protocol.WorkerList) error {
	t := table.New(table.Words("name"), table.Words("host"), table.Number("cores"), table.Words("version"), table.Number("games"), table.Number("games/s"), table.Number("last heard"), table.Words("state"))
	var failures []string
	for i := range list.Workers {
		w := &list.Workers[i]
		t.Add(w.Name, w.Host, fmt.Sprint(w.Cores), w.Version, numfmt.Int(w.Games), numfmt.Rate(w.GamesPerS), seconds(w.HeardS)+" ago", stateWords(w))
		for k := range w.Failures {
			failures = append(failures, w.Name+": "+failureWords(&w.Failures[k]))
		}
	}
	if len(list.Workers) > 0 {
		if err := t.Write(out); err != nil {
			return err
		}
	}
	for i, f := range failures {
		if i == 0 {
			f = "\nwhat failed:\n" + f
		}
		fmt.Fprintln(out, f)
	}
	if len(list.Queues) == 0 {
		return nil
	}
	fmt.Fprintln(out)
	t = table.New(table.Words("experiment"), table.Number("games"), table.Number("waiting"), table.Number("handed out"), table.Number("again"), table.Number("to store"), table.Words("scheduler"))
	for i := range list.Queues {
		q := &list.Queues[i]
		t.Add(q.Name, numfmt.Int(int64(q.Finished)), fmt.Sprint(q.Waiting), fmt.Sprint(q.Leased), fmt.Sprint(q.Redelivered), fmt.Sprint(q.Results), cmp.Or(q.Scheduler, "none: stopped"))
	}
	return t.Write(out)
}

func seconds(s float64) string {
	return time.Duration(s * float64(time.Second)).Round(time.Second).String()
}

func stateWords(w *protocol.Worker) string {
	switch cores := 0; w.State {
	case protocol.WorkerPlaying:
		for _, p := range w.Playing {
			cores += p.Cores
		}
		return fmt.Sprintf("playing on %d for %s", cores, seconds(w.SinceS))
	case protocol.WorkerWaiting:
		return "waiting for " + seconds(w.SinceS)
	default:
		return string(w.State)
	}
}

func failureWords(f *protocol.WorkerFailure) string {
	of := ""
	if f.Player != "" {
		of = fmt.Sprintf(" %s of %s", f.Player, f.Experiment)
	}
	text := map[protocol.FailureKind]string{
		protocol.FailedForfeits: numfmt.Count(int(f.Count), "game", "games") + " forfeited by" + of,
		protocol.FailedChunks:   numfmt.Count(int(f.Count), "chunk", "chunks") + " given up of" + of,
		protocol.FailedLeases:   numfmt.Count(int(f.Count), "chunk", "chunks") + " lost of" + of + ": nothing was heard for too long",
		protocol.FailedRefused:  "cannot play" + of,
		protocol.FailedRejected: "rejected",
	}[f.Kind]
	if f.Reason != "" {
		text += ": " + f.Reason
	}
	return text
}
