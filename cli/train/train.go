// Package train implements the command train and its subcommands: flags, messages and the progress display
// of training. Package learn/runs stores the runs.
package train

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/device"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/rules/board"
)

// commonFlags are the flags that the commands train and train endings share, apart from the settings.
type commonFlags struct {
	name string `flag:"name" help:"the run's <ID> (default: the network's name and the next free number)"`
	out  string `flag:"out,o" help:"also write the model to a <FILE> when training ends"`
	// device is the name of a learn.Device.
	device string        `flag:"device" help:"where games are played: <DEVICE> cuda is an NVIDIA graphics processor (default: this processor)"`
	json   output.AsJSON `flag:"json" help:"print JSON"`
}

type trainFlags struct {
	commonFlags
	runs.Request            // set by the flags that addSettings adds, except Size, which the field size sets
	resume       string     `flag:"resume" help:"resume the run <ID>; options that are not given keep their values"`
	size         board.Size `flag:"size,s" default:"4x4" help:"board size, <RxC> from 2x2 to 6x6"`

	// If endings is not nil, it turns the options of a new run into options for an ending network. named is
	// true if the user chose the patterns.
	endings func(o *runs.Options, named bool) error
}

const help = `Train a pattern network by playing, without human games.

NETWORK is a name (4x6: four patterns of six cells; 12x6, 8x6, 6x6, 5x6, 2x6, 4x5, 5x4, 2x4,
for 3x3 boards 2x3, 3x4, 2x6, for 3x4 boards 3x6) or patterns by cell: "012345 456789" are two of six
cells, numbered from the top left: 0 to 9, then a to z.

Without NETWORK it is 4x6 on 4x4 and 2x6 on 3x3. On other sizes it has, up to symmetry, every
block of 2x3 cells, and every row and column of four or more cells, filled up to six with the cells
beside its first ones: 5x6 on 3x4, 6x6 on 3x5, 7x6 on 5x5. If there are more than nine, it
takes the nine nearest to the edge.

A run is stored in $XDG_DATA_HOME/afterstate/runs/ID (~/.local/share/afterstate/runs/ID):
checkpoint.model has the network and the state needed to resume, the same bytes for the same
training with one thread; checkpoint.model.times has how long it took; metrics.jsonl has a
JSON object for each interval of --report-every games: games, moves, elapsed_s (total), mean_score,
reached (share of the interval's games by tile), games_per_s, moves_per_s.

--from starts from a model: a file, another run's name, or champion. Weights that it
has learned change slowly at first, so that it keeps its strength; new ones change fast
(--settled, --rate). NETWORK
may have more patterns than the model: the weights of the others start at zero, so the first
game is played as the model would. --anneal 10000 lowers the rate to zero over the last 10,000
games, which adds a few per cent to the score.

Ctrl-C saves and stops; --resume ID continues, with one thread bit for bit as without
the interruption. A killed process loses the games after its last checkpoint.

A resumed run may use other settings: --coherent, --rate, --lambda,
--horizon, --anneal, --restart-share, --restart-tile and --downgrade given with --resume apply from
then on, and the model's history records each part with its games. So a schedule is a few commands, such as
optimistic TD first and temporal coherence at the end; see the examples.

--restart-share 0.5 starts half of the games from stored boards with a --restart-tile T or a
larger tile. Milestones are the tile sums T, 3T/2, 2T and so on. When a game passes one, the
board after its next move with a reward of at least T/2 is stored. Each milestone gets the
same share of the starts. restarts in metrics.jsonl has for each milestone tile_sum, games,
mean_score (from the restart on) and reached.

--device cuda plays thousands of games at once on an NVIDIA graphics processor, by the program
afterstate-cuda; all else stays, and a run can be resumed with or without it. It trains networks for
4x4. With -j 1 it plays one game at a time and trains the same network as this processor.

train sweep trains a network with several seeds or options, train compare compares runs,
train list lists them, and train export writes their metrics as CSV.

--stages 16384/16384,8192 adds a stage of its own weights for boards with a 16384, and another
for boards with a 16384 and an 8192; exponents (14/14,13) mean the same. The weights of a stage
start at those of the previous stage.`

// room holds the functions FreeMemory and FreeDisk for the folder that openFolder returns. Only tests set them.
var room runs.Folder

// New returns the command train.
func New() *cobra.Command {
	f := trainFlags{Request: runs.Request{Settings: defaults()}}
	cmd := usage.Command(&cobra.Command{
		Use:   "train [NETWORK]",
		Short: "Train a network by playing",
		Long:  help,
		Example: `afterstate train --games 20000
afterstate train 8x6 --stages 16384 --restart-share 0.2 --games 1000000 --name big
afterstate train --resume big --games 2000000

# optimistic TD at a constant rate, then temporal coherence for the last tenth
afterstate train --name otd --coherent=false --optimistic-init 320000 --games 900000
afterstate train --resume otd --coherent --games 1000000

afterstate train --from champion.model --out better.model
afterstate train "012345 456789 012468" --from 2x6.model
afterstate train 3x4 --size 3x3 --games 10000
afterstate train --size 3x5 --games 10000`,
		Args: usage.Args(0, 1, "at most one network"),
	}, &f, run)
	f.addSettings(cmd.Flags(), &f.Request, "size")
	f.addSettings(cmd.Flags(), &f.Settings, runs.EndingsOnly)
	cmd.AddCommand(newEndings(), newList(), newCompare(), newExport(), newSweep())
	return cmd
}

func run(cmd *cobra.Command, args []string, f *trainFlags) error {
	ctx, stop := output.UntilStopped(cmd)
	defer stop()
	folder, err := openFolder(cmd)
	if err != nil {
		return err
	}
	out, err := output.Create(f.out)
	if err != nil {
		return err
	}
	defer out.Discard()
	if f.device != "" {
		program, err := f.openDevice(cmd)
		if err != nil {
			return err
		}
		defer program.Close()
		folder.Device = program
	}
	run, err := f.run(cmd, args, folder)
	if err != nil {
		return program.RunError(err)
	}
	defer run.Close()
	view := newView(cmd.ErrOrStderr(), run.Name, run.Options.Games, run.Trainer().Games, run.Earlier)
	finished, err := run.Train(ctx, view.report)
	view.end()
	if err != nil {
		return err
	}
	if out != nil {
		info := ntuple.Info{History: run.Trainer().History()}
		if err := out.Commit(func(io.Writer) error { return ntuple.Write(out.Temp.File, run.Trainer().Network(), info) }); err != nil {
			return err
		}
	}
	if err := printTrained(cmd, run, f.json); err != nil {
		return err
	}
	if !finished {
		fmt.Fprintf(cmd.ErrOrStderr(), "saved; to resume: afterstate train --resume %s\n", run.Name)
		return context.Canceled
	}
	return nil
}

// sourceOf converts a model to the source from which a run starts. The run may take over and change weights that were
// decoded from a quantized file, because nothing else uses them.
func sourceOf(m *models.Model) *runs.Source {
	return &runs.Source{Network: m.Network, History: m.Info.History, Owned: m.Bits > 0}
}

// openFolder returns the folder of runs. Before a run takes memory and disk space, the folder
// prints how much the run needs.
func openFolder(cmd *cobra.Command) (folder runs.Folder, err error) {
	users, err := runs.Default()
	if err != nil {
		return folder, program.RunError(err)
	}
	folder, folder.Path = room, users.Path
	folder.OpenSource = func(path string) (*runs.Source, error) {
		m, err := models.Open(path)
		if err != nil {
			return nil, err
		}
		return sourceOf(m), nil
	}
	folder.OnRequirements = func(o *runs.Options, n runs.Requirements) {
		var stages string
		if n := o.Layout.StageCount(); n > 1 {
			stages = fmt.Sprintf(" in %d stages", n)
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "%d weights%s: up to %s of memory and %s of disk\n", o.Layout.Weights(), stages, memory.Words(n.Memory), memory.Words(n.Disk))
	}
	return folder, nil
}

// openDevice starts the program of the device. Without -j, the device plays as many games at once as it holds.
func (f *trainFlags) openDevice(cmd *cobra.Command) (*device.Program, error) {
	if !slices.Contains(device.Names, f.device) {
		return nil, usage.Errorf("--device %s: must be %s", f.device, strings.Join(device.Names, " or "))
	}
	p, err := device.Start(f.device)
	if err != nil {
		return nil, fmt.Errorf("--device %s: %w", f.device, err)
	}
	games := p.Games
	if threads := cmd.Flags().Lookup("threads"); threads.Changed {
		if threads.Value.String() == "1" {
			games = 1
		}
	} else if err := cmd.Flags().Set("threads", strconv.Itoa(min(games, learn.MaxThreads))); err != nil {
		return nil, err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s plays %d games at once\n", p.Device, games)
	return p, nil
}

// run starts or resumes the run selected by the flags and prints its name.
func (f *trainFlags) run(cmd *cobra.Command, args []string, folder runs.Folder) (*runs.Run, error) {
	if f.resume != "" {
		return f.resumeRun(cmd, args, folder)
	}
	source, err := f.source()
	if err != nil {
		return nil, err
	}
	defer func() { source.Close() }()
	o, err := f.options(cmd, args, source)
	if err != nil {
		return nil, err
	}
	run, err := folder.Begin(f.name, *o, source)
	if err == nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "run %s in %s\n", run.Name, run.Path)
	}
	return run, err
}

// source opens the model that --from names. It returns nil without that flag.
func (f *trainFlags) source() (*runs.Source, error) {
	if f.From == "" {
		return nil, nil
	}
	path, model, err := program.OpenModel(f.From)
	if err != nil {
		return nil, err
	}
	f.From = path
	return sourceOf(model), nil
}

func (f *trainFlags) resumeRun(cmd *cobra.Command, args []string, folder runs.Folder) (*runs.Run, error) {
	if err := f.checkResume(cmd, args); err != nil {
		return nil, err
	}
	run, err := folder.Resume(f.resume, f.change(cmd))
	if err != nil {
		return nil, err
	}
	errOut := cmd.ErrOrStderr()
	games := run.Trainer().Games()
	if limit := run.Options.Games; limit > 0 && games >= limit {
		fmt.Fprintf(errOut, "run %s has all its %d games; ask for more with --games\n", run.Name, games)
	} else {
		fmt.Fprintf(errOut, "run %s resumes after %d games in %s\n", run.Name, games, run.Path)
	}
	history := run.Trainer().History()
	if part := history[len(history)-1]; part.Games == 0 && games > 0 {
		fmt.Fprintf(errOut, "from here on: %s\n", part.Options)
	}
	return run, nil
}

// printTrained prints the result of a training run.
func printTrained(cmd *cobra.Command, run *runs.Run, asJSON output.AsJSON) error {
	tally := run.Trainer().Tally()
	r := struct {
		Run       string   `json:"run"`
		Model     string   `json:"model"`
		Games     uint64   `json:"games"`
		Moves     uint64   `json:"moves"`
		MeanScore *float64 `json:"mean_score"` // mean score of the games in the last interval (see --report-every)
		Seconds   float64  `json:"elapsed_s"`
	}{Run: run.Name, Model: run.Checkpoint(), Games: tally.Games, Moves: tally.Moves}
	r.Seconds = run.Trainer().Times().Total.Seconds()
	if last := run.Last(); last != nil {
		r.MeanScore = last.MeanScore
	}
	text := fmt.Sprintf("%d games, %d moves, %v", r.Games, r.Moves, (time.Duration(r.Seconds * float64(time.Second))).Round(time.Second))
	if r.MeanScore != nil {
		text += fmt.Sprintf("; mean score of the last interval %.0f", *r.MeanScore)
	}
	return asJSON.Print(cmd, r, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s\n%s\n", text, r.Model)
		return err
	})
}
