package runs

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/bits"
	"os"
	"strings"
	"time"

	"afterstate/bitboard"
	"afterstate/internal/atomicfile"
	"afterstate/internal/inputfile"
	"afterstate/learn"
	"afterstate/ntuple"
)

// Options are what a run is begun with; options.json holds them. The zero value of each field but
// Network is valid and means what it means in [learn.Options]. Tiles are written as their values,
// such as 16384.
type Options struct {
	Network        ntuple.Layout `json:"network"`
	OptimisticInit float64       `json:"optimistic_init_points,omitempty"` // the value of a board at first
	StageBias      []float32     `json:"stage_bias_points,omitempty"`      // see [ntuple.Network]; one number a stage
	From           string        `json:"from,omitempty"`                   // path of the model that the run starts from
	Coherent       bool          `json:"coherent"`
	Rate           float64       `json:"rate,omitempty"`
	Anneal         uint64        `json:"anneal_games,omitempty"`
	Settled        float64       `json:"settled_updates,omitempty"`
	Seed           uint64        `json:"seed"`
	Threads        int           `json:"threads"`
	WarmupGames    uint64        `json:"warmup_games,omitempty"`
	Lambda         float64       `json:"lambda,omitempty"`
	Horizon        int           `json:"horizon_moves,omitempty"`
	RestartShare   float64       `json:"restart_share,omitempty"`
	// RestartTile and Downgrade are powers of two.
	RestartTile     int64   `json:"restart_tile,omitempty"`
	Downgrade       int64   `json:"downgrade_tile,omitempty"`
	Games           uint64  `json:"games"` // in all; 0: until Train's context ends
	ReportEvery     uint64  `json:"report_every_games"`
	CheckpointEvery float64 `json:"checkpoint_every_s"`
}

// Values that replace zeros in Options.
const (
	DefaultThreads         = 1
	DefaultReportEvery     = 1000
	DefaultCheckpointEvery = 10 * time.Minute
	DefaultHorizon         = 5
	DefaultRestartTile     = 16384
	DefaultSettled         = 100_000 // of a run that starts from a model, which has a rate of
	DefaultWarmRate        = 0.1
)

// fill replaces zeros by defaults.
func (o *Options) fill() {
	if o.Threads == 0 {
		o.Threads = DefaultThreads
	}
	if o.Rate == 0 && o.Settled > 0 && o.Coherent {
		o.Rate = DefaultWarmRate
	}
	if o.ReportEvery == 0 {
		o.ReportEvery = DefaultReportEvery
	}
	if o.CheckpointEvery == 0 {
		o.CheckpointEvery = DefaultCheckpointEvery.Seconds()
	}
	if o.Horizon == 0 && o.Lambda != 0 {
		o.Horizon = DefaultHorizon
	}
	if o.RestartTile == 0 && o.RestartShare != 0 {
		o.RestartTile = DefaultRestartTile
	}
}

// check returns an error for the options of a new run. source is the one it starts from, nil for
// a new network.
func (o *Options) check(source *Source) error {
	if err := o.Network.Validate(); err != nil {
		return inputError(err)
	}
	if n := o.Network.StageCount(); o.StageBias != nil && len(o.StageBias) != n {
		return optionErrorf("stage-bias", o.StageBias, "want a number for each of the %d stages", n)
	}
	if err := o.checkNumbers(); err != nil || source == nil {
		return err
	}
	if o.Network.Size != source.Size {
		return inputErrorf("%s is a network for %v boards: want one of this size, not %v", o.From, source.Size, o.Network.Size)
	}
	if _, missing := o.Network.Locate(source.Patterns); missing != nil {
		return inputErrorf("%s has the pattern %v, which the network lacks: want all of %s, and any others", o.From, missing, source.PatternText())
	}
	for _, s := range source.Stages {
		if o.Network.StageIndex(s) < 0 {
			return optionErrorf("stages", stageList(o.Network.Stages), "want the stage %v of %s among them", s.Text(), o.From)
		}
	}
	if o.OptimisticInit > 0 {
		return optionErrorf("optimistic-init", o.OptimisticInit, "%s is already trained", o.From)
	}
	return nil
}

// checkNumbers checks all numbers but those that learn.New checks.
func (o *Options) checkNumbers() error {
	switch tile := o.RestartTile; {
	case !(o.OptimisticInit >= 0 && o.OptimisticInit <= 1e9):
		return optionErrorf("optimistic-init", o.OptimisticInit, "want 0 to 1e9 points")
	case o.RestartShare > 0 && tile != 0 && tile&(tile-1) != 0:
		return optionErrorf("restart-tile", tile, "want a power of two")
	case o.Downgrade&(o.Downgrade-1) != 0:
		return optionErrorf("downgrade", o.Downgrade, "want a power of two")
	}
	if !(o.Settled >= 0 && o.Settled <= learn.MaxSettled) {
		return optionErrorf("settled", o.Settled, "want 0 to %d updates", int(learn.MaxSettled))
	}
	switch {
	case o.Settled > 0 && o.From == "":
		return inputError(&OptionError{"settled", o.Settled, "from", "no weight is known yet"})
	case o.Settled > 0 && !o.Coherent:
		return inputError(&OptionError{"settled", o.Settled, "coherent", "all weights take the same step"})
	case o.Anneal > 0 && o.Games == 0:
		return inputError(&OptionError{"anneal", o.Anneal, "games", "there is no last game"})
	}
	c := Change{Games: &o.Games, Threads: &o.Threads, ReportEvery: &o.ReportEvery, Lambda: &o.Lambda, RestartShare: &o.RestartShare, Downgrade: &o.Downgrade}
	every := o.checkpointEvery()
	c.CheckpointEvery = &every
	if o.Rate != 0 {
		c.Rate = &o.Rate
	}
	if o.Lambda != 0 {
		c.Horizon = &o.Horizon
	}
	if o.RestartShare != 0 {
		c.RestartTile = &o.RestartTile
	}
	return c.check()
}

// Stem is the beginning of the name of a run that is given none.
func (o *Options) Stem() string {
	name := o.Network.Name
	if name == "" {
		name = "own"
	}
	if o.Network.Size != bitboard.Size {
		name = o.Network.Size.String() + "-" + name
	}
	return name
}

func (o *Options) checkpointEvery() time.Duration {
	return time.Duration(o.CheckpointEvery * float64(time.Second))
}

// setLearning sets the options of learning that a resumed run may change.
func (o *Options) setLearning(l *learn.Options) {
	l.Coherent, l.Rate, l.Anneal, l.Lambda, l.Horizon = o.Coherent, o.Rate, o.Anneal, o.Lambda, o.Horizon
	l.RestartShare, l.RestartTile, l.Downgrade = o.RestartShare, exponent(o.RestartTile), exponent(o.Downgrade)
}

// network returns the network that a new run begins with. It takes the source's memory where it can.
func (o *Options) network(source *Source) (*ntuple.Network, error) {
	if source != nil && source.Layout.Equal(&o.Network) {
		n, err := source.Network, error(nil)
		if source.Owned {
			source.Network = new(ntuple.Network)
		} else if n, err = n.Copy(); err != nil {
			return nil, err
		}
		if o.StageBias != nil {
			n.StageBias = o.StageBias
		}
		return n, nil
	}
	n, err := ntuple.New(o.Network)
	if err != nil {
		return nil, err
	}
	n.Bias, n.StageBias = float32(o.OptimisticInit), o.StageBias
	if source == nil {
		return n, nil
	}
	// A pattern that the source lacks begins with weights of zero, so that values stay as they are.
	// A stage that the source lacks begins empty: it reads the stage before it.
	n.Bias = source.Bias
	places, _ := n.Locate(source.Patterns)
	for i, s := range source.Stages {
		at := n.StageIndex(s)
		for k, p := range places {
			copy(n.Table(at, p), source.Table(i, k))
		}
		if o.StageBias == nil && i < len(source.StageBias) && source.StageBias[i] != 0 {
			for len(n.StageBias) <= at {
				n.StageBias = append(n.StageBias, 0)
			}
			n.StageBias[at] = source.StageBias[i]
		}
	}
	return n, nil
}

// save writes the run's options.
func (p *runDir) save(o *Options) error {
	text, err := jsonLine(o)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(p.file(OptionsFile), text, 0o666); err != nil {
		return fmt.Errorf("%s cannot be written: %w", p.file(OptionsFile), inputfile.Cause(err))
	}
	return nil
}

func (p *runDir) load() (o Options, err error) {
	data, err := os.ReadFile(p.file(OptionsFile))
	if err != nil {
		return o, inputErrorf("%s cannot be read: %w", p.file(OptionsFile), inputfile.Cause(err))
	}
	if o, err = parseOptions(data); err != nil {
		return o, inputErrorf("%s: no options of a run: %w", p.file(OptionsFile), err)
	}
	return o, nil
}

// parseOptions reads options.json. Keys of earlier builds count where the present key is absent.
func parseOptions(data []byte) (Options, error) {
	var file struct {
		Options
		OldOptimisticInit float64   `json:"optimistic_points"`
		OldStageBias      []float32 `json:"hopes_points"`
		OldWarmupGames    uint64    `json:"alone_games"`
		OldReportEvery    uint64    `json:"every_games"`
	}
	err := json.Unmarshal(data, &file)
	o := file.Options
	o.OptimisticInit = cmp.Or(o.OptimisticInit, file.OldOptimisticInit)
	if o.StageBias == nil {
		o.StageBias = file.OldStageBias
	}
	o.WarmupGames = cmp.Or(o.WarmupGames, file.OldWarmupGames)
	o.ReportEvery = cmp.Or(o.ReportEvery, file.OldReportEvery)
	return o, err
}

// jsonLine encodes v as one line.
func jsonLine(v any) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return text.Bytes(), err
}

// exponent of a tile, 0 of none.
func exponent(tile int64) uint8 { return uint8(max(0, bits.Len64(uint64(tile))-1)) }

// stageList writes stages without the first, as the flag --stages takes them.
func stageList(stages []ntuple.Stage) string {
	var words []string
	for _, s := range stages[min(1, len(stages)):] {
		words = append(words, strings.ReplaceAll(s.Text(), "+", ","))
	}
	return strings.Join(words, "/")
}
