package sweep

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/afterstate2048/afterstate/internal/option"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/runs"
)

// Spec describes a sweep. In JSON and TOML, all keys but those of the fields below are options that
// apply to all trials, as in [runs.ReadRequest]. Spec has the same tags as [learn.Options].
type Spec struct {
	Method string `json:"method" help:"see the methods below"`
	Trials int    `json:"trials" range:"1:10000" help:"configurations to draw; 0: all combinations"`
	Seed   uint64 `json:"seed" help:"of the draws"`
	Eta    int    `json:"eta" range:"2:100" help:"Halving keeps 1/Eta of the configurations"`
	First  uint64 `json:"first" help:"games before Halving's first decision; 0: one interval"`
	Seeds  Seeds  `json:"seeds" want:"a number from 1 to 1000, or a list of different seeds" help:"of training"`
	// Options maps the name of each option that differs between configurations to its values.
	Options options `json:"options" want:"lists of values by option, or min, max and perhaps log of ranges, min above 0 with log" help:"the options that differ"`

	fixed map[string]json.RawMessage // options that apply to all trials
}

// Values of Spec.Method.
const (
	Grid    = "grid"
	Random  = "random"
	Halving = "halving"
)

// keys maps each method to the keys that it accepts in addition to the keys that all methods accept.
var keys = map[string][]string{Grid: {}, Random: {"trials", "seed"}, Halving: {"trials", "seed", "eta", "first"}}

// Seeds holds the training seeds of each configuration. In JSON it is a list of seeds, or a number of seeds, which
// count up from the default seed of the command "train".
type Seeds []uint64

const maxSeeds, maxConfigurations = 1000, 10_000

var errValue = errors.New("must be what the tag says")

// UnmarshalJSON reads a list or a number.
func (s *Seeds) UnmarshalJSON(text []byte) error {
	var n int
	var all []uint64
	if json.Unmarshal(text, &n) == nil && n <= maxSeeds {
		for i := range n {
			all = append(all, learn.Defaults.Seed+uint64(i))
		}
	} else if json.Unmarshal(text, &all) != nil {
		return errValue
	}
	if *s = all; len(all) == 0 || len(slices.Compact(slices.Sorted(slices.Values(all)))) < len(all) {
		return errValue
	}
	return nil
}

type options map[string]Values

// Values holds the values of an option: a list, or a range of numbers to draw from.
type Values struct {
	List     []json.RawMessage `json:"-"`
	Min, Max float64
	Log      bool // draw from a log-uniform distribution
}

// UnmarshalJSON reads a list, or an object with min, max and, optionally, log.
func (v *Values) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &v.List) == nil && len(v.List) > 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	type plain Values // without this method
	if err := d.Decode((*plain)(v)); err != nil || !(v.Min < v.Max) || v.Log && !(v.Min > 0) {
		return errValue
	}
	return nil
}

// Limits of TOML text. The parser needs gigabytes of memory, or overflows its stack, for deeply nested text.
const (
	maxText  = 1 << 20 // maximum length in bytes
	maxDepth = 16      // maximum nesting depth of dotted keys and of brackets
)

// checkTOML returns an error if the text may be nested too deeply for the parser. It counts open brackets, and the dots
// since the last character that cannot be part of a dotted key, also inside strings and comments.
func checkTOML(text []byte) error {
	brackets, dots := 0, 0
	last := byte(0)
	for _, c := range text {
		switch {
		case c == '.' && last != '.': // consecutive dots occur only in comments and strings
			dots++
		case strings.IndexByte("[]{}=,.\n", c) >= 0:
			dots = 0
		}
		switch c {
		case '[', '{':
			brackets++
		case ']', '}':
			brackets = max(0, brackets-1)
		}
		if brackets > maxDepth || dots > maxDepth {
			return fmt.Errorf("more than %d keys or lists within each other", maxDepth)
		}
		last = c
	}
	return nil
}

// ReadTOML reads a Spec from TOML, as Read does from JSON.
func ReadTOML(text []byte) (*Spec, error) {
	if len(text) > maxText {
		return nil, runs.InputErrorf("%d bytes: must be at most %d", len(text), maxText)
	}
	var values map[string]any
	err := checkTOML(text)
	if err == nil {
		err = toml.Unmarshal(text, &values)
	}
	if err == nil {
		text, err = json.Marshal(values) // fails for NaN
	}
	if err != nil {
		return nil, &runs.InputError{Err: err}
	}
	return Read(text)
}

// Read reads a Spec from a JSON object. Names of options may have underscores or hyphens.
func Read(text []byte) (*Spec, error) {
	s := &Spec{Method: Grid, Eta: 3, Seeds: Seeds{learn.Defaults.Seed}}
	if err := json.Unmarshal(text, &s.fixed); err != nil {
		return nil, runs.InputErrorf("a sweep: %w", err)
	}
	s.fixed = underscored(s.fixed)
	text, err := json.Marshal(s.fixed)
	if err != nil {
		return nil, err
	}
	given := map[string]bool{}
	ofTrial := func(of *option.Option) bool { return of.Name != "threads" } // trials use one thread, to be reproducible
	if err := runs.ReadSettings(text, given, ofTrial, s, new(runs.Request), new(runs.Options)); err != nil {
		return nil, err
	}
	s.Options = underscored(s.Options)
	for own := range option.Of(s, "help") {
		delete(s.fixed, own.Name)
	}
	return s, s.check(given)
}

// underscored returns a copy of all with underscores in place of hyphens in the keys.
func underscored[V any, M ~map[string]V](all M) M {
	out := M{}
	for key, value := range all {
		out[strings.ReplaceAll(key, "-", "_")] = value
	}
	return out
}

// check checks the method, and whether the keys in given fit the method and each other.
func (s *Spec) check(given map[string]bool) error {
	if keys[s.Method] == nil {
		return runs.InputErrorf("method %q: must be %s, %s or %s", s.Method, Grid, Random, Halving)
	}
	for _, key := range keys[Halving] {
		if given[key] && !slices.Contains(keys[s.Method], key) {
			return runs.InputErrorf("%s: the method %s has none; seeds are those of training", key, s.Method)
		}
	}
	if s.Method == Random && s.Trials == 0 {
		return runs.InputErrorf("trials: must be given for the method %s: the number of configurations to draw", Random)
	}
	for _, key := range slices.Sorted(maps.Keys(s.Options)) {
		if s.fixed[key] != nil || slices.Contains([]string{"games", "report_every", "size", "seed", "threads"}, key) {
			return runs.InputErrorf("options.%s: all trials have the same: must be in one place, and not in options for games, report_every, size, seed and threads", key)
		}
	}
	return nil
}

// configurations returns, for each configuration, the values of the options in Spec.Options. A grid is ordered by the
// options' names, with the last option changing fastest.
func (s *Spec) configurations() (all []map[string]json.RawMessage, err error) {
	names := slices.Sorted(maps.Keys(s.Options))
	if s.Trials > 0 {
		return s.draw(names)
	}
	all = []map[string]json.RawMessage{{}}
	for _, name := range names {
		if s.Options[name].List == nil {
			return nil, runs.InputErrorf("options.%s: a range is to draw from: must be a list, or give trials with the method %s or %s", name, Random, Halving)
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
			return nil, runs.InputErrorf("options: more than %d combinations", maxConfigurations)
		}
	}
	return all, nil
}

// draw draws Trials distinct configurations at random. It returns an error if 1000 draws in a row
// find no new combination.
func (s *Spec) draw(names []string) (all []map[string]json.RawMessage, err error) {
	whole := map[string]bool{}
	for o := range option.Of(new(runs.Options), "help") {
		whole[o.Name] = o.Value.CanInt() || o.Value.CanUint()
	}
	random := rand.New(rand.NewPCG(s.Seed, 0))
	known := map[string]bool{}
	for again := 0; len(all) < s.Trials; again++ {
		c := map[string]json.RawMessage{}
		for _, name := range names {
			c[name] = s.Options[name].draw(random, whole[name])
		}
		if text, _ := json.Marshal(c); !known[string(text)] { // cannot fail: the values are valid JSON
			known[string(text)] = true
			all, again = append(all, c), 0
		}
		if again > 1000 {
			return nil, runs.InputErrorf("trials %d: the options have hardly more than %d combinations", s.Trials, len(all))
		}
	}
	return all, nil
}

// draw draws a value. Numbers from a range are rounded to four significant digits, or to integers if whole is set.
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

// text returns a value in the form that a flag takes.
func text(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s
	}
	return string(value)
}

// rungs returns the numbers of games after which configurations are compared, in ascending order. The last
// one is games.
func (s *Spec) rungs(games, interval uint64) (all []uint64, err error) {
	if s.Method != Halving {
		if games < interval { // a trial is ranked by its last full interval
			err = runs.InputErrorf("games %d: must be at least report_every, %d", games, interval)
		}
		return []uint64{games}, err
	}
	first := cmp.Or(s.First, interval)
	eta := uint64(s.Eta)
	if first < interval || first > games/eta {
		return nil, runs.InputErrorf("first %d: must be from report_every, %d, to games/eta, %d", first, interval, games/eta)
	}
	for at := first; at <= games/eta; at *= eta {
		all = append(all, at)
	}
	return append(all, games), nil
}

// keep returns how many of n configurations continue after a rung.
func (s *Spec) keep(n int) int {
	return (n + s.Eta - 1) / s.Eta
}
