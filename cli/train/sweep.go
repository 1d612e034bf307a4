package train

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/hubflags"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/experiment/training"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/xdg"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/runs/compare"
	"github.com/afterstate2048/afterstate/learn/sweep"
)

const sweepHelp = `Train a network under many options and seeds, and say which options are best.

FILE.toml has the options that all trials share, named like the flags of train (without seed
and threads), and under [options] the values to try:

  network = "4x6"
  games = 20000
  seeds = 3                            # or a list: [1, 2, 3]
  [options]
  lambda = [0, 0.5]
  rate = [0.5, 1]

All combinations are trained.

Each trial is a run of one thread: NAME-1-seed1000 and so on, where NAME-1 is a configuration.
Without [options] the runs are NAME-seed1000 and so on: one training with several seeds.
train list, compare and export accept these names. After Ctrl-C the same command resumes,
with the same results. Other options need another --name.

The table has the mean over seeds with its 95 % interval. The interval of the best one is
corrected for the number of configurations, and the interval of its lead over another
configuration for the number of pairs (Bonferroni). --play N plays N games with each network,
since the best score of a training is partly luck.`

// sweeping holds the flags of the command train sweep.
type sweeping struct {
	name     string        `flag:"name" help:"the sweep's <NAME> (default: the file's name)"`
	workers  int           `flag:"workers,j" default:"cores" range:"0:1024" help:"trials in parallel, one thread each; 0: only other machines train"`
	every    time.Duration `flag:"checkpoint-every" default:"10m" range:"100ms:" help:"time between checkpoints"`
	games    uint64        `flag:"play" help:"also play <N> games with each network; 0: none"`
	seed     uint64        `flag:"play-seed" help:"seed of the games of --play"`
	json     output.AsJSON `flag:"json" help:"print JSON"`
	machines hubflags.Flags
	out      output.Flags `flag:"-"`
}

func newSweep() *cobra.Command {
	var f sweeping
	cmd := usage.Command(&cobra.Command{
		Use:   "sweep FILE.toml",
		Short: "Train with many options and seeds, and find the best options",
		Long:  sweepHelp,
		Example: `afterstate train sweep rates.toml
afterstate train sweep rates.toml --play 1000 -o rates.tex`,
		Args: usage.Args(1, 1, "one file of TOML"),
	}, &f, runSweep)
	f.out.Add(cmd.Flags(), "text, md or tex")
	return cmd
}

func runSweep(cmd *cobra.Command, args []string, f *sweeping) error {
	ctx, stop := output.UntilStopped(cmd)
	defer stop()
	format, err := f.out.Choose([]string{"text", "md", "tex"})
	if err == nil && bool(f.json) && f.out != (output.Flags{}) {
		err = usage.Errorf("--json goes to stdout: give it without --out and --format")
	}
	if err != nil {
		return err
	}
	if err := f.machines.CheckWorkers(f.workers); err != nil {
		return err
	}
	s, err := f.open(cmd, args[0])
	if err != nil {
		return err
	}
	hub, err := f.machines.Open(cmd)
	if err != nil {
		return err
	}
	defer hub.Close()
	errOut := cmd.ErrOrStderr()
	p := output.NewProgress(errOut, int(s.Planned()), "games of "+numfmt.Count(len(s.Configs), "configuration", "configurations"))
	hub.SayBy(p.Say)
	o := &sweep.RunOptions{
		Workers: f.workers, CheckpointEvery: learn.Duration(f.every), Play: compare.PlayOptions{Games: f.games, Seed: f.seed}, OnGames: p.Add,
	}
	var result *sweep.Result
	if err = f.elsewhere(ctx, hub, s, o); err == nil {
		result, err = s.Run(ctx, o)
	}
	p.End()
	if errors.Is(err, context.Canceled) {
		fmt.Fprintf(errOut, "saved; to resume, run the same command again\n")
	}
	if err != nil {
		return program.RunError(err)
	}
	if f.json {
		return output.JSON(cmd.OutOrStdout(), result)
	}
	return f.out.Write(cmd, func(w io.Writer) error {
		text := result.Text()
		switch format {
		case "md":
			text = result.Table().Markdown()
		case "tex":
			text = result.Table().LaTeX()
		}
		_, err := io.WriteString(w, text)
		return err
	})
}

// elsewhere lets the workers of the hub train trials too. It does nothing if hub is nil.
func (f *sweeping) elsewhere(ctx context.Context, hub *hubflags.Connection, s *sweep.Sweep, o *sweep.RunOptions) error {
	if hub == nil {
		return nil
	}
	identity := program.Self()
	signature, err := identity.Signature(ctx)
	if err != nil {
		return err
	}
	folder, err := xdg.Cache()
	if err != nil {
		return usage.Errorf("no folder for checkpoints: %w; set XDG_CACHE_HOME to a folder", err)
	}
	r := &training.Machines{Hub: hub.Client, Version: identity.Version, Signature: signature, Workers: f.workers, Folder: filepath.Join(folder, "training"), OnNotice: hub.Machines().Say}
	o.Train = r.Train(s, o)
	return nil
}

// open reads and checks the sweep that the file describes.
func (f *sweeping) open(cmd *cobra.Command, file string) (*sweep.Sweep, error) {
	folder, err := openFolder(cmd)
	if err != nil {
		return nil, err
	}
	folder.OnRequirements = nil // do not print a line for each trial
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, usage.Wrap(err)
	}
	spec, err := sweep.ReadTOML(data)
	if err != nil {
		return nil, usage.Errorf("%s: %w", file, err)
	}
	if f.name == "" {
		f.name = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	}
	s, err := sweep.New(f.name, folder, spec, func(model string) (string, error) { return models.Locate(model, program.Checkpoint) })
	if err != nil {
		return nil, usage.Errorf("%s: %w", file, err)
	}
	return s, nil
}
