package sweep

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/runs"
)

// Spec is what a sweep is asked to do. Keys that are not its own are options of all trials, as in [runs.ReadRequest].
type Spec struct {
	Method string `json:"method"` // see the methods below; "": Grid
	Trials int    `json:"trials"` // configurations to draw; 0: all combinations
	Seed   uint64 `json:"seed"`   // of the draws
	Eta    int    `json:"eta"`    // Halving keeps 1/Eta of the configurations; 0: 3
	First  uint64 `json:"first"`  // games before Halving's first decision; 0: one interval
	Seeds  Seeds  `json:"seeds"`  // of training; none: one
	// Options has the values of the options that differ, by name.
	Options map[string]Values `json:"options"`

	fixed map[string]json.RawMessage // options that all trials have
}

// Methods.
const (
	Grid    = "grid"
	Random  = "random"
	Halving = "halving"
)

// Seeds are seeds of training. In JSON they are a list, or their number: then they are that of the command train and those after it.
type Seeds []uint64

const maxSeeds, maxConfigurations = 1000, 10_000

// UnmarshalJSON reads a list or a number.
func (s *Seeds) UnmarshalJSON(text []byte) error {
	var n int
	if json.Unmarshal(text, &n) == nil && n >= 1 && n <= maxSeeds {
		for i := range uint64(n) {
			*s = append(*s, learn.Defaults.Seed+i)
		}
		return nil
	}
	var all []uint64
	if json.Unmarshal(text, &all) != nil || len(all) == 0 || len(slices.Compact(slices.Sorted(slices.Values(all)))) < len(all) {
		return fmt.Errorf("%s: must be a number from 1 to %d, or a list of different seeds", text, maxSeeds)
	}
	*s = all
	return nil
}

// Values are those of an option: a list, or a range of numbers to draw from.
type Values struct {
	List     []json.RawMessage `json:"-"`
	Min, Max float64
	Log      bool // draw so that each power of ten is as likely
}

// UnmarshalJSON reads a list, or an object with min, max and log.
func (v *Values) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &v.List) == nil && len(v.List) > 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	type plain Values // without this method
	if err := d.Decode((*plain)(v)); err != nil || !(v.Min < v.Max) || v.Log && !(v.Min > 0) {
		return fmt.Errorf("%s: must be a list of values, or min, max and perhaps log of a range, min above 0 with log", text)
	}
	return nil
}

func errorf(format string, args ...any) error {
	return &runs.InputError{Err: fmt.Errorf(format, args...)}
}

// ReadTOML is Read for a file of TOML.
func ReadTOML(text []byte) (*Spec, error) {
	var values map[string]any
	if err := toml.Unmarshal(text, &values); err != nil {
		return nil, &runs.InputError{Err: err}
	}
	object, err := json.Marshal(values)
	if err != nil { // such as NaN
		return nil, &runs.InputError{Err: err}
	}
	return Read(object)
}

// Read reads a JSON object of a Spec. Names of options have underscores or hyphens.
func Read(text []byte) (*Spec, error) {
	s := &Spec{Method: Grid}
	if err := json.Unmarshal(text, &s.fixed); err != nil {
		return nil, errorf("a sweep: %w", err)
	}
	s.fixed = underscored(s.fixed)
	var own []string
	to := reflect.ValueOf(s).Elem()
	for i := range to.NumField() {
		key := to.Type().Field(i).Tag.Get("json")
		if own = append(own, key); s.fixed[key] == nil {
			continue
		}
		if err := json.Unmarshal(s.fixed[key], to.Field(i).Addr().Interface()); err != nil {
			switch f := to.Field(i); {
			case f.Kind() == reflect.String:
				err = fmt.Errorf("%s: must be text", s.fixed[key])
			case f.CanInt() || f.CanUint():
				err = fmt.Errorf("%s: must be a whole number", s.fixed[key])
			}
			return nil, errorf("%s: %w", key, err)
		}
		delete(s.fixed, key)
	}
	s.Options = underscored(s.Options)
	if len(s.Seeds) == 0 {
		s.Seeds = Seeds{learn.Defaults.Seed}
	}
	var names, varied []string // options of all trials, and those in which they may differ
	for _, d := range runs.Describe(runs.Options{}) {
		if d.Name != "seed" && d.Name != "threads" {
			names = append(names, d.Name)
			if d.Name != "games" && d.Name != "report_every" && d.Name != "size" { // trials are compared at equal games
				varied = append(varied, d.Name)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.fixed)) {
		if !slices.Contains(names, key) {
			return nil, errorf("%s: no key of a sweep: must be one of %s", key, strings.Join(append(own[:len(own)-1], names...), ", "))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.Options)) {
		if !slices.Contains(varied, key) {
			return nil, errorf("options.%s: no option in which trials differ: must be one of %s", key, strings.Join(varied, ", "))
		}
		if s.fixed[key] != nil {
			return nil, errorf("options.%s: %s is given for all trials too: must be in one place", key, key)
		}
	}
	return s, s.check()
}

// underscored has underscores in place of the hyphens of keys.
func underscored[V any](all map[string]V) map[string]V {
	out := map[string]V{}
	for key, value := range all {
		out[strings.ReplaceAll(key, "-", "_")] = value
	}
	return out
}

func (s *Spec) check() error {
	switch {
	case s.Method != Grid && s.Method != Random && s.Method != Halving:
		return errorf("method %q: must be %s, %s or %s", s.Method, Grid, Random, Halving)
	case s.Trials < 0 || s.Trials > maxConfigurations:
		return errorf("trials %d: must be from 1 to %d", s.Trials, maxConfigurations)
	case s.Method == Random && s.Trials == 0:
		return errorf("trials: must be given for the method %s: the number of configurations to draw", Random)
	case s.Method == Grid && s.Trials > 0:
		return errorf("trials %d: the method %s has all combinations: must be %s or %s", s.Trials, Grid, Random, Halving)
	case s.Seed > 0 && s.Trials == 0:
		return errorf("seed %d: it is that of the draws of trials, which is not given; seeds are those of training", s.Seed)
	case s.Method != Halving && (s.Eta != 0 || s.First != 0):
		return errorf("eta and first: are those of the method %s, not %s", Halving, s.Method)
	case s.Eta < 0 || s.Eta == 1 || s.Eta > 100:
		return errorf("eta %d: must be from 2 to 100", s.Eta)
	}
	s.Eta = cmp.Or(s.Eta, 3)
	return nil
}

// configurations returns the values of the options that differ, for each configuration. Those of a grid are in the order of the options' names,
// of which the last one changes first.
func (s *Spec) configurations() (all []map[string]json.RawMessage, err error) {
	names := slices.Sorted(maps.Keys(s.Options))
	if s.Trials > 0 {
		return s.draw(names)
	}
	all = []map[string]json.RawMessage{{}}
	for _, name := range names {
		if s.Options[name].List == nil {
			return nil, errorf("options.%s: a range is to draw from: must be a list, or give trials with the method %s or %s", name, Random, Halving)
		}
		var longer []map[string]json.RawMessage
		for _, c := range all {
			for _, value := range s.Options[name].List {
				with := maps.Clone(c)
				with[name] = value
				longer = append(longer, with)
			}
		}
		if all = longer; len(all) > maxConfigurations {
			return nil, errorf("options: more than %d combinations", maxConfigurations)
		}
	}
	return all, nil
}

// draw draws different configurations.
func (s *Spec) draw(names []string) (all []map[string]json.RawMessage, err error) {
	whole := map[string]bool{}
	for _, options := range []any{new(runs.Request), new(runs.Options)} {
		for o := range learn.Settings(options) {
			whole[strings.ReplaceAll(o.Name, "-", "_")] = o.Value.CanInt() || o.Value.CanUint()
		}
	}
	random := rand.New(rand.NewPCG(s.Seed, 0))
	known := map[string]bool{}
	for failed := 0; len(all) < s.Trials; {
		c := map[string]json.RawMessage{}
		for _, name := range names {
			c[name] = s.Options[name].draw(random, whole[name])
		}
		text, _ := json.Marshal(c) // values that were read
		if known[string(text)] {
			if failed++; failed > 1000 {
				return nil, errorf("trials %d: the options have hardly more than %d combinations", s.Trials, len(all))
			}
			continue
		}
		known[string(text)] = true
		all = append(all, c)
	}
	return all, nil
}

// draw draws a value, numbers of four digits.
func (v Values) draw(random *rand.Rand, whole bool) json.RawMessage {
	if v.List != nil {
		return v.List[random.IntN(len(v.List))]
	}
	x := v.Min + float64(random.Float64()*(v.Max-v.Min))
	if v.Log {
		x = v.Min * math.Pow(v.Max/v.Min, random.Float64())
	}
	if whole {
		return json.RawMessage(strconv.FormatFloat(math.Round(x), 'f', 0, 64))
	}
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	text, _ := json.Marshal(min(max(x, v.Min), v.Max))
	return text
}

// text is a value as a flag takes it.
func text(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s
	}
	return string(value)
}

// rungs are the numbers of games after which configurations are compared; the last one is games.
func (s *Spec) rungs(games, interval uint64) (all []uint64, err error) {
	if s.Method != Halving {
		return []uint64{games}, nil
	}
	first := cmp.Or(s.First, interval)
	eta := uint64(s.Eta)
	if first < interval || first > games/eta {
		return nil, errorf("first %d: must be from report_every, %d, to games/eta, %d", first, interval, games/eta)
	}
	for at := first; at <= games/eta; at *= eta {
		all = append(all, at)
	}
	return append(all, games), nil
}

// keep is how many of n configurations go on.
func (s *Spec) keep(n int) int {
	return (n + s.Eta - 1) / s.Eta
}
