package train

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/option"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// addSettings adds a flag for each setting of the struct *of, a part of f, but not for the settings named in except.
// The current values become the defaults.
func (f *trainFlags) addSettings(set *pflag.FlagSet, of any, except ...string) {
	for s := range option.Of(of, "help") {
		if !slices.Contains(except, s.Name) {
			usage.Add(set, s, s.Tag.Get("short"))
		}
	}
}

// flagName returns the name of the flag for a setting.
func flagName(setting string) string { return strings.ReplaceAll(setting, "_", "-") }

// defaults returns the settings that apply where no flag is given.
func defaults() runs.Options {
	o := runs.Options{Options: learn.Defaults}
	o.Threads = runtime.GOMAXPROCS(0)
	return o
}

// options returns the options for a new run.
func (f *trainFlags) options(cmd *cobra.Command, args []string, source *runs.Source) (*runs.Options, error) {
	r := f.Request
	changed := cmd.Flags().Changed
	if len(args) == 1 {
		if changed("network") && args[0] != r.Network {
			return nil, usage.Errorf("two networks, %s and --network %s: give one", args[0], r.Network)
		}
		r.Network = args[0]
	}
	if changed("size") {
		r.Size = f.size
	}
	r.Given = map[string]bool{}
	for s := range option.Of(&r.Settings, "help") {
		r.Given[s.Name] = changed(flagName(s.Name))
	}
	if r.From != "" && r.From != models.Champion {
		path, err := filepath.Abs(r.From)
		if err != nil {
			return nil, usage.Wrap(err)
		}
		r.From = path
	}
	o, err := r.Options(source)
	if err == nil && f.endings != nil {
		err = f.endings(o, r.Network != "")
	}
	return o, err
}

// change returns the settings whose flags were given.
func (f *trainFlags) change(cmd *cobra.Command) learn.Change {
	c := learn.Change{}
	for s := range option.Of(&f.Settings.Options, "help") {
		if cmd.Flags().Changed(flagName(s.Name)) {
			c[s.Name] = s.Value.Interface()
		}
	}
	return c
}

// resumable returns the flags that can be used with --resume.
func (f *trainFlags) resumable() (names []string) {
	for s := range option.Of(&f.Settings, "help") {
		if runs.Resumable(s.Option) {
			names = append(names, flagName(s.Name))
		}
	}
	return append(names, "device", "out", "json")
}

func (f *trainFlags) checkResume(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage.Errorf("%s: a resumed run keeps its network", args[0])
	}
	accepted := f.resumable()
	for _, name := range usage.FlagNames(cmd) {
		name = strings.TrimPrefix(name, "--")
		if cmd.Flags().Changed(name) && name != "resume" && !slices.Contains(accepted, name) {
			return usage.Errorf("--%s cannot be used with --resume; these flags can: --%s", name, strings.Join(accepted, ", --"))
		}
	}
	return nil
}

const endingsHelp = `Train an ending network for 4x4: it knows the chance to make the tile 32768.

In an ending the largest tiles are walls: all different, they cannot merge before the next large tile,
the goal, is made. With 16384, 8192, 4096 and 2048 on the board the goal is a 1024. The network sees
all walls as one symbol, and learns an ending for each number of walls from --walls to 6, each with
five sets of weights (stages) for boards with different small tiles:

  walls           3     4     5    6
  goal            2048  1024  512  512
  from a sum of   28672 30720 31744 32256

The value of a board is the chance that all goals up to the second 512 are made. The ending
with 6 walls is learned first; every --join-every games the one before it is added, and its
games continue through the endings after it. Half of the games start in the ending that was
added last. A game starts from a new layout of the walls with a few small tiles, or, in
--restart-share of the games, from a board of an earlier game.

The run is stored and resumed like those of train: afterstate train --resume ID. restarts in
metrics.jsonl has the results by the sum of the tiles at the start; mean_score is the share of
games that made all goals.`

// newEndings returns the command train endings.
func newEndings() *cobra.Command {
	f := trainFlags{Request: runs.Request{Settings: defaults()}}
	f.size = bitboard.Size
	f.Settings.RestartShare, f.Settings.JoinEvery, f.Settings.OptimisticInit = 0.1, 1_000_000, 1
	walls := 4
	cmd := &cobra.Command{
		Use:   "endings [NETWORK]",
		Short: "Train an ending network for late 4x4 boards",
		Long:  endingsHelp,
		Example: `afterstate train endings --games 20000000 --name endings
afterstate train --resume endings --games 40000000
afterstate train endings 8x6 --walls 6 --games 1000000`,
		Args: usage.Args(0, 1, "at most one network"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.endings = func(o *runs.Options, named bool) (err error) {
				if !named {
					if o.Layout, err = ntuple.Named(bitboard.Size, "4x6"); err != nil {
						return err
					}
				}
				if o.Layout, err = ntuple.EndingLayout(o.Layout, walls); err != nil {
					return usage.Errorf("--walls: %w", err)
				}
				return nil
			}
			return run(cmd, args, &f)
		},
	}
	set := cmd.Flags()
	set.StringVar(&f.Network, "network", "", "the `NETWORK`; same as the argument (default 4x6)")
	set.IntVar(&walls, "walls", walls, "smallest number of `WALLS` of an ending, 1 to 6")
	f.addSettings(set, &f.Settings, "warmup_games", "coherent", "settled", "only_known", "restart_tile", "downgrade", "optimistic_init")
	set.Lookup("rate").Usage = "learning rate, at most 2 (default 1)"
	usage.Flags(set, &f.commonFlags)
	return cmd
}
