package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"afterstate/internal/memory"
	"afterstate/learn"
	"afterstate/models"
	"afterstate/ntuple"
	"afterstate/wire"
)

type trainFlags struct {
	network         string
	size            sizeFlag
	name            string
	resume          string
	from            string
	out             string
	games           uint64
	seed            seedFlag
	threads         int
	alone           uint64
	coherent        bool
	rate            numberFlag
	lambda          numberFlag
	horizon         int
	optimistic      numberFlag
	hopes           string
	stages          string
	restart         numberFlag
	restartTile     tileFlag
	downgrade       tileOrZeroFlag
	every           uint64
	checkpointEvery time.Duration
	json            bool
}

const trainHelp = `Train a pattern network for boards up to 4x4 by playing, without human games.

NETWORK is a name (4x6: four patterns of six cells; 8x6, 6x6, 5x6, 2x6, 4x5, 5x4, 2x4
and for 3x3 boards 2x3, 3x4, 2x6) or patterns by cell: "012345 456789" are two of six
cells, numbered in hexadecimal from the top left.

A run lives in $XDG_DATA_HOME/afterstate/runs/ID (~/.local/share/afterstate/runs/ID):
checkpoint.model is the network and all that going on needs, metrics.jsonl has a JSON
object for each interval of --every games: games, moves, elapsed_s (in all), mean_score,
reached (share of the interval's games by tile), games_per_s, moves_per_s.

Ctrl-C saves and stops; --resume ID goes on, with one thread bit for bit as if nothing
had happened. A killed process loses what came after its last checkpoint.

A run that goes on may learn otherwise than before: --coherent, --rate, --lambda,
--horizon, --restart, --restart-tile and --downgrade given with --resume hold from there on, and the
model's history tells of each part with its games. So a schedule is a few commands, such as
optimism without coherence first and coherence at the end; see the examples.

--restart 0.5 starts half of the games from stored boards with a --restart-tile or more.
Boards are stored at milestones: after the first move that scores half the restart tile or
more since the sum of the tiles passed a further multiple of that half. Each milestone has
the same share of the starts. A line of metrics.jsonl has them in restarts: tile_sum,
games, mean_score (from there on), reached.

--stages 16384/16384,8192 adds a stage of its own weights for boards with a 16384, and
another for those with a 16384 and an 8192 besides; exponents (14/14,13) mean the same. Weights
of a stage begin as those of the stage before.`

func newTrain() *cobra.Command { return newTrainIn(room{memory.Available, freeDisk}) }

// newTrainIn is train where there is so much room.
func newTrainIn(r room) *cobra.Command {
	f := trainFlags{size: newSizeFlag(), restartTile: 16384, lambda: numberFlag{0.5, true}}
	f.seed.value, f.seed.given = 1, true
	cmd := &cobra.Command{
		Use:   "train [NETWORK]",
		Short: "Train a network by playing",
		Long:  trainHelp,
		Example: `afterstate train --games 20000
afterstate train 8x6 --stages 16384 --restart 0.2 --games 1000000 --name big
afterstate train --resume big --games 2000000

# first optimism at a constant rate, then coherence for the last tenth
afterstate train --name otd --coherent=false --optimistic 320000 --games 900000
afterstate train --resume otd --coherent --games 1000000

afterstate train --from champion.model --out better.model
afterstate train 3x4 --size 3x3 --games 10000`,
		Args: between(0, 1, "at most one network"),
		RunE: func(cmd *cobra.Command, args []string) error { return runTrain(cmd, args, &f, &r) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.network, "network", "4x6", "the `NETWORK`, as the argument")
	flags.VarP(&f.size, "size", "s", "board size from 2x2 to 4x4")
	flags.StringVar(&f.name, "name", "", "the run's `ID` (default: the network's name and the next free number)")
	flags.StringVar(&f.resume, "resume", "", "go on with the run `ID`; what is not given stays")
	flags.StringVar(&f.from, "from", "", "begin with what a model `FILE` knows, raw or quantized")
	flags.StringVarP(&f.out, "out", "o", "", "save the model to a `FILE` too when training ends")
	flags.Uint64VarP(&f.games, "games", "n", 100_000, "games in all; 0: until Ctrl-C")
	flags.Var(&f.seed, "seed", "seed of the games")
	flags.IntVarP(&f.threads, "threads", "j", runtime.GOMAXPROCS(0), "games at once; only 1 gives the same network each time")
	flags.Uint64Var(&f.alone, "alone", 1000, "games of the first thread before others join (0 for --from and --coherent=false)")
	flags.BoolVar(&f.coherent, "coherent", true, "temporal coherence: each weight has a rate of its own")
	flags.Var(&f.rate, "rate", "learning rate, at most 2 (default 1, and 0.1 with --coherent=false)")
	flags.Var(&f.lambda, "lambda", "how much moves after the next one count, 0 to 1; 0 is TD(0)")
	flags.IntVar(&f.horizon, "horizon", 5, "how many moves count at most with --lambda; with --lambda 1 it is their number")
	flags.Var(&f.optimistic, "optimistic", "points that every board promises at first, so that all is tried (default 0)")
	flags.StringVar(&f.hopes, "hopes", "", "points that boards of each stage after the first promise besides: `P,P`")
	flags.StringVar(&f.stages, "stages", "", "further stages, as `TILES/TILES`; see above")
	flags.Var(&f.restart, "restart", "share of games, 0 to 1, that start from a stored late board (default 0)")
	flags.Var(&f.downgrade, "downgrade", "boards with this tile or a larger one are learned as boards of smaller tiles; 0: never")
	flags.Var(&f.restartTile, "restart-tile", "stored boards have this tile or a larger one; see above")
	flags.Uint64Var(&f.every, "every", 1000, "games of an interval")
	flags.DurationVar(&f.checkpointEvery, "checkpoint-every", 10*time.Minute, "time between checkpoints")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

// training is a run that goes on in this process.
type training struct {
	room    *room
	run     *trainRun
	o       *runOptions
	trainer *learn.Trainer
	metrics *metrics
	view    *trainView
	last    *wire.TrainingInterval // of the last interval
	failed  error
	cancel  context.CancelFunc
}

func runTrain(cmd *cobra.Command, args []string, f *trainFlags, r *room) error {
	ctx := cmd.Context()
	if !signal.Ignored(syscall.SIGHUP) { // nohup wants it to go on
		var stop context.CancelFunc
		ctx, stop = untilHangup(ctx)
		defer stop()
	}
	runs, err := runsFolder()
	if err != nil {
		return err
	}
	var out *output
	if f.out != "" {
		if out, err = newOutput(f.out); err != nil {
			return err
		}
		defer out.discard()
	}
	t := &training{room: r}
	if f.resume != "" {
		err = t.resume(cmd, args, f, runs)
	} else {
		err = t.begin(cmd, args, f, runs)
	}
	if err != nil {
		return err
	}
	defer t.close()
	stopped, err := t.train(ctx, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	if out != nil {
		info := ntuple.Info{History: t.trainer.History()}
		if err := out.commit(func(io.Writer) error { return ntuple.Write(out.temp.File, t.trainer.Network(), info) }); err != nil {
			return err
		}
	}
	if err := t.print(cmd.OutOrStdout(), f.json); err != nil {
		return err
	}
	if stopped {
		fmt.Fprintf(cmd.ErrOrStderr(), "saved; to go on: afterstate train --resume %s\n", t.run.id)
		return context.Canceled
	}
	return nil
}

// begin makes a new run.
func (t *training) begin(cmd *cobra.Command, args []string, f *trainFlags, runs string) (err error) {
	var model *models.Model
	if f.from != "" {
		if model, err = loadModel(f.from); err != nil {
			return err
		}
		defer func() { model.Close() }()
	}
	if t.o, err = f.options(cmd, args, model); err != nil {
		return err
	}
	if f.name != "" {
		if err := checkRunName(f.name); err != nil {
			return err
		}
	}
	if err := t.room.check(cmd.ErrOrStderr(), t.o, runs, false); err != nil {
		return err
	}
	if t.run, err = createRun(runs, f.name, stem(&t.o.Network)); err != nil {
		return err
	}
	if err = t.run.saveOptions(t.o); err == nil {
		err = t.start(model)
	}
	if err == nil {
		err = t.trainer.Save() // so that whatever happens, there is something to go on from
	}
	if err != nil {
		t.release()
		t.run.forget()
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "run %s in %s\n", t.run.id, t.run.folder)
	return nil
}

// start makes the trainer of a new run.
func (t *training) start(model *models.Model) error {
	network, err := t.o.network(model)
	if err != nil {
		return err
	}
	o := learn.Options{
		Network: network, Seed: t.o.Seed, Games: t.o.Games, Threads: t.o.Threads, Alone: t.o.Alone, Every: t.o.Every, Report: t.report,
		Checkpoint: t.run.checkpoint(), CheckpointEvery: t.o.checkpointEvery(),
	}
	t.o.recipe(&o)
	if model != nil {
		o.History = model.Info.History
	}
	if t.trainer, err = learn.New(o); err != nil {
		network.Close()
		return usage(err)
	}
	return nil
}

// resume takes up a run where it was left.
func (t *training) resume(cmd *cobra.Command, args []string, f *trainFlags, runs string) (err error) {
	if err := f.checkResume(cmd, args); err != nil {
		return err
	}
	if t.run, err = openRun(runs, f.resume); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			t.close()
		}
	}()
	if t.o, err = t.run.loadOptions(); err != nil {
		return err
	}
	if err := f.change(cmd, t.o); err != nil {
		return err
	}
	if err := t.room.check(cmd.ErrOrStderr(), t.o, runs, true); err != nil {
		return err
	}
	if err := t.reopen(); err != nil {
		return err
	}
	games := t.trainer.Games()
	if goal := t.o.Games; goal > 0 && games >= goal {
		if cmd.Flags().Changed("games") && games > goal {
			return usagef("--games %d: run %s has played %d already, want more", goal, t.run.id, games)
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "run %s has all its %d games; ask for more with --games\n", t.run.id, games)
	} else {
		fmt.Fprintf(cmd.ErrOrStderr(), "run %s goes on after %d games in %s\n", t.run.id, games, t.run.folder)
	}
	history := t.trainer.History()
	if part := history[len(history)-1]; part.Games == 0 && games > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "from here on: %s\n", part.Options)
	}
	return t.run.saveOptions(t.o)
}

// reopen makes the trainer of a run from its checkpoint. A run that was killed before
// it had one begins anew: it has lost nothing.
func (t *training) reopen() (err error) {
	if t.run.begun() {
		t.trainer, err = learn.Resume(t.run.checkpoint(), learn.Options{
			Games: t.o.Games, Threads: t.o.Threads, Every: t.o.Every, Report: t.report,
			Checkpoint: t.run.checkpoint(), CheckpointEvery: t.o.checkpointEvery(),
		}, t.o.recipe)
		return usage(err)
	}
	var model *models.Model
	if t.o.From != "" {
		if model, err = loadModel(t.o.From); err != nil {
			return err
		}
		defer func() { model.Close() }()
	}
	return t.start(model)
}

// report takes an interval from the trainer.
func (t *training) report(i learn.Interval) {
	t.last = lineOf(&i)
	if err := t.metrics.add(t.last); err != nil && t.failed == nil {
		t.failed = err
		t.cancel()
	}
	t.view.report(&i)
}

// train trains until the end or until it is told to stop.
func (t *training) train(ctx context.Context, errOut io.Writer) (stopped bool, err error) {
	var earlier []wire.TrainingInterval
	if t.metrics, earlier, err = t.run.openMetrics(t.trainer.Games(), errOut); err != nil {
		return false, err
	}
	if n := len(earlier); n > 0 {
		t.last = &earlier[n-1]
	}
	ctx, t.cancel = context.WithCancel(ctx)
	defer t.cancel()
	t.view = newTrainView(errOut, t.run.id, t.o.Games, t.trainer.Games, earlier)
	err = t.trainer.Run(ctx)
	t.view.end()
	if err = errors.Join(err, t.failed); err != nil {
		return false, err
	}
	return t.o.Games == 0 || t.trainer.Games() < t.o.Games, nil
}

func (t *training) close() {
	t.release()
	if t.run != nil {
		t.run.close()
	}
}

// release gives back everything but the run's lock.
func (t *training) release() {
	if t.trainer != nil {
		t.trainer.Close()
		t.trainer.Network().Close()
	}
	if t.metrics != nil {
		_ = t.metrics.file.Close()
	}
}

// print tells the result.
func (t *training) print(out io.Writer, asJSON bool) error {
	tally := t.trainer.Tally()
	r := struct {
		Run       string   `json:"run"`
		Model     string   `json:"model"`
		Games     uint64   `json:"games"`
		Moves     uint64   `json:"moves"`
		MeanScore *float64 `json:"mean_score"` // of the last interval
		Seconds   float64  `json:"elapsed_s"`
	}{Run: t.run.id, Model: t.run.checkpoint(), Games: tally.Games, Moves: tally.Moves}
	r.Seconds = t.trainer.Elapsed().Seconds()
	if t.last != nil {
		r.MeanScore = t.last.MeanScore
	}
	if asJSON {
		return writeJSON(out, r)
	}
	text := fmt.Sprintf("%d games, %d moves, %v", r.Games, r.Moves, (time.Duration(r.Seconds * float64(time.Second))).Round(time.Second))
	if r.MeanScore != nil {
		text += fmt.Sprintf("; mean score of the last interval %.0f", *r.MeanScore)
	}
	_, err := fmt.Fprintf(out, "%s\n%s\n", text, r.Model)
	return err
}
