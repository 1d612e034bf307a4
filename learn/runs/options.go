package runs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/inputfile"
	"github.com/afterstate2048/afterstate/internal/option"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// Options holds the options of a run, which options.json stores. The zero value of each field but
// Layout is valid.
type Options struct {
	Layout         ntuple.Layout `json:"network"`
	OptimisticInit float64       `json:"optimistic_init,omitempty" range:"0:1000000000" help:"optimistic initialization: initial value of every board, in points"`
	From           string        `json:"from,omitempty"` // path of the model that the run starts from
	learn.Options

	// Before, if not nil, holds the options before the last Resume changed them. The checkpoint has these
	// options until the next checkpoint is written.
	Before *learn.Options `json:"before,omitempty"`
}

// readCheckpoint reads a checkpoint. It returns an error if the checkpoint was not written by a run with the options o.
func (o *Options) readCheckpoint(path string) (c learn.Checkpoint, err error) {
	if c, err = learn.ReadCheckpoint(path); err != nil {
		return c, inputError(err)
	}
	wrong := foreign(&c.Options, &o.Options)
	switch {
	case !c.Layout.Equal(&o.Layout):
		wrong = fmt.Sprintf("the network %s in place of %s", c.Layout.PatternText(), o.Layout.PatternText())
	case wrong == "" || o.Before != nil && foreign(&c.Options, o.Before) == "":
		return c, nil
	}
	return c, InputErrorf("%s belongs to another run, with %s: restore the run's own checkpoint", path, wrong)
}

// foreign describes the first option in which a checkpoint differs from its run, or returns "" if there is
// none. It ignores options with the tag resume:"yes", which may change without a new part of the history.
func foreign(checkpoint, run *learn.Options) string {
	known := *run
	known.WarmupGames = cmp.Or(run.WarmupGames, checkpoint.WarmupGames) // 0 in run: the trainer has chosen the number
	next, stop := iter.Pull(option.Of(&known, "help"))
	defer stop()
	for have := range option.Of(checkpoint, "help") {
		if want, _ := next(); have.Tag.Get("resume") != "yes" && have.String() != want.String() {
			return fmt.Sprintf("%s %s in place of %s", have.Name, have, want)
		}
	}
	return ""
}

// QuickStart returns the options of a first run, which takes a minute. They are the options of the
// command "train 2x4 --games 10000 --report-every 200".
func QuickStart(threads int) (Options, error) {
	layout, err := ntuple.Named(bitboard.Size, "2x4")
	return Options{Layout: layout, Options: learn.Options{
		Coherent: true, Lambda: learn.Defaults.Lambda, Seed: learn.Defaults.Seed, Threads: threads, Games: 10_000, ReportEvery: 200,
	}}, err
}

// fill replaces zeros with defaults and checks the settings.
func (o *Options) fill() error {
	for s := range option.Of(o, "help") {
		if err := s.Check(); err != nil && !s.Value.IsZero() {
			return inputError(err)
		}
	}
	return inputError(o.Options.Fill(o.Layout.Walls > 0))
}

// check checks the options of a new run. source is the model that the run starts from, or nil for a new network.
func (o *Options) check(source *Source) error {
	if source != nil && o.Layout.Size != source.Size {
		return InputErrorf("%s is a network for %v boards, but the size is %v", o.From, source.Size, o.Layout.Size)
	}
	if err := o.Layout.Validate(); err != nil {
		return inputError(err)
	}
	switch {
	case o.Settled > 0 && o.From == "":
		return inputError(&option.Error{Option: "settled", Value: o.Settled, Without: "from", Reason: "no weight is known yet"})
	case o.OnlyKnown && o.From == "":
		return inputError(&option.Error{Option: "only_known", Value: o.OnlyKnown, Without: "from", Reason: "no weight is known yet"})
	case source == nil:
		return nil
	}
	if _, missing := o.Layout.Locate(source.Patterns); missing != nil {
		return InputErrorf("the network lacks the pattern %[2]v of %[1]s: must have all its patterns, %[3]s, and may have others", o.From, missing, source.PatternText())
	}
	for _, s := range source.Stages {
		if o.Layout.StageIndex(s) < 0 {
			return optionErrorf("stages", stageList(o.Layout.Stages), "must include the stage %v of %s", s.Text(), o.From)
		}
	}
	if o.OptimisticInit > 0 {
		return optionErrorf("optimistic_init", o.OptimisticInit, "%s is already trained", o.From)
	}
	return nil
}

// Stem returns the first part of the name that Begin gives a run without a name.
func (o *Options) Stem() string {
	name := cmp.Or(o.Layout.Name, "own")
	if o.Layout.Walls > 0 {
		name = "endings"
	}
	if o.Layout.Size != bitboard.Size {
		name = o.Layout.Size.String() + "-" + name
	}
	return name
}

// network returns the network that a new run starts with. It reuses the source's memory if source is
// Owned and the layouts are equal.
func (o *Options) network(source *Source) (*ntuple.Network, error) {
	if source != nil && source.Layout.Equal(&o.Layout) {
		n, err := source.Network, error(nil)
		if source.Owned {
			source.Network = new(ntuple.Network)
		} else if n, err = n.Copy(); err != nil {
			return nil, err
		}
		return n, nil
	}
	n, err := ntuple.New(o.Layout)
	if err != nil {
		return nil, err
	}
	n.Bias = float32(o.OptimisticInit)
	if source == nil {
		return n, nil
	}
	// The new network gives every board the same value as the source. Patterns that the source lacks start with
	// weights of zero. Stages that the source lacks start empty: their weights are read from the previous one.
	n.Bias = source.Bias
	places, _ := n.Locate(source.Patterns)
	for i, s := range source.Stages {
		at := n.StageIndex(s)
		for k, p := range places {
			copy(n.Table(at, p), source.Table(i, k))
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
		return o, InputErrorf("%s cannot be read: %w", p.file(OptionsFile), inputfile.Cause(err))
	}
	if err := json.Unmarshal(data, &o); err != nil {
		return o, InputErrorf("%s: not the options of a run: %w", p.file(OptionsFile), err)
	}
	return o, nil
}

// jsonLine encodes v as one line.
func jsonLine(v any) ([]byte, error) {
	text, err := protocol.AppendJSON(nil, v)
	return append(text, '\n'), err
}

// stageList returns all stages but the first, in the form that the flag --stages takes.
func stageList(stages []ntuple.Stage) string {
	return strings.ReplaceAll(strings.Join(each.Of(stages[min(1, len(stages)):], ntuple.Stage.Text), "/"), "+", ",")
}

// Setting is an option of a run as text: the name of the train command's flag without leading
// hyphens, and the value in the form that the flag takes.
type Setting = protocol.TrainingOption

// Settings lists the options of a run that affect what it learns, how many games it plays and what
// its metrics contain. It omits options that have no effect. Of the model that the run starts from,
// it lists the name without the folder.
func (o *Options) Settings() (all []Setting) {
	put := func(name, value string) {
		all = append(all, Setting{Option: strings.ReplaceAll(name, "_", "-"), Value: value})
	}
	name := cmp.Or(o.Layout.Name, o.Layout.PatternText())
	put("network", name)
	put("size", o.Layout.Size.String())
	if stages := stageList(o.Layout.Stages); stages != "" {
		put("stages", stages)
	}
	if o.From != "" {
		put("from", sourceName(o.From))
	}
	for s := range option.Of(o, "help") {
		if s.Name != "checkpoint_every" && !(s.Value.IsZero() && strings.Contains(s.Tag.Get("json"), "omitempty")) {
			put(s.Name, s.String())
		}
	}
	return all
}

// sourceName returns the name of the run if the path is a run's checkpoint, otherwise the file name.
func sourceName(path string) string {
	folder, file := filepath.Split(path)
	if file == CheckpointFile && folder != "" {
		return filepath.Base(strings.TrimRight(folder, string(filepath.Separator)))
	}
	return file
}

// Source is a trained network that a new run starts from.
type Source struct {
	*ntuple.Network
	History []ntuple.Training
	// Owned means that nothing else uses the network's memory. The run may take it, which leaves an
	// empty network in the source.
	Owned bool
}

// Close closes the network. It does nothing for a nil source, or after a run has taken over the network.
func (s *Source) Close() {
	if s != nil {
		s.Network.Close()
	}
}

// Source opens the model that Options.From names.
func (f Folder) Source(path string) (*Source, error) {
	open := f.OpenSource
	if open == nil {
		open = openRaw
	}
	s, err := open(path)
	return s, inputError(err)
}

// openRaw opens a raw model file.
func openRaw(path string) (*Source, error) {
	file, err := inputfile.Open(path) // rejects a pipe, which ntuple.Load would wait for
	if err != nil {
		return nil, err
	}
	_ = file.Close()
	m, err := ntuple.Load(path)
	if err != nil {
		return nil, err
	}
	return &Source{Network: m.Network, History: m.Info.History}, nil
}
