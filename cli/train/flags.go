package train

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"afterstate/board"
	"afterstate/cli/internal/usage"
	"afterstate/models"
	"afterstate/ntuple"
	"afterstate/runs"
)

// numberFlag is a flag with a number that is not negative.
type numberFlag struct {
	value float64
	given bool
}

func (n *numberFlag) Set(text string) error {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0 && v <= 1e9) {
		return fmt.Errorf("%q: want a number from 0 to 1e9", text)
	}
	n.value, n.given = v, true
	return nil
}

func (n *numberFlag) String() string {
	if !n.given {
		return ""
	}
	return strconv.FormatFloat(n.value, 'g', -1, 64)
}

func (n *numberFlag) Type() string { return "X" }

// options returns the options of a new run.
func (f *trainFlags) options(cmd *cobra.Command, args []string, model *models.Model) (*runs.Options, error) {
	o := &runs.Options{
		OptimisticInit: f.optimisticInit.value, Coherent: true, Lambda: f.lambda.value, Seed: f.seed.Value, Threads: f.threads,
		Games: f.games, ReportEvery: f.reportEvery, CheckpointEvery: f.checkpointEvery.Seconds(),
	}
	if model != nil {
		o.Downgrade = board.Tile(model.Downgrade)
	}
	if f.from != "" && f.coherent || cmd.Flags().Changed("settled") {
		o.Settled = f.settled.value
	}
	c := f.change(cmd)
	if err := c.Apply(o); err != nil {
		return nil, err
	}
	if cmd.Flags().Changed("warmup-games") {
		o.WarmupGames = max(1, f.warmupGames) // 0 would select the trainer's default
	}
	if o.From = f.from; f.from != "" && f.from != models.Champion {
		path, err := filepath.Abs(f.from)
		if err != nil {
			return nil, usage.Wrap(err)
		}
		o.From = path
	}
	var err error
	if o.Network, err = f.layout(cmd, args, model); err != nil {
		return nil, err
	}
	o.StageBias, err = parseStageBias(f.stageBias, o.Network.StageCount())
	return o, err
}

// change returns the options of an existing run that the flags change.
func (f *trainFlags) change(cmd *cobra.Command) (c runs.Change) {
	changed := cmd.Flags().Changed
	given(&c.Games, changed("games"), f.games)
	given(&c.Threads, changed("threads"), f.threads)
	given(&c.ReportEvery, changed("report-every"), f.reportEvery)
	given(&c.CheckpointEvery, changed("checkpoint-every"), f.checkpointEvery)
	given(&c.Coherent, changed("coherent"), f.coherent)
	given(&c.Rate, changed("rate"), f.rate.value)
	given(&c.Anneal, changed("anneal"), f.anneal)
	given(&c.Lambda, changed("lambda"), f.lambda.value)
	given(&c.Horizon, changed("horizon"), f.horizon)
	given(&c.RestartShare, changed("restart-share"), f.restartShare.value)
	given(&c.RestartTile, changed("restart-tile"), int64(f.restartTile))
	given(&c.Downgrade, changed("downgrade"), int64(f.downgrade.Tile))
	return c
}

// given sets an option whose flag was given.
func given[T any](choice **T, changed bool, value T) {
	if changed {
		*choice = &value
	}
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
			l, err = ntuple.Usual(size)
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

// resumable are the flags that can be used with --resume.
var resumable = []string{
	"resume", "coherent", "rate", "anneal", "lambda", "horizon", "restart-share", "restart-tile", "downgrade",
	"games", "threads", "report-every", "checkpoint-every", "out", "json", "seeds", "tensorboard",
}

func (f *trainFlags) checkResume(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage.Errorf("%s: a resumed run keeps its network", args[0])
	}
	for _, name := range usage.FlagNames(cmd) {
		name = strings.TrimPrefix(name, "--")
		if cmd.Flags().Changed(name) && !slices.Contains(resumable, name) {
			return usage.Errorf("--%s: a resumed run keeps it; it accepts --%s", name, strings.Join(resumable[1:], ", --"))
		}
	}
	return nil
}
