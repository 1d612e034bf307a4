package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/afterstate2048/afterstate/internal/option"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/runs"
)

// Spec describes a sweep. In JSON and TOML, each key that is not a field below is an option that
// applies to all trials, as in [runs.ReadRequest]. Spec has the same tags as [learn.Options].
type Spec struct {
	Seeds Seeds `json:"seeds" want:"a number from 1 to 1000, or a list of different seeds" help:"training seeds"`
	// Options maps the name of each option that differs between configurations to its values.
	Options options `json:"options" want:"lists of values by option" help:"the options that differ between configurations"`

	fixed map[string]json.RawMessage // options that apply to all trials
}

// Seeds holds the training seeds of each configuration. In JSON it is a list of seeds, or a number of seeds, which
// count up from the default seed of the command "train".
type Seeds []uint64

const maxSeeds, maxConfigurations = 1000, 10_000

var errValue = errors.New("not as the tag want says")

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

// options maps the name of each option to its values.
type options map[string][]json.RawMessage

// UnmarshalJSON reads an object of lists that are not empty.
func (o *options) UnmarshalJSON(text []byte) error {
	type plain options // has no method UnmarshalJSON, which would call itself
	if json.Unmarshal(text, (*plain)(o)) != nil {
		return errValue
	}
	for _, values := range *o {
		if len(values) == 0 {
			return errValue
		}
	}
	return nil
}

// Limits on TOML text. The parser needs gigabytes of memory, or overflows its stack, for deeply nested text.
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
			return fmt.Errorf("keys or lists are nested more than %d deep", maxDepth)
		}
		last = c
	}
	return nil
}

// ReadTOML reads a Spec from TOML, as Read does from JSON.
func ReadTOML(text []byte) (*Spec, error) {
	if len(text) > maxText {
		return nil, runs.InputErrorf("the text has %d bytes: must be at most %d", len(text), maxText)
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
	s := &Spec{Seeds: Seeds{learn.Defaults.Seed}}
	if err := json.Unmarshal(text, &s.fixed); err != nil {
		return nil, runs.InputErrorf("sweep: %w", err)
	}
	s.fixed = underscored(s.fixed)
	text, err := json.Marshal(s.fixed)
	if err != nil {
		return nil, err
	}
	// Trials use one thread, to be reproducible.
	ofTrial := func(of *option.Option) bool { return of.Name != "threads" && of.Name != "seed" }
	if err := runs.ReadSettings(text, map[string]bool{}, ofTrial, s, new(runs.Request), new(runs.Options)); err != nil {
		return nil, err
	}
	s.Options = underscored(s.Options)
	for own := range option.Of(s, "help") {
		delete(s.fixed, own.Name)
	}
	return s, s.check()
}

// underscored returns a copy of all with underscores in place of hyphens in the keys.
func underscored[V any, M ~map[string]V](all M) M {
	out := M{}
	for key, value := range all {
		out[strings.ReplaceAll(key, "-", "_")] = value
	}
	return out
}

// check returns an error if Spec.Options contains an option that is also given for all trials, or an option that
// must not differ between configurations.
func (s *Spec) check() error {
	for _, key := range slices.Sorted(maps.Keys(s.Options)) {
		if s.fixed[key] != nil || slices.Contains([]string{"games", "report_every", "size", "seed", "threads"}, key) {
			return runs.InputErrorf("options.%s: must be given in one place only; games, report_every, size, seed and threads cannot be in options", key)
		}
	}
	return nil
}

// configurations returns, for each configuration, the values of the options in Spec.Options. The options are sorted
// by name; the value of the last option changes fastest.
func (s *Spec) configurations() (all []map[string]json.RawMessage, err error) {
	names := slices.Sorted(maps.Keys(s.Options))
	all = []map[string]json.RawMessage{{}}
	for _, name := range names {
		var longer []map[string]json.RawMessage
		for _, c := range all {
			for _, value := range s.Options[name] {
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

// text returns a value in the form that a flag takes.
func text(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s
	}
	return string(value)
}
