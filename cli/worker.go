package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/hubflags"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/machines"
	"github.com/afterstate2048/afterstate/experiment/training"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/internal/xdg"
	botremote "github.com/afterstate2048/afterstate/player/bot/remote"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
)

type workerFlags struct {
	workers   int    `flag:"workers,j" default:"cores" range:"1:4096" help:"games played in parallel"`
	allowExec bool   `flag:"allow-exec" help:"also play players that run programs of this machine or connect to them"`
	name      string `flag:"name" help:"the worker's <NAME> in lists (default: this machine's)"`
}

func newWorker() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "worker [URL]",
		Short: "Play games and train runs for other machines",
		Long: `Play games of experiments, and train runs of sweeps, for a hub or a NATS server. The URL is the
one that arena run --workers-at or afterstate-hub prints, or the URL of your own NATS server;
@FILE reads it from a file. Without an argument it is taken from the environment variable
AFTERSTATE_NATS.

A worker serves all experiments and sweeps whose program has the same signature (see bench),
and reconnects whenever the connection is lost. Networks and weights that the players use are
downloaded once and stored in the cache folder. Players that run or connect to programs (exec, remote) are refused
unless --allow-exec is given; the programs must be on this machine, at the same path as on the
experiment's machine, or relative to the folder where the worker was started. The worker plays
the experiment's other players in any case.

A worker that cannot do a job, because its disk is full or a program is missing, hands it back,
says why, and takes no job for a minute.

Ctrl-C ends the worker: what it has not finished is handed back. A
second Ctrl-C ends it at once; its games are then handed out again after half a minute.`,
		Example: `afterstate worker 'nats://TOKEN@hub.lab.example:4222?cert=SHA256'
afterstate worker @/etc/afterstate/hub-url -j 8 --name rack-3`,
		Args: usage.Args(0, 1, "at most the URL of a server"),
	}, &workerFlags{}, runWorker)
}

func runWorker(cmd *cobra.Command, args []string, f *workerFlags) error {
	if f.name == "" {
		f.name = hostName()
	} else if err := xdg.CheckName("worker", f.name); err != nil {
		return usage.Wrap(err)
	}
	o, err := hubflags.Options(append(args, "")[0])
	if err != nil {
		return err
	}
	identity := program.Self()
	signature, err := identity.Signature(cmd.Context())
	if err != nil {
		return err
	}
	v := &workerView{address: o.URL, logged: -1}
	v.Attach(cmd.ErrOrStderr(), nil)
	o.OnNotice = v.Say
	c, err := hubflags.Connect(cmd.Context(), o, 0, v.state)
	if err != nil {
		return stoppedOr(cmd.Context(), err)
	}
	defer c.Close()
	info := protocol.Worker{
		Name: f.name, Cores: f.workers, Version: identity.Version, Signature: signature, AllowExec: f.allowExec,
	}
	w, err := f.worker(cmd.Context(), c, info, v.Say)
	if err != nil {
		return err
	}
	v.begin(w)
	err = w.Work(cmd.Context())
	v.End()
	fmt.Fprintf(v.Out, "ended after %s games\n", numfmt.Int(w.Info().Games))
	return stoppedOr(cmd.Context(), err)
}

// stoppedOr returns nil if the command was stopped, which is the normal end of a worker. Otherwise
// it returns err, as a usage error if the server refused the connection.
func stoppedOr(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	if errors.Is(err, machines.ErrRefused) {
		return usage.Wrap(err)
	}
	return err
}

func hostName() string {
	name, err := os.Hostname()
	if err != nil || xdg.CheckName("worker", name) != nil {
		return "worker"
	}
	return name
}

// worker returns a worker that plays games and trains runs.
func (f *workerFlags) worker(
	ctx context.Context, c *machines.Client, info protocol.Worker, say func(string),
) (*machines.Worker, error) {
	folder, err := xdg.Cache()
	if err != nil {
		return nil, usage.Errorf("no folder for networks: %w; set XDG_CACHE_HOME to a folder", err)
	}
	config := experiment.WorkerConfig{
		Capabilities: catalog.Capabilities{
			ReadFile: catalog.ReadFile, Networks: (&models.Library{Files: true}).Find, Trusted: true, Exec: f.allowExec,
		},
		Fetch: func(ctx context.Context, sum string) (string, error) {
			return c.GetFile(ctx, sum, filepath.Join(folder, "files"))
		},
		Identity: program.Identity,
	}
	if f.allowExec {
		config.Capabilities.Connect = botremote.Connect
	}
	factory := config.Factory(ctx)
	trainer := training.Worker{Files: c, Folder: filepath.Join(folder, "training")}
	return c.NewWorker(machines.WorkerOptions{Info: info, OnNotice: say, Core: func() (machines.Do, func()) {
		play, end := experiment.Player(factory)
		return func(ctx context.Context, j *machines.Job) (any, int, error) {
			switch j.Kind {
			case machines.Games:
				return play(ctx, j)
			case machines.Training:
				return trainer.Do(ctx, j)
			}
			return nil, 0, fmt.Errorf("a job of the unknown kind %q", j.Kind)
		}, end
	}})
}

// workerView prints, from time to time, a line about the games that a worker plays.
type workerView struct {
	output.Block
	address string
	worker  *machines.Worker
	logged  int64 // number of games when the last line was printed
}

// state is called when the connection is lost or restored. err is the cause of the loss, or nil.
func (v *workerView) state(err error) {
	if err != nil {
		v.Say(fmt.Sprintf("no connection to %s (%v); trying again", v.address, err))
	} else {
		v.Say(fmt.Sprintf("connected to %s", v.address))
	}
}

func (v *workerView) begin(w *machines.Worker) {
	info := w.Info()
	v.Say(fmt.Sprintf("worker %s with %s at %s; Ctrl-C ends it", info.Name, numfmt.Count(info.Cores, "core", "cores"), v.address))
	v.worker = w
	v.Repeat(output.NextLine, v.log)
}

// log prints a line if the worker has played games since the last line.
func (v *workerView) log() {
	if info := v.worker.Info(); info.Games != v.logged {
		v.logged = info.Games
		v.Say(strings.Join(statement(&info), "; "))
	}
}

// statement returns lines of text: how much a worker has played, then what its cores play, one line
// for each experiment and player.
func statement(i *protocol.Worker) []string {
	played := fmt.Sprintf("%s games, %s a second", numfmt.Int(i.Games), numfmt.Rate(i.GamesPerS))
	const maximum = 8
	all := each.Of(i.Playing, func(p protocol.PlayedJobs) string {
		return fmt.Sprintf("%s: %s on %d", p.Experiment, p.Player, p.Cores)
	})
	slices.Sort(all)
	switch i.State {
	case protocol.WorkerWaiting:
		all = []string{"waiting for games"}
	case protocol.WorkerPaused:
		all = []string{"taking no jobs for a minute: " + i.Trouble}
	}
	if len(all) > maximum {
		all = append(all[:maximum], fmt.Sprintf("and %d more", len(all)-maximum))
	}
	return append([]string{played}, all...)
}

type workersFlags struct {
	json output.AsJSON `flag:"json" help:"print JSON: one object, the result of the method experiments.workers of serve"`
}

func newWorkers() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "workers [URL]",
		Short: "List the workers of a server, and the jobs that wait for them",
		Long: `List the workers of a hub or a NATS server: what they play, how fast, and why they last
handed a job back. Below them are the experiments, with the jobs that wait for a worker or
are being played. The URL is as for worker; hub is the hub of this machine.

A worker announces itself every few seconds. A worker that has been silent for 20 seconds is no
longer listed: it lost its connection, or was killed.`,
		Example: `afterstate workers hub
afterstate workers @hub-url --json`,
		Args: usage.Args(0, 1, "at most the URL of a server"),
	}, &workersFlags{}, runWorkers)
}

func runWorkers(cmd *cobra.Command, args []string, f *workersFlags) error {
	o, err := hubflags.Options(append(args, "")[0])
	if err != nil {
		return err
	}
	c, err := hubflags.Connect(cmd.Context(), o, hubflags.Patience, nil)
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

// writeWorkers writes a table of the workers, the reasons why they handed jobs back, and a table of
// the experiments.
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
