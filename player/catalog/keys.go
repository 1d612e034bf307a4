package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/option"
	"github.com/afterstate2048/afterstate/player/spec"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/search"
)

const (
	// maxPlies is the largest search depth a spec may request.
	maxPlies      = 64
	defaultLayers = 4 // default depth of minimax; used only without a time limit

	defaultTimeout = 10 * time.Second // added to the value of "time" if a program's spec does not set "timeout"
	maxName        = 60               // maximum length of the value of the key "name", in bytes
)

// Maximum depth in moves of foresight without a beam, for trusted specs and for untrusted specs.
const deepestFull, deepestFullGuest = 10, 8

// These structs and the options of searches define the keys of players, evaluators and spawn rules: each field with
// the tag "key" defines one key. Besides the tags of package option, the fields have these:
//
//	key      name of the key; with the suffix ",own", the player's code reads the value, not args.read
//	without  what happens without the key, for keys without a default value
//
// The tags define the parser, its error messages, the output of the command "players" and of the method
// "players.list", and docs/players.md.
type (
	expectimaxArgs struct {
		Eval string `key:"eval,own" default:"weighted-snake" want:"an evaluator: its name, lines(...) or sum(...)" help:"evaluator of the leaves of the search"`
		search.ExpectimaxOptions
		implArg
	}
	implArg struct {
		Generic bool `key:"impl" default:"bitboard" range:"bitboard|generic" help:"implementation on 4x4: bitboard is faster, but leaves evaluators that it does not support to generic; generic works on all sizes; both return the same values"`
	}
	networkArgs struct {
		Model     string  `key:"model,own" without:"the embedded network" want:"the name of a training run, or \"FILE\"" help:"network that evaluates afterstates"`
		Endings   string  `key:"endings,own" without:"the embedded ending network; none with model" want:"the name of a training run of endings, or \"FILE\", or none" help:"network that decides in endings, by the chance to make the 32768"`
		Walls     int     `key:"endings_walls" unit:"walls" range:"1:6" default:"4" help:"minimum number of walls with which the ending network decides; 4 walls are 16384, 8192, 4096 and 2048"`
		Margin    float64 `key:"endings_margin" unit:"points" range:"0:1e100" default:"5000" help:"prune_margin in endings, where the tile 32768 counts 240,000 points"`
		Downgrade *int64  `key:"downgrade" unit:"tile" range:"0|tile:8:32768" without:"as the network was trained, or else 16384" help:"tile downgrading: boards with this tile or a larger one are evaluated as boards with smaller tiles; 0: off"`
		search.ExpectimaxOptions
		implArg
	}
	autoArgs struct {
		P4 float64 `key:"p4" unit:"probability" range:"0:1" default:"0.1" help:"probability of a 4 that the player assumes"`
	}
	perfectArgs struct {
		Goal int64   `key:"goal" unit:"tile" range:"0|tile:8:32768" default:"0" help:"maximize the chance to make this tile; 0: the expected score"`
		P4   float64 `key:"p4" unit:"probability" range:"0:1" default:"0.1" help:"probability of a 4 for which the size was solved"`
	}
	minimaxArgs struct {
		gradientArg
		search.MinimaxOptions
	}
	gradientArg struct {
		Eval string `key:"eval,own" default:"gradient" want:"an evaluator: its name, lines(...) or sum(...)" help:"evaluator of the leaves of the search"`
	}
	foresightArgs struct {
		Eval string `key:"eval,own" default:"product" want:"an evaluator: its name, lines(...) or sum(...)" help:"evaluator of the leaves of the search"`
		search.ForesightOptions
	}
	levelArgs struct {
		Mean string `key:"mean" unit:"points" range:"400|1000|3000|8000|20000|50000|60000|150000|strong" default:"3000" help:"the level, by its mean score; docs/review.md lists the levels of each size; strong is ntuple(plies=1)"`
		autoArgs
		Playouts int `key:"playouts" unit:"games" range:"4:2^20" default:"1000" help:"playouts after each move that may be the best, when the values of all moves are requested"`
	}
	execArgs struct {
		Command string `key:"cmd,own" without:"required" want:"a program and its arguments such as \"python3 bot.py\"" help:"program to start, which answers the protocol of docs/protocol.md"`
		botArgs
	}
	remoteArgs struct {
		URL string `key:"url,own" without:"required" want:"a URL with ws, wss, http or https, such as \"ws://host:8080/bot\"" help:"address of a running program that answers the protocol of docs/protocol.md"`
		botArgs
	}
	// botArgs holds the keys that the players exec and remote have in common.
	botArgs struct {
		Name    string        `key:"name,own" without:"the name in the program's answer to hello" want:"a name of at most 60 bytes, in double quotes if it is not one word" help:"name in reports"`
		Time    time.Duration `key:"time" unit:"duration" range:"0|1us:1h" default:"0" help:"time limit of a decision, sent to the program as time_ms"`
		Timeout time.Duration `key:"timeout" unit:"duration" range:"0|1us:1h" without:"time + 10s" help:"time after which a program that has not answered forfeits the game"`
		Startup time.Duration `key:"startup" unit:"duration" range:"0|1us:1h" default:"30s" help:"time limit for the response to hello"`
	}
	randomRuleArgs struct {
		P4 float64 `key:"p4" unit:"probability" range:"0:1" default:"0.1" help:"probability of a 4"`
	}
	searchRuleArgs struct {
		gradientArg
		search.Adversary
		Share float64 `key:"share" unit:"probability" range:"0:1" default:"1" help:"probability that the rule chooses a spawn; the others are random"`
	}
	fileArg struct {
		File string `key:"file,own" without:"none" want:"a path in double quotes, without other keys" help:"JSON file of weights"`
	}
)

const keyTag = "key"

func keysOf[T any]() []*option.Option { return option.Options(reflect.TypeFor[T](), keyTag) }

// networkKeys returns the keys of the player ntuple. It omits three keys of expectimax that do not apply to networks.
func networkKeys() []*option.Option {
	return slices.DeleteFunc(slices.Clone(keysOf[networkArgs]()), func(k *option.Option) bool {
		return slices.Contains([]string{"leaf", "prune", "death_value"}, k.Name)
	})
}

// linesKeys returns the keys of the evaluator lines: a key for each weight.
func linesKeys() (keys []*option.Option) {
	anchor := eval.NneonneoWeights()
	for f := range anchor.All() {
		k := *f.Option
		k.Default = f.String()
		keys = append(keys, &k)
	}
	return keys
}

// sumKeys returns the keys of the evaluator sum: a key for each evaluator, which sets its weight,
// and "file".
func sumKeys() []*option.Option {
	return append(each.Of(eval.Names(), func(name string) *option.Option {
		const tags = `unit:"factor" range:"-1e100:1e100" default:"0" help:"weight of evaluator `
		return option.New(reflect.TypeFor[float64](), name, reflect.StructTag(tags+name+`"`))
	}), keysOf[fileArg]()...)
}

// infos converts keys to their protocol form.
func infos(keys []*option.Option, trusted bool) []protocol.KeyInfo {
	return append([]protocol.KeyInfo{}, each.Of(keys, func(k *option.Option) protocol.KeyInfo { // [] in JSON, not null
		return protocol.KeyInfo{Name: k.Name, Unit: k.Unit, Range: limited(k, trusted).Want(), Default: cmp.Or(k.Default, k.Tag.Get("without")), Help: k.Help, Values: k.Words}
	})...)
}

// limited returns a key with the limits for trusted or for untrusted specs (Capabilities.Trusted).
func limited(k *option.Option, trusted bool) *option.Option {
	if trusted {
		return k
	}
	return k.ForGuest()
}

// args reads the arguments of a spec with the given keys and records the first error. Its methods panic if they are
// called with the name of a key that is not in keys.
type args struct {
	name    string // name of the player as the user wrote it
	spec    *spec.Spec
	keys    []*option.Option
	trusted bool // use the ranges for trusted specs
	err     error
}

func (a *args) fail(format string, values ...any) {
	if a.err == nil {
		a.err = fmt.Errorf("%s: "+format, append([]any{a.name}, values...)...)
	}
}

// refuse records the error for a value that its key does not accept.
func (a *args) refuse(name string, value any) { a.fail("%s=%v: must be %s", name, value, a.want(name)) }

// want returns a description of the values that a key accepts.
func (a *args) want(name string) string { return limited(a.key(name), a.trusted).Want() }

// key returns the key with the given name.
func (a *args) key(name string) *option.Option {
	i := slices.IndexFunc(a.keys, func(k *option.Option) bool { return k.Name == name })
	if i < 0 {
		panic(a.name + ": no table of keys has " + name)
	}
	return a.keys[i]
}

// given reports whether the spec sets a key.
func (a *args) given(name string) bool {
	_, ok := a.spec.Get(name)
	return ok
}

// read sets the fields of the struct that into points to. A field gets the value in the spec, or else the default.
// read skips fields whose key is not among a.keys, and fields with the tag ",own".
func (a *args) read(into any) {
	for f := range option.Of(into, keyTag) {
		if f.Mark != "own" && slices.ContainsFunc(a.keys, func(k *option.Option) bool { return k.Name == f.Name }) {
			a.set(f)
		}
	}
}

func (a *args) set(f option.Field) {
	v, given := a.spec.Get(f.Name)
	f.Option = limited(f.Option, a.trusted)
	switch {
	case given && (v.Call != nil || v.Quoted):
		a.refuse(f.Name, v)
	case given:
		if f.Set(v.Text) != nil {
			a.refuse(f.Name, v.Text)
		}
	case f.Default != "":
		if err := f.Set(f.Default); err != nil {
			panic(err) // unreachable: tests cover all defaults
		}
	}
}

// finish returns the first error. Keys in the spec that are not among a.keys are errors.
func (a *args) finish() error {
	known := each.Of(a.keys, func(k *option.Option) string { return k.Name })
	for _, arg := range a.spec.Args {
		if a.err == nil && !slices.Contains(known, arg.Key) {
			a.err = unknown(fmt.Sprintf("%s has no key %q", a.name, arg.Key), arg.Key, known)
		}
	}
	return a.err
}

// unknown returns an error about an unknown name, which suggests the nearest candidate or lists all.
func unknown(problem, word string, candidates []string) error {
	if len(candidates) == 0 {
		return errors.New(problem + ": it takes no keys")
	}
	return fmt.Errorf("%s: %s", problem, spec.Suggest(word, slices.Compact(slices.Sorted(slices.Values(candidates)))))
}
