package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/remote"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/tune"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/rules/board"
)

// tuneDefault is the default player. It is fast enough for many games: about 30 microseconds a
// move.
const tuneDefault = "expectimax(eval=lines,death_value=0,nodes=10000,soft_limit=yes,min_prob=0.002,prune_margin=60000,tt=2MB)"

type tuneFlags struct {
	generations int        `flag:"generations" default:"30" range:"1:1000000" help:"generations in all, those in the log included"`
	games       int        `flag:"games,n" default:"40" range:"1:1000000" help:"games of each candidate"`
	population  int        `flag:"population" range:"0|4:10000" help:"candidates of a generation; 0: CMA-ES's default"`
	workers     int        `flag:"workers,j" default:"cores" range:"0:4096" help:"games played in parallel; does not change the result"`
	size        board.Size `flag:"size,s" default:"4x4" help:"board size, <RxC> from 2x2 to 6x6"`
	seed        uint64     `flag:"seed" help:"seed of candidates and games"`
	log         string     `flag:"log" default:"tune.jsonl" help:"the run's <FILE>"`
	remote      remote.Flags
	json        output.AsJSON `flag:"json" help:"print JSON"`
}

func newTune() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "tune [SPEC]",
		Short: "Fit an evaluator's weights by playing",
		Long: `Optimize the weights of the evaluator lines by playing, with CMA-ES. The weights of
SPEC are the starting point; its other keys do not change.

Every candidate is written to the log as soon as its games are finished. The same
command with the same log resumes an earlier run, also after Ctrl-C or a crash, with
exactly the result of one long run; a larger --generations extends it. The result is
the mean of the last complete generation.

With --workers-at or --nats, workers on other machines play too (see worker); -j 0 plays
no games here. The result is the same.`,
		Example: `afterstate tune --generations 20 --log tune.jsonl
afterstate tune "expectimax(eval=lines(edge=3),plies=2,death_value=0)" --games 20 --log small.jsonl`,
		Args: usage.Args(0, 1, "at most one player spec"),
	}, &tuneFlags{seed: learn.Defaults.Seed}, runTune)
}

func runTune(cmd *cobra.Command, args []string, f *tuneFlags) error {
	o := tune.Options{
		Player: append(args, tuneDefault)[0], Generations: f.generations, Games: f.games, Population: f.population, Workers: f.workers,
		Size: f.size, Seed: f.seed,
	}
	if err := f.remote.CheckWorkers(o.Workers); err != nil {
		return err
	}
	t, err := tune.New(o, program.Capabilities)
	if err != nil {
		return usage.Wrap(err)
	}
	log, earlier, err := tune.OpenLog(f.log, t.Options())
	if err != nil {
		return usage.Wrap(err)
	}
	defer log.Close()
	connection, err := f.remote.Open(cmd)
	if err != nil {
		return err
	}
	defer connection.Close()
	pool, err := f.pool(cmd, connection)
	if err != nil {
		return err
	}
	if pool != nil {
		t.PlayBy(pool.Play)
	}
	o = t.Options()
	bar := output.NewProgress(cmd.ErrOrStderr(), o.Generations*o.Population, "candidates")
	bar.Skip(min(len(earlier), o.Generations*o.Population))
	best := math.Inf(-1)
	r, stopped := t.Run(cmd.Context(), earlier, func(trial tune.Trial) error {
		best = max(best, trial.MeanScore)
		bar.Describe(fmt.Sprintf("candidates, last mean %.0f, best %.0f", trial.MeanScore, best))
		bar.Add(1)
		return log.Add(trial)
	})
	bar.End()
	if pool != nil {
		if err := pool.Close(stopped == nil); err != nil {
			fmt.Fprintln(cmd.ErrOrStderr(), err)
		}
	}
	if stopped != nil && !errors.Is(stopped, context.Canceled) {
		return stopped
	}
	return errors.Join(f.json.Print(cmd, r, func(w io.Writer) error {
		_, err := io.WriteString(w, tuneAnswer(&r))
		return err
	}), stopped)
}

// pool opens a queue from which this process and workers on other machines take the games of
// candidates. It returns nil without a connection: then only this process plays.
func (f *tuneFlags) pool(cmd *cobra.Command, connection *remote.Connection) (*experiment.Pool, error) {
	if connection == nil {
		return nil, nil
	}
	path, err := filepath.Abs(f.log)
	if err != nil {
		return nil, err
	}
	host, _ := os.Hostname() // distinguishes logs with equal paths on different hosts
	config := experiment.Config{Program: program.This()}
	return config.OpenPool(cmd.Context(), connection.Remote(), "tune "+host+" "+path, "tune "+filepath.Base(f.log), f.workers)
}

// tuneAnswer formats the result of a run, which may have been stopped in its first generation.
func tuneAnswer(r *tune.Result) string {
	if r.Generations == 0 {
		return "no generation is complete yet, so there are no better weights; the same command resumes\n"
	}
	of := "its"
	if r.Generations > 1 {
		of = "the last one's"
	}
	return fmt.Sprintf("%s; %s candidates have a mean score of %.0f. Their mean:\n%s\n", numfmt.Count(r.Generations, "generation", "generations"), of, r.MeanScore, r.Player)
}
