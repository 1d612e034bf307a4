package train

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// numberFlag is a flag with a number that is not negative. Zero is shown as no default.
type numberFlag struct{ value *float64 }

func (n numberFlag) Set(text string) error {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0 && v <= 1e9) {
		return fmt.Errorf("%q: must be a number from 0 to 1e9", text)
	}
	*n.value = v
	return nil
}

func (n numberFlag) String() string {
	if n.value == nil || *n.value == 0 {
		return ""
	}
	return strconv.FormatFloat(*n.value, 'g', -1, 64)
}

func (n numberFlag) Type() string { return "X" }

// tileFlag is a flag with a tile, or 0 for none.
type tileFlag struct{ *flags.Tile }

func (t tileFlag) Set(text string) error {
	if text == "0" {
		*t.Tile = 0
		return nil
	}
	return t.Tile.Set(text)
}

// addSettings adds a flag for each setting, with the present value as its default, but for those named.
func (f *trainFlags) addSettings(set *pflag.FlagSet, except ...string) {
	for s := range learn.Settings(&f.settings) {
		if slices.Contains(except, s.Name) {
			continue
		}
		value := s.Value.Addr().Interface()
		switch v := value.(type) {
		case *int64:
			value = tileFlag{(*flags.Tile)(v)}
		case *float64:
			value = numberFlag{v}
		case *learn.Duration:
			value = (*time.Duration)(v)
		}
		if s.Name == "seed" {
			value = &f.seed
		}
		usage.Var(set, s.Name, s.Short, s.Help, value)
	}
}

// defaults are the settings of the flags that are not given.
func defaults() runs.Options {
	o := runs.Options{Options: learn.Defaults}
	o.Threads = runtime.GOMAXPROCS(0)
	return o
}

// conditional are the settings whose defaults depend on others: without their flags they are left to
// [learn.Options.Fill].
var conditional = []string{"warmup-games", "rate", "settled", "horizon", "restart-tile"}

// options returns the options of a new run.
func (f *trainFlags) options(cmd *cobra.Command, args []string, model *models.Model) (_ *runs.Options, err error) {
	o := f.settings
	o.Seed = f.seed.Value
	changed := cmd.Flags().Changed
	for s := range learn.Settings(&o) {
		credited := s.Name == "settled" && f.from != "" && o.Coherent
		if slices.Contains(conditional, s.Name) && !changed(s.Name) && !credited {
			s.Value.SetZero()
		}
	}
	if model != nil && !changed("downgrade") {
		o.Downgrade = board.Tile(model.Downgrade)
	}
	c := f.change(cmd)
	if err := c.Apply(&o.Options); err != nil {
		return nil, &runs.InputError{Err: err}
	}
	if changed("warmup-games") {
		o.WarmupGames = max(1, o.WarmupGames) // 0 would select the trainer's default
	}
	if o.From = f.from; f.from != "" && f.from != models.Champion {
		path, err := filepath.Abs(f.from)
		if err != nil {
			return nil, usage.Wrap(err)
		}
		o.From = path
	}
	if o.Layout, err = f.layout(cmd, args, model); err != nil {
		return nil, err
	}
	if f.endings != nil {
		if err := f.endings(&o, len(args) == 1 || changed("network")); err != nil {
			return nil, err
		}
	}
	o.StageBias, err = parseStageBias(f.stageBias, o.Layout.StageCount())
	return &o, err
}

// change returns the settings whose flags were given.
func (f *trainFlags) change(cmd *cobra.Command) learn.Change {
	c := learn.Change{}
	f.settings.Seed = f.seed.Value
	for s := range learn.Settings(&f.settings.Options) {
		if cmd.Flags().Changed(s.Name) {
			c[s.Name] = s.Value.Interface()
		}
	}
	return c
}

// layout returns the network layout of a new run.
func (f *trainFlags) layout(cmd *cobra.Command, args []string, model *models.Model) (l ntuple.Layout, err error) {
	changed := cmd.Flags().Changed
	word, named := f.network, changed("network")
	if len(args) == 1 {
		if named && args[0] != word {
			return l, usage.Errorf("two networks, %s and --network %s: must be one", args[0], word)
		}
		word, named = args[0], true
	}
	if model != nil {
		l = model.Layout
	}
	if model == nil || named {
		size := f.size.Size
		if model != nil && !changed("size") {
			size = model.Size
		}
		if !named {
			l, err = ntuple.DefaultLayout(size)
		} else {
			l, err = ntuple.ParseNetwork(size, word)
		}
		if err != nil {
			return l, usage.Wrap(err)
		}
	}
	if model != nil {
		if size := f.size.Size; changed("size") && size != model.Size {
			return l, usage.Errorf("%s is a network for %v boards, not for %v", f.from, model.Size, size)
		}
		if _, missing := l.Locate(model.Patterns); missing != nil {
			return l, usage.Errorf("%s has the pattern %v, which the network lacks: must have all of %s, and any others",
				f.from, missing, model.PatternText())
		}
		if l.SamePatterns(&model.Layout) {
			l.Name = model.Name
		}
		l.Stages = model.Stages
	}
	if changed("stages") {
		if l.Stages, err = ntuple.ParseStages(f.stages); err != nil {
			return l, usage.Errorf("--stages: %w", err)
		}
	}
	return l, nil
}

// parseStageBias parses the points of stages after the first.
func parseStageBias(text string, stages int) ([]float32, error) {
	if text == "" {
		return nil, nil
	}
	bias := []float32{0}
	for _, word := range strings.Split(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(word), 32)
		if err != nil || !(v >= 0 && v <= 1e9) {
			return nil, usage.Errorf("--stage-bias: %q: must be points, a number for each stage after the first, such as 0,50000", word)
		}
		bias = append(bias, float32(v))
	}
	if len(bias) != stages {
		return nil, usage.Errorf("--stage-bias %s: must be a number for each of the %d stages after the first", text, stages-1)
	}
	return bias, nil
}

// resumable returns the flags that can be used with --resume.
func (f *trainFlags) resumable() (names []string) {
	for s := range learn.Settings(&f.settings) {
		if s.Resumable() {
			names = append(names, s.Name)
		}
	}
	return append(names, "out", "json", "seeds", "tensorboard")
}

func (f *trainFlags) checkResume(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage.Errorf("%s: a resumed run keeps its network", args[0])
	}
	accepted := f.resumable()
	for _, name := range usage.FlagNames(cmd) {
		name = strings.TrimPrefix(name, "--")
		if cmd.Flags().Changed(name) && name != "resume" && !slices.Contains(accepted, name) {
			return usage.Errorf("--%s: a resumed run keeps it; it accepts --%s", name, strings.Join(accepted, ", --"))
		}
	}
	return nil
}

const endingsHelp = `Train an ending network for 4x4: it knows the chance to make the tile 32768.

In an ending the largest tiles are walls: all different, they cannot merge before the next large tile,
the goal, is made. With 16384, 8192, 4096 and 2048 on the board the goal is a 1024. The network sees
all walls as one symbol, and learns an ending for each number of walls from --walls to 6:

  walls           3     4     5    6
  goal            2048  1024  512  512
  from a sum of   28672 30720 31744 32256

The value of a board is the chance that all goals up to the second 512 are made. The ending with
6 walls is learned first; every --join-every games the one before joins, and its games go
on through the endings after it. Half of the games start in the ending that joined last.
A game starts from a new layout of the walls with a few small tiles, or, in --restart-share of the games,
from a board of an earlier game.

The run is stored and resumed as those of train: afterstate train --resume ID. restarts in metrics.jsonl has
the results by the sum of the tiles at the start; mean_score is the share of games that made all goals.`

// newEndings returns the command train endings.
func newEndings(folder *runs.Folder) *cobra.Command {
	f := trainFlags{seed: flags.Training(), settings: defaults()}
	f.size.Size = bitboard.Size
	f.settings.RestartShare, f.settings.JoinEvery, f.settings.OptimisticInit = 0.1, 1_000_000, 1
	walls := 3
	cmd := &cobra.Command{
		Use:   "endings [NETWORK]",
		Short: "Train a network that knows late boards",
		Long:  endingsHelp,
		Example: `afterstate train endings --games 20000000 --name endings
afterstate train --resume endings --games 40000000
afterstate train endings 4x6 --walls 6 --games 1000000`,
		Args: usage.Args(0, 1, "at most one network"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.endings = func(o *runs.Options, named bool) (err error) {
				if !named {
					if o.Layout, err = ntuple.Named(bitboard.Size, "8x6"); err != nil {
						return err
					}
				}
				if o.Layout, err = ntuple.EndingLayout(o.Layout, walls); err != nil {
					return usage.Errorf("--walls: %w", err)
				}
				return nil
			}
			return run(cmd, args, &f, folder)
		},
	}
	set := cmd.Flags()
	set.StringVar(&f.network, "network", "", "the `NETWORK`; same as the argument (default 8x6)")
	set.IntVar(&walls, "walls", walls, "fewest `WALLS` of an ending, 1 to 6")
	f.addSettings(set, "warmup-games", "coherent", "settled", "restart-tile", "downgrade", "optimistic-init")
	usage.Flags(set, &f.commonFlags)
	return cmd
}
