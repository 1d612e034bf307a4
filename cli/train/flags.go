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
	"github.com/afterstate2048/afterstate/rules/board"
)

// numberFlag is a flag with a number that is not negative. Zero is shown as no default.
type numberFlag struct{ value *float64 }

func (n numberFlag) Set(text string) error {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0 && v <= 1e9) {
		return fmt.Errorf("%q: want a number from 0 to 1e9", text)
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
func (f *trainFlags) options(cmd *cobra.Command, args []string, model *models.Model) (*runs.Options, error) {
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
	var err error
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
			return l, usage.Errorf("two networks, %s and --network %s: want one", args[0], word)
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
			return l, usage.Errorf("%s has the pattern %v, which the network lacks: want all of %s, and any others",
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
			return nil, usage.Errorf("--stage-bias: %q: want points, a number for each stage after the first, such as 0,50000", word)
		}
		bias = append(bias, float32(v))
	}
	if len(bias) != stages {
		return nil, usage.Errorf("--stage-bias %s: want a number for each of the %d stages after the first", text, stages-1)
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
