package cli

import (
	"fmt"
	"math/bits"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"afterstate/bitboard"
	"afterstate/board"
	"afterstate/learn"
	"afterstate/models"
	"afterstate/ntuple"
)

// numberFlag is a number that is not negative.
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

// options are the choices of a new run.
func (f *trainFlags) options(cmd *cobra.Command, args []string, model *models.Model) (*runOptions, error) {
	if err := f.checkNumbers(cmd); err != nil {
		return nil, err
	}
	o := &runOptions{
		Optimistic: f.optimistic.value, Coherent: true, Lambda: f.lambda.value, Seed: f.seed.value, Threads: f.threads,
		Games: f.games, Every: f.every, CheckpointEvery: f.checkpointEvery.Seconds(),
	}
	if model != nil {
		o.Downgrade = board.Tile(model.Downgrade)
	}
	if err := f.recipe(cmd, o); err != nil {
		return nil, err
	}
	if cmd.Flags().Changed("alone") {
		o.Alone = max(1, f.alone) // 0 would be a choice left to the trainer
	}
	if f.from != "" {
		path, err := filepath.Abs(f.from)
		if err != nil {
			return nil, usage(err)
		}
		o.From = path
	}
	var err error
	if o.Network, err = f.layout(cmd, args, model); err != nil {
		return nil, err
	}
	if o.Hopes, err = parseHopes(f.hopes, o.Network.StageCount()); err != nil {
		return nil, err
	}
	if model != nil && o.Optimistic > 0 {
		return nil, usagef("--optimistic %v: %s has learned already what boards are worth; want one of --optimistic and --from", o.Optimistic, f.from)
	}
	return o, nil
}

// recipe takes over what flags say about how to learn, for a run that begins or goes
// on. What is not given stays as it is.
func (f *trainFlags) recipe(cmd *cobra.Command, o *runOptions) error {
	changed := cmd.Flags().Changed
	if changed("coherent") && f.coherent != o.Coherent {
		o.Coherent, o.Rate = f.coherent, 0 // the rate of one is none for the other
	}
	if changed("rate") {
		o.Rate = f.rate.value
	}
	if changed("lambda") {
		o.Lambda = f.lambda.value
	}
	if changed("horizon") || o.Horizon == 0 {
		o.Horizon = f.horizon
	}
	if changed("restart") {
		o.Restart = f.restart.value
	}
	if changed("restart-tile") || o.RestartTile == 0 {
		o.RestartTile = int64(f.restartTile)
	}
	if changed("downgrade") {
		o.Downgrade = int64(f.downgrade.tileFlag)
	}
	switch {
	case o.Lambda == 0 && changed("horizon"):
		return usagef("--horizon %d: without --lambda every return is one move", f.horizon)
	case o.Restart == 0 && changed("restart-tile"):
		return usagef("--restart-tile %d: without --restart no game starts from a stored board", f.restartTile)
	}
	if o.Lambda == 0 {
		o.Horizon = 0
	}
	if o.Restart == 0 {
		o.RestartTile = 0
	}
	return nil
}

func (f *trainFlags) checkNumbers(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	switch {
	case f.threads < 1 || f.threads > 1024:
		return usagef("--threads %d: want 1 to 1024", f.threads)
	case changed("rate") && !(f.rate.value > 0 && f.rate.value <= 2):
		return usagef("--rate %v: want more than 0 and at most 2", f.rate.value)
	case f.lambda.value > 1:
		return usagef("--lambda %v: want 0 to 1", f.lambda.value)
	case f.horizon < 1 || f.horizon > learn.MaxHorizon:
		return usagef("--horizon %d: want 1 to %d moves", f.horizon, learn.MaxHorizon)
	case f.restart.value > 1:
		return usagef("--restart %v: want a share from 0 to 1", f.restart.value)
	case f.downgrade.tileFlag != 0 && (f.downgrade.tileFlag < 256 || f.downgrade.tileFlag > 1<<bitboard.MaxExponent):
		return usagef("--downgrade %d: want 0, or a tile from 256 to 32768", f.downgrade.tileFlag)
	case f.restartTile < 8 || f.restartTile > 1<<bitboard.MaxExponent:
		return usagef("--restart-tile %d: want a tile from 8 to 32768", f.restartTile)
	case f.every < 1 || f.every > 1e9:
		return usagef("--every %d: want 1 to 1000000000", f.every)
	case f.games > 1e12:
		return usagef("--games %d: want at most 1000000000000", f.games)
	case f.checkpointEvery < 100*time.Millisecond:
		return usagef("--checkpoint-every %v: want 100ms or more", f.checkpointEvery)
	}
	return nil
}

// layout is what the network of a new run looks like.
func (f *trainFlags) layout(cmd *cobra.Command, args []string, model *models.Model) (l ntuple.Layout, err error) {
	changed := cmd.Flags().Changed
	word, named := f.network, changed("network")
	if len(args) == 1 {
		if named && args[0] != word {
			return l, usagef("two networks, %s and --network %s: want one", args[0], word)
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
		if l, err = parseNetwork(size, word); err != nil {
			return l, usage(err)
		}
	}
	if model != nil {
		if !l.SamePatterns(&model.Layout) || changed("size") && f.size.Size != model.Size {
			return l, usagef("%s is a network of %s for %v boards: it can be the start of no other", f.from, patternWords(&model.Layout), model.Size)
		}
		l.Name, l.Stages = model.Name, model.Stages
	}
	if changed("stages") {
		if l.Stages, err = parseStages(f.stages); err != nil {
			return l, err
		}
	}
	if model != nil {
		for _, s := range model.Stages {
			if stageIndex(l.Stages, s) < 0 {
				return l, usagef("--stages %s: want the stage %s of %s among them", f.stages, stageWords(s), f.from)
			}
		}
	}
	return l, nil
}

// parseNetwork reads a network's name or its patterns.
func parseNetwork(size board.Size, text string) (ntuple.Layout, error) {
	if strings.Trim(strings.ToLower(text), "0123456789abcdef ,") == "" {
		return ntuple.ParseLayout(size, text)
	}
	return ntuple.Named(size, text)
}

// parseStages reads further stages: "16384/16384,8192" or "14/14,13".
func parseStages(text string) ([]ntuple.Stage, error) {
	stages := []ntuple.Stage{{}}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == '/' || r == ' ' }) {
		s := ntuple.Stage{}
		for _, word := range strings.Split(part, ",") {
			n, err := strconv.ParseInt(word, 10, 64)
			if err == nil && n > bitboard.MaxExponent && n&(n-1) == 0 {
				n = int64(exponent(n))
			}
			if err != nil || n < 1 || n > bitboard.MaxExponent {
				return nil, usagef("--stages: %q: want tiles up to 32768 or their exponents, such as 16384/16384,8192", word)
			}
			s = append(s, uint8(n))
		}
		slices.Sort(s)
		slices.Reverse(s)
		if stageIndex(stages, s) >= 0 {
			return nil, usagef("--stages: %s stands there twice", stageWords(s))
		}
		stages = append(stages, s)
	}
	if len(stages) > ntuple.MaxStages {
		return nil, usagef("--stages: %d besides the first: want at most %d", len(stages)-1, ntuple.MaxStages-1)
	}
	return stages, nil
}

func stageIndex(stages []ntuple.Stage, s ntuple.Stage) int {
	return slices.IndexFunc(stages, func(t ntuple.Stage) bool { return slices.Equal(s, t) })
}

// stageWords is a stage as people say it.
func stageWords(s ntuple.Stage) string {
	if len(s) == 0 {
		return "any"
	}
	var words []string
	for _, e := range s {
		words = append(words, strconv.FormatInt(board.Tile(e), 10))
	}
	return strings.Join(words, "+")
}

// parseHopes reads the points of stages after the first.
func parseHopes(text string, stages int) ([]float32, error) {
	if text == "" {
		return nil, nil
	}
	hopes := []float32{0}
	for _, word := range strings.Split(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(word), 32)
		if err != nil || !(v >= 0 && v <= 1e9) {
			return nil, usagef("--hopes: %q: want points, a number for each stage after the first, such as 0,50000", word)
		}
		hopes = append(hopes, float32(v))
	}
	if len(hopes) != stages {
		return nil, usagef("--hopes %s: want a number for each of the %d stages after the first", text, stages-1)
	}
	return hopes, nil
}

// exponent of a tile, 0 of none.
func exponent(tile int64) uint8 { return uint8(max(0, bits.Len64(uint64(tile))-1)) }

// stem is the beginning of a run's name.
func stem(l *ntuple.Layout) string {
	name := l.Name
	if name == "" {
		name = "own"
	}
	if l.Size != bitboard.Size {
		name = l.Size.String() + "-" + name
	}
	return name
}

func patternWords(l *ntuple.Layout) string {
	var words []string
	for _, p := range l.Patterns {
		words = append(words, p.String())
	}
	return strings.Join(words, " ")
}

// resumable are the flags that a run may take when it goes on.
var resumable = []string{
	"resume", "coherent", "rate", "lambda", "horizon", "restart", "restart-tile", "downgrade",
	"games", "threads", "every", "checkpoint-every", "out", "json",
}

func (f *trainFlags) checkResume(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s: a run that goes on keeps its network", args[0])
	}
	for _, name := range flagNames(cmd) {
		name = strings.TrimPrefix(name, "--")
		if cmd.Flags().Changed(name) && !slices.Contains(resumable, name) {
			return usagef("--%s: a run that goes on keeps it; it takes --%s", name, strings.Join(resumable[1:], ", --"))
		}
	}
	return f.checkNumbers(cmd)
}

// change takes over what flags say anew about a run that goes on.
func (f *trainFlags) change(cmd *cobra.Command, o *runOptions) error {
	changed := cmd.Flags().Changed
	if changed("games") {
		o.Games = f.games
	}
	if changed("threads") {
		o.Threads = f.threads
	}
	if changed("every") {
		o.Every = f.every
	}
	if changed("checkpoint-every") {
		o.CheckpointEvery = f.checkpointEvery.Seconds()
	}
	return f.recipe(cmd, o)
}

// recipe tells a trainer how to learn.
func (o *runOptions) recipe(l *learn.Options) {
	l.Coherent, l.Rate, l.Lambda, l.Horizon = o.Coherent, o.Rate, o.Lambda, o.Horizon
	l.Restart, l.RestartTile, l.Downgrade = o.Restart, exponent(o.RestartTile), exponent(o.Downgrade)
}

// network is the network that a new run begins with. It takes the model's memory
// where it can.
func (o *runOptions) network(model *models.Model) (*ntuple.Network, error) {
	if model != nil && model.Layout.Equal(&o.Network) {
		n, err := model.Network, error(nil)
		if model.Bits > 0 {
			model.Network = new(ntuple.Network) // what was unfolded is nobody else's
		} else if n, err = n.Copy(); err != nil {
			return nil, err
		}
		if o.Hopes != nil {
			n.Hopes = o.Hopes
		}
		return n, nil
	}
	n, err := ntuple.New(o.Network)
	if err != nil {
		return nil, err
	}
	n.Bias, n.Hopes = float32(o.Optimistic), o.Hopes
	if model == nil {
		return n, nil
	}
	// A stage that the model lacks begins empty: it reads the stage before it.
	n.Bias = model.Bias
	for i, s := range model.Stages {
		at := stageIndex(n.Stages, s)
		copy(n.Weights(at), model.Weights(i))
		if o.Hopes == nil && i < len(model.Hopes) && model.Hopes[i] != 0 {
			for len(n.Hopes) <= at {
				n.Hopes = append(n.Hopes, 0)
			}
			n.Hopes[at] = model.Hopes[i]
		}
	}
	return n, nil
}
