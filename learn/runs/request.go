package runs

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/option"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Request holds a user's options for a new training run. The fields with a help tag are settings too,
// see [learn.Options].
type Request struct {
	Network string     `json:"network" help:"the <NETWORK>; same as the argument (default: by size, see above)"`
	Size    board.Size `json:"size" help:"rows and columns (default: those of --from, or 4x4)"`
	Stages  string     `json:"stages" help:"further stages, as <TILES/TILES>; see above"`
	From    string     `json:"from" help:"start from the weights of a <MODEL>: a file, the name of a run, or champion"`
	// Settings holds the values of all other settings. Given holds the names of the settings that the user gave.
	Settings Options         `json:"-"`
	Given    map[string]bool `json:"-"`
}

// EndingsOnly names the setting that only ending networks have. runOnly names the setting that only stored runs
// have.
const (
	EndingsOnly = "join_every"
	runOnly     = "checkpoint_every"
)

// conditional lists the settings whose defaults depend on other settings. Unless the user gives them,
// [learn.Options.Fill] sets them.
var conditional = []string{"warmup_games", "rate", "settled", "horizon", "restart_tile"}

// Options returns the options of the training run that r requests. source is the model that From names,
// or nil if From is empty.
func (r *Request) Options(source *Source) (_ *Options, err error) {
	o := r.Settings
	o.From = r.From
	for s := range option.Of(&o, "help") {
		credited := s.Name == "settled" && r.From != "" && o.Coherent
		if slices.Contains(conditional, s.Name) && !r.Given[s.Name] && !credited {
			s.Value.SetZero()
		}
	}
	if source != nil && !r.Given["downgrade"] {
		o.Downgrade = board.Tile(source.Downgrade)
	}
	if err := changeTo(&o.Options, r.Given).Apply(&o.Options); err != nil {
		return nil, inputError(err)
	}
	if r.Given["warmup_games"] {
		o.WarmupGames = max(1, o.WarmupGames) // 0 would select the trainer's default
	}
	o.Layout, err = r.layout(source)
	return &o, inputError(err)
}

// changeTo returns the change that sets the given settings to their values in o.
func changeTo(o *learn.Options, given map[string]bool) learn.Change {
	c := learn.Change{}
	for s := range option.Of(o, "help") {
		if given[s.Name] {
			c[s.Name] = s.Value.Interface()
		}
	}
	return c
}

// layout returns the layout of the requested network.
func (r *Request) layout(source *Source) (l ntuple.Layout, err error) {
	size := cmp.Or(r.Size, bitboard.Size)
	if source != nil {
		l, size = source.Layout, cmp.Or(r.Size, source.Size)
	}
	switch {
	case r.Network != "":
		l, err = ntuple.ParseNetwork(size, r.Network)
	case source == nil:
		l, err = ntuple.DefaultLayout(size)
	}
	if err != nil {
		return l, err
	}
	l.Size = size
	if source != nil {
		l.Stages, l.Fixed = source.Stages, source.Fixed
		if l.SamePatterns(&source.Layout) {
			l.Name = source.Name
		}
	}
	if r.Stages != "" {
		if l.Stages, err = ntuple.ParseStages(r.Stages); err != nil {
			return l, &option.Error{Option: "stages", Value: r.Stages, Reason: err.Error()}
		}
	}
	return l, nil
}

// ReadRequest reads settings from a JSON object. Settings that the object omits get their values from defaults.
func ReadRequest(text []byte, defaults Options) (*Request, error) {
	r := &Request{Settings: defaults, Given: map[string]bool{}}
	return r, ReadSettings(text, r.Given, func(*option.Option) bool { return true }, r, &r.Settings)
}

// ReadSettings reads settings from a JSON object into structs, and adds the names of the settings to
// given. to holds pointers to the structs. ReadSettings returns an error for a name that is not a
// setting of these structs, and for a setting that accept rejects.
func ReadSettings(text []byte, given map[string]bool, accept func(*option.Option) bool, to ...any) error {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(text, &values); err != nil {
		return InputErrorf("options: %w", err)
	}
	var names []string
	for _, options := range to {
		for s := range option.Of(options, "help") {
			if s.Name == EndingsOnly || s.Name == runOnly || !accept(s.Option) {
				continue
			}
			if !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
			value, ok := values[s.Name]
			if !ok {
				continue
			}
			if err := s.SetJSON(value); err != nil {
				return inputError(err)
			}
			given[s.Name] = true
			delete(values, s.Name)
		}
	}
	for key := range values {
		return InputErrorf("%s: unknown option: must be one of %s", key, strings.Join(names, ", "))
	}
	return nil
}

// Resumable reports whether a setting may change when training is resumed.
func Resumable(o *option.Option) bool { return o.Tag.Get("resume") != "" }

// SettingHelp describes a setting, for clients of the API, which do not see the help of the command's flags.
type SettingHelp struct {
	Name     string `json:"name"`
	Accepted string `json:"accepted"` // in words, such as "a number from 0 to 1"
	Default  any    `json:"default"`
	Resume   bool   `json:"resume"` // the setting may change when training is resumed
	Help     string `json:"help"`
}

// Describe describes the settings that ReadRequest accepts.
func Describe(defaults Options) (all []SettingHelp) {
	for _, options := range []any{new(Request), &defaults} {
		for s := range option.Of(options, "help") {
			if s.Name == EndingsOnly || s.Name == runOnly {
				continue
			}
			d := SettingHelp{s.Name, s.Want(), s.Value.Interface(), Resumable(s.Option), s.Help}
			if s.Value.Kind() == reflect.Struct { // a board.Size; the zero value selects the default
				d.Default = ""
			}
			all = append(all, d)
		}
	}
	return all
}

// start returns a trainer for a new training run; to holds the trainer's options. If o.From is set,
// source must be open.
func (o *Options) start(source *Source, to learn.Options) (*learn.Trainer, error) {
	network, err := o.network(source)
	if err != nil {
		return nil, err
	}
	to.Network = network
	if source != nil {
		to.History = source.History
	}
	trainer, err := learn.New(to)
	if err != nil {
		network.Close()
	}
	return trainer, inputError(err)
}

// Prepare reads the options of a new training run from a JSON object as ReadRequest does, fills in
// defaults and checks the options. It opens the model that the option "from" names by calling open. The
// caller closes the source, which may be nil.
func Prepare(text []byte, defaults Options, open func(name string) (*Source, error)) (o *Options, source *Source, err error) {
	r, err := ReadRequest(text, defaults)
	if err == nil && r.From != "" {
		source, err = open(r.From)
	}
	if err == nil {
		o, err = r.Options(source)
	}
	if err == nil {
		err = o.ready(source, 0)
	}
	if err != nil {
		source.Close()
		return nil, nil, err
	}
	return o, source, nil
}

// NewTrainer returns a trainer for a training run that is not stored in a folder of runs. The parameters are as in
// Prepare. The caller closes the trainer and its network.
func NewTrainer(text []byte, defaults Options, open func(name string) (*Source, error)) (*learn.Trainer, error) {
	o, source, err := Prepare(text, defaults, open)
	if err != nil {
		return nil, err
	}
	defer func() { source.Close() }()
	if err := memory.Check(learn.RequiredMemory(&o.Layout, o.Coherent)); err != nil {
		return nil, err
	}
	return o.start(source, o.Options)
}

// NewNetwork returns the initial network of a training run whose options are given by a JSON object as in
// ReadRequest. The caller closes the network.
func NewNetwork(text []byte) (*ntuple.Network, error) {
	r, err := ReadRequest(text, Options{})
	if err != nil {
		return nil, err
	}
	o, err := r.Options(nil)
	if err == nil {
		err = o.ready(nil, learn.RequiredMemory(&o.Layout, false))
	}
	if err != nil {
		return nil, err
	}
	return o.network(nil)
}

// ready checks the options of a new run, fills in defaults, and checks that the given number of bytes of memory is
// available.
func (o *Options) ready(source *Source, bytes int64) error {
	if err := o.check(source); err != nil {
		return err
	}
	if err := o.fill(); err != nil {
		return err
	}
	return memory.Check(bytes)
}

// LoadTrainer returns a trainer that continues from a checkpoint. changes is a JSON object with new values of
// settings. The caller closes the trainer and its network.
func LoadTrainer(path string, changes []byte, report func(learn.Interval)) (*learn.Trainer, error) {
	c, err := learn.ReadCheckpoint(path)
	if err != nil {
		return nil, inputError(err)
	}
	o, changed, given := c.Options, c.Options, map[string]bool{}
	if err := ReadSettings(changes, given, Resumable, &changed); err != nil {
		return nil, err
	}
	if err := changeTo(&changed, given).Apply(&o); err != nil {
		return nil, inputError(err)
	}
	if err := memory.Check(learn.RequiredMemory(&c.Layout, o.Coherent)); err != nil {
		return nil, err
	}
	o.Report = report
	trainer, err := learn.Resume(path, o, func(of *learn.Options) { *of = o })
	return trainer, inputError(err)
}
