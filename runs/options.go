package runs

import (
	"bytes"
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

// Options are what a run is begun with, and options.json. The zero value of each field but
// Network is a choice: that of [learn.Options]. Tiles are written as their values, such as 16384.
type Options struct {
	Network    ntuple.Layout `json:"network"`
	Optimistic float64       `json:"optimistic_points,omitempty"` // the value of a board at first
	Hopes      []float32     `json:"hopes_points,omitempty"`      // see [ntuple.Network]; one number a stage
	From       string        `json:"from,omitempty"`              // path of the model that the run starts from
	Coherent   bool          `json:"coherent"`
	Rate       float64       `json:"rate,omitempty"`
	Anneal     uint64        `json:"anneal_games,omitempty"`
	Settled    float64       `json:"settled_updates,omitempty"`
	Seed       uint64        `json:"seed"`
	Threads    int           `json:"threads"`
	Alone      uint64        `json:"alone_games,omitempty"`
	Lambda     float64       `json:"lambda,omitempty"`
	Horizon    int           `json:"horizon_moves,omitempty"`
	Restart    float64       `json:"restart_share,omitempty"`
	// RestartTile and Downgrade are powers of two.
	RestartTile     int64   `json:"restart_tile,omitempty"`
	Downgrade       int64   `json:"downgrade_tile,omitempty"`
	Games           uint64  `json:"games"` // in all; 0: until Train's context ends
	Every           uint64  `json:"every_games"`
	CheckpointEvery float64 `json:"checkpoint_every_s"`
}

// What options are where they are zero and matter.
const (
	DefaultThreads         = 1
	DefaultEvery           = 1000
	DefaultCheckpointEvery = 10 * time.Minute
	DefaultHorizon         = 5
	DefaultRestartTile     = 16384
	DefaultSettled         = 10_000 // of a run that starts from a model, which has a rate of
	DefaultWarmRate        = 0.1
)

// fill puts defaults in place of zeros.
func (o *Options) fill() {
	if o.Threads == 0 {
		o.Threads = DefaultThreads
	}
	if o.Rate == 0 && o.Settled > 0 && o.Coherent {
		o.Rate = DefaultWarmRate
	}
	if o.Every == 0 {
		o.Every = DefaultEvery
	}
	if o.CheckpointEvery == 0 {
		o.CheckpointEvery = DefaultCheckpointEvery.Seconds()
	}
	if o.Horizon == 0 && o.Lambda != 0 {
		o.Horizon = DefaultHorizon
	}
	if o.RestartTile == 0 && o.Restart != 0 {
		o.RestartTile = DefaultRestartTile
	}
}

// check returns what is wrong with the options of a new run that starts from a source, nil for
// a new network.
func (o *Options) check(source *Source) error {
	if err := o.Network.Validate(); err != nil {
		return inputError(err)
	}
	if n := o.Network.StageCount(); o.Hopes != nil && len(o.Hopes) != n {
		return optionErrorf("hopes", o.Hopes, "want a number for each of the %d stages", n)
	}
	if err := o.checkNumbers(); err != nil || source == nil {
		return err
	}
	if !o.Network.SamePatterns(&source.Layout) {
		return inputErrorf("%s is a network of %s for %v boards: it can be the start of no other", o.From, source.PatternWords(), source.Size)
	}
	for _, s := range source.Stages {
		if o.Network.StageIndex(s) < 0 {
			return optionErrorf("stages", stageList(o.Network.Stages), "want the stage %v of %s among them", s.Words(), o.From)
		}
	}
	if o.Optimistic > 0 {
		return optionErrorf("optimistic", o.Optimistic, "%s has learned already what boards are worth", o.From)
	}
	return nil
}

// checkNumbers checks all numbers but those that learn.New does.
func (o *Options) checkNumbers() error {
	switch tile := o.RestartTile; {
	case !(o.Optimistic >= 0 && o.Optimistic <= 1e9):
		return optionErrorf("optimistic", o.Optimistic, "want 0 to 1e9 points")
	case o.Restart > 0 && tile != 0 && tile&(tile-1) != 0:
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
	c := Change{Games: &o.Games, Threads: &o.Threads, Every: &o.Every, Lambda: &o.Lambda, Restart: &o.Restart, Downgrade: &o.Downgrade}
	every := o.checkpointEvery()
	c.CheckpointEvery = &every
	if o.Rate != 0 {
		c.Rate = &o.Rate
	}
	if o.Lambda != 0 {
		c.Horizon = &o.Horizon
	}
	if o.Restart != 0 {
		c.RestartTile = &o.RestartTile
	}
	return c.check()
}

// Stem is how the name of a run begins that is given none.
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

// recipe sets how a trainer learns, which a run that goes on may change.
func (o *Options) recipe(l *learn.Options) {
	l.Coherent, l.Rate, l.Anneal, l.Lambda, l.Horizon = o.Coherent, o.Rate, o.Anneal, o.Lambda, o.Horizon
	l.Restart, l.RestartTile, l.Downgrade = o.Restart, exponent(o.RestartTile), exponent(o.Downgrade)
}

// network is the network that a new run begins with. It takes the source's memory where it can.
func (o *Options) network(source *Source) (*ntuple.Network, error) {
	if source != nil && source.Layout.Equal(&o.Network) {
		n, err := source.Network, error(nil)
		if source.Own {
			source.Network = new(ntuple.Network)
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
	if source == nil {
		return n, nil
	}
	// A stage that the source lacks begins empty: it reads the stage before it.
	n.Bias = source.Bias
	for i, s := range source.Stages {
		at := n.StageIndex(s)
		copy(n.Weights(at), source.Weights(i))
		if o.Hopes == nil && i < len(source.Hopes) && source.Hopes[i] != 0 {
			for len(n.Hopes) <= at {
				n.Hopes = append(n.Hopes, 0)
			}
			n.Hopes[at] = source.Hopes[i]
		}
	}
	return n, nil
}

// save writes the run's options.
func (p *place) save(o *Options) error {
	text, err := jsonLine(o)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(p.file(OptionsFile), text, 0o666); err != nil {
		return fmt.Errorf("%s cannot be written: %w", p.file(OptionsFile), inputfile.Cause(err))
	}
	return nil
}

func (p *place) load() (o Options, err error) {
	data, err := os.ReadFile(p.file(OptionsFile))
	if err != nil {
		return o, inputErrorf("%s cannot be read: %w", p.file(OptionsFile), inputfile.Cause(err))
	}
	if err := json.Unmarshal(data, &o); err != nil {
		return o, inputErrorf("%s: no options of a run: %w", p.file(OptionsFile), err)
	}
	return o, nil
}

// jsonLine is an object as a line of text.
func jsonLine(v any) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return text.Bytes(), err
}

// exponent of a tile, 0 of none.
func exponent(tile int64) uint8 { return uint8(max(0, bits.Len64(uint64(tile))-1)) }

// stageList writes stages as the flag --stages takes them, without the first.
func stageList(stages []ntuple.Stage) string {
	var words []string
	for _, s := range stages[min(1, len(stages)):] {
		words = append(words, strings.ReplaceAll(s.Words(), "+", ","))
	}
	return strings.Join(words, "/")
}
