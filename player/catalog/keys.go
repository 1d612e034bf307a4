package catalog

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/player/spec"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/search"
)

const (
	evaluatorUnit = "the evaluator's unit"
	anEvaluator   = "an evaluator: its name, lines(...) or sum(...)"

	// maxPlies is the largest search depth a spec may request.
	maxPlies      = 64
	defaultLayers = 4 // depth of minimax without a time limit
	maxFactor     = 1e100

	defaultTimeout = 10 * time.Second // of a program, added to time when no timeout is given
	defaultStartup = "30s"

	implBitboard = 0  // the number of this word of the key impl
	maxName      = 60 // bytes of the key name
)

func evalKey(defaultValue string) key {
	return key{"eval", "", "", other(anEvaluator), defaultValue, "", "evaluator of the leaves of the search"}
}

func timeKey() key {
	return key{"time", "Time", "duration", duration{}, "0", "", "time limit of a decision: the search deepens until it is reached"}
}

// searchKeys are the keys of every expectimax search.
var searchKeys = []key{
	{"plies", "Plies", "plies", whole{1, maxPlies, 0}, "", "3, or no limit with time or nodes", "depth of the search: number of the player's moves"},
	{"depth_by_tiles", "DepthByTiles", "different tiles", whole{-maxPlies, maxPlies, 0}, "", "off", "number of different tiles on the board minus this is the depth, but at least plies; the depth grows during a game"},
	{"min_prob", "MinProb", "probability", number{0, 1}, "0", "", "evaluate, do not search, afterstates that are reached with a lower probability than this"},
	{"prune_margin", "PruneMargin", evaluatorUnit, number{0, maxFactor}, "0", "", "below the root, skip moves whose static value is below the best one by more than this; 0: off"},
	{"tt", "TT", "bytes", memory{search.MinTT, 64 << 30, 64 << 20}, "0", "", "size of the transposition table"},
	{"tt_lifetime", "TTRootMove", "", words{"search", "root_move"}, "search", "", "lifetime of entries: one search, or one root move of a search"},
	{"tt_exact", "TTExact", "", words{"no", "yes"}, "no", "", "use only entries of the same depth whose line was at least as likely: the table then changes no value (on 4x4 with min_prob: very few)"},
	{"soft_limit", "SoftLimit", "", words{"no", "yes"}, "no", "", "with time or nodes: do not start a depth that would probably not be finished"},
	{"clear_margin", "ClearMargin", evaluatorUnit, number{0, maxFactor}, "0", "", "with time or nodes: do not search deeper than 4 plies when the best move's value is above all others by more than this; 0: off"},
	{"threads", "Threads", "threads", whole{1, 256, 2}, "1", "", "threads that share the search of one position; with several, games are not reproducible"},
	{"impl", "", "", words{"bitboard", "generic"}, "bitboard", "", "implementation on 4x4: 64-bit boards, if the evaluator allows it, or the one for all sizes; both return the same values"},
	timeKey(),
	{"nodes", "Nodes", "nodes", whole{1, 1 << 40, 0}, "", "no limit", "node limit of a decision: the search deepens until it is reached; boards after a spawn and their slides count"},
	{"p4", "P4", "probability", number{0, 1}, "0.1", "", "probability of a 4 that the search assumes"},
}

// expectimaxKeys are searchKeys and the keys for evaluators other than networks.
var expectimaxKeys = append([]key{
	evalKey("weighted-snake"),
	{"leaf", "Leaf", "", words{"afterstate", "spawn"}, "afterstate", "", "where the evaluator is applied: to the board after the last move, or after each spawn that follows it"},
	{"prune", "Prune", "", words{"none", "star1", "star2"}, "none", "", "pruning of chance nodes by the evaluator's bounds, which changes no value; not used with tt"},
	{"death_value", "DeathValue", evaluatorUnit, number{math.Inf(-1), maxFactor}, "-inf", "", "value of a board without a legal move, for heuristic evaluators; for points it is 0"},
}, searchKeys...)

var networkKeys = append([]key{
	{"model", "", "", other(`the name of a training run, or "FILE"`), "", "the embedded network", "network that evaluates afterstates"},
	{"endings", "", "", other(`the name of a training run of endings, or "FILE", or none`), "", "the embedded ending network; none with model", "network that decides in endings, by the chance to make the 32768"},
	{"endings_walls", "", "walls", whole{1, endings.MaxWalls, 0}, "4", "", "number of walls from which on endings decides: 4 are 16384, 8192, 4096 and 2048"},
	{"endings_margin", "", "points", number{0, maxFactor}, "5000", "", "prune_margin in endings, where the tile 32768 counts 240,000 points"},
	{"downgrade", "", "tile", tile{}, "", fmt.Sprintf("as the network was trained, or else %d", 1<<defaultDowngrade), "tile downgrading: boards with this tile or a larger one are evaluated as boards with smaller tiles; 0: off"},
}, searchKeys...)

var perfectKeys = []key{
	{"goal", "", "tile", tile{}, "0", "", "maximize the chance to make this tile; 0: the expected score"},
	{"p4", "", "probability", number{0, 1}, "0.1", "", "probability of a 4 for which the size was solved"},
}

var minimaxKeys = []key{
	evalKey("gradient"),
	{"depth", "Layers", "layers", whole{0, 64, 0}, "", fmt.Sprintf("%d, or no limit with time", defaultLayers), "layers below the first move: spawns and moves in turn"},
	{"prune", "AlphaBeta", "", words{"none", "alphabeta"}, "none", "", "alpha-beta pruning, which changes no value"},
	timeKey(),
}

// The maximum depth of foresight without a beam, for trusted and untrusted specs.
const deepestFull, deepestFullGuest = 10, 8

var foresightKeys = []key{
	evalKey("product"),
	{"depth", "Depth", "plies", whole{1, 10000, 0}, "4", "", fmt.Sprintf("number of the player's moves; up to %d without a beam", deepestFull)},
	{"beam", "Beam", "positions", whole{0, 1 << 20, 1 << 12}, "0", "", "beam width: positions kept at each depth; 0: all"},
	{"reuse_tree", "Rebuild", "", words{"yes", "no"}, "yes", "", "reuse the subtree of the move that was made"},
}

var execKeys = append([]key{
	{"cmd", "", "", other(`a program and its arguments such as "python3 bot.py"`), "", "required", "program to start, which answers the protocol of docs/protocol.md"},
}, botKeys...)

var remoteKeys = append([]key{
	{"url", "", "", other(`a URL with ws, wss, http or https, such as "ws://host:8080/bot"`), "", "required", "address of a program that runs already and answers the protocol of docs/protocol.md"},
	{"ca", "", "", other(`a path in double quotes of a PEM file`), "", "the system's", "certificates of the authorities that may sign the server's certificate, for wss and https"},
}, botKeys...)

// botKeys are the keys of every external program.
var botKeys = []key{
	{"name", "", "", other(fmt.Sprintf("a name of at most %d bytes, in double quotes if it is not one word", maxName)), "", "the name in its answer to hello", "name in reports"},
	{"time", "Time", "duration", duration{}, "0", "", "time limit of a decision, sent to the program as time_ms"},
	{"timeout", "Timeout", "duration", duration{}, "", fmt.Sprintf("time + %v", defaultTimeout), "time after which a program that has not answered forfeits the game"},
	{"startup", "Startup", "duration", duration{}, defaultStartup, "", "time limit for the response to hello"},
}

var randomRuleKeys = []key{
	{"p4", "", "probability", number{0, 1}, "0.1", "", "probability of a 4"},
}

// searchRuleKeys are the keys of the spawn rules adversary and friendly.
var searchRuleKeys = []key{
	evalKey("gradient"),
	{"plies", "Plies", "plies", whole{1, 8, 2}, "1", "", "depth of the search for the tile: number of the player's moves"},
	{"share", "", "probability", number{0, 1}, "1", "", "probability that the rule chooses a spawn; the others are random"},
}

// fileKey returns the key file of an evaluator.
func fileKey() key {
	return key{"file", "", "", other("a path in double quotes, without other keys"), "", "none", "JSON file of weights"}
}

// linesKeys returns the weights of the evaluator lines.
func linesKeys() (keys []key) {
	anchor := eval.NneonneoWeights()
	for _, w := range anchor.All() {
		keys = append(keys, key{
			name: w.Name, unit: w.Unit, value: number{-eval.MaxLineWeight, eval.MaxLineWeight},
			defaultValue: fmt.Sprint(*w.Value), help: w.Help,
		})
	}
	return append(keys, fileKey())
}

// sumKeys returns the weights of the evaluator sum: one for every other evaluator.
func sumKeys() []key {
	return append(each.Of(eval.Names(), func(name string) key {
		return key{name, "", "factor", number{-eval.MaxWeight, eval.MaxWeight}, "0", "", "weight of evaluator " + name}
	}), fileKey())
}

// key describes one key of a spec. The tables of keys drive the parser, its error messages, the
// output of the command players and of players.list, and docs/players.md.
type key struct {
	name         string
	into         string // the field of the player's options that has the value; "" if its own code reads it
	unit         string // "" where the value is a word
	value        format
	defaultValue string // the default in the notation of specs; "" if none can be written
	// without describes the behaviour when the key is absent, if defaultValue is empty.
	without string
	help    string
}

// format is the set of values that a key accepts.
type format interface {
	// want describes the accepted values, with the limits of trusted or untrusted specs
	// (Capabilities.Trusted).
	want(trusted bool) string
	// parse returns a value with the type of its options, and whether it is accepted.
	parse(text string, trusted bool) (value any, ok bool)
}

type (
	// whole is an integer. For untrusted specs guest is the upper limit, unless it is 0.
	whole struct{ low, high, guest int }
	// number is a floating-point number; if low is -inf, so may be the value.
	number struct{ low, high float64 }
	// duration is a time limit.
	duration struct{}
	// memory is a size in bytes, or 0.
	memory struct{ low, high, guest int64 }
	// words is a fixed set of values, which options have by its number, or as a bool: whether it is not the
	// first one.
	words []string
	// tile is a tile value that boards can be downgraded to, or 0.
	tile struct{}
	// other is parsed by the player's own code; the text describes it.
	other string
)

// maxFor returns the upper limit for trusted or untrusted specs.
func maxFor[T int | int64](trusted bool, high, guest T) T {
	if trusted || guest == 0 {
		return high
	}
	return guest
}

const maxTile = 1 << bitboard.MaxExponent

func (f whole) want(trusted bool) string {
	return fmt.Sprintf("a whole number from %d to %d", f.low, maxFor(trusted, f.high, f.guest))
}

func (f number) want(bool) string {
	if math.IsInf(f.low, -1) {
		return fmt.Sprintf("a number up to %g, or -inf", f.high)
	}
	return fmt.Sprintf("a number from %g to %g", f.low, f.high)
}

func (duration) want(bool) string { return "0 for no limit, or a time from 1us to 1h such as 200ms" }

func (f memory) want(trusted bool) string {
	return fmt.Sprintf("0 for none, or memory from %dMB to %dMB such as 16MB", f.low>>20, maxFor(trusted, f.high, f.guest)>>20)
}

func (f words) want(bool) string {
	return strings.Join(f[:len(f)-1], ", ") + " or " + f[len(f)-1]
}

func (tile) want(bool) string { return fmt.Sprintf("0, or a tile from 8 to %d", maxTile) }

func (f other) want(bool) string { return string(f) }

func (f whole) parse(text string, trusted bool) (any, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= f.low && n <= maxFor(trusted, f.high, f.guest)
}

func (f number) parse(text string, _ bool) (any, bool) {
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil && x >= f.low && x <= f.high
}

func (duration) parse(text string, _ bool) (any, bool) {
	d, err := time.ParseDuration(text)
	return d, err == nil && (d == 0 || d >= time.Microsecond && d <= time.Hour)
}

// units are the factors of memory sizes.
var units = map[string]int64{"": 1, "b": 1, "kb": 1 << 10, "k": 1 << 10, "mb": 1 << 20, "m": 1 << 20, "gb": 1 << 30, "g": 1 << 30}

func (f memory) parse(text string, trusted bool) (any, bool) {
	digits := strings.TrimRight(strings.ToLower(text), "kmgb")
	unit := units[strings.ToLower(text)[len(digits):]]
	n, err := strconv.ParseInt(digits, 10, 64)
	return n * unit, err == nil && (n == 0 || unit > 0 && n > 0 && n <= maxFor(trusted, f.high, f.guest)/unit && n*unit >= f.low)
}

func (f words) parse(text string, _ bool) (any, bool) {
	i := slices.Index(f, text)
	return i, i >= 0
}

// parse returns the exponent of the tile.
func (tile) parse(text string, _ bool) (any, bool) {
	n, err := strconv.ParseUint(text, 10, 64)
	return uint8(max(0, bits.Len64(n)-1)), err == nil && (n == 0 || n >= 8 && n <= maxTile && n&(n-1) == 0)
}

func (other) parse(string, bool) (any, bool) { panic("the player's own code reads it") }

// infos returns the descriptions of keys for users.
func infos(keys []key, trusted bool) []protocol.KeyInfo {
	all := make([]protocol.KeyInfo, len(keys))
	for i, k := range keys {
		all[i] = protocol.KeyInfo{Name: k.name, Unit: k.unit, Range: k.value.want(trusted), Default: cmp.Or(k.defaultValue, k.without), Help: k.help}
		if w, ok := k.value.(words); ok {
			all[i].Values = w
		}
	}
	return all
}

// args reads the arguments of a spec according to a table of keys and records the first error. It panics on a
// key that the table lacks.
type args struct {
	name    string // name of the player as the user wrote it
	spec    *spec.Spec
	keys    []key
	trusted bool // the limits of trusted callers hold
	err     error
}

func (a *args) fail(format string, values ...any) {
	if a.err == nil {
		a.err = fmt.Errorf("%s: "+format, append([]any{a.name}, values...)...)
	}
}

// refuse records an error about a value that its key does not accept.
func (a *args) refuse(k *key, value any) {
	a.fail("%s=%v: must be %s", k.name, value, k.value.want(a.trusted))
}

// key returns the key with a name.
func (a *args) key(name string) *key {
	for i := range a.keys {
		if a.keys[i].name == name {
			return &a.keys[i]
		}
	}
	panic(a.name + ": no table of keys has " + name)
}

// given reports whether the spec sets a key.
func (a *args) given(name string) bool {
	_, ok := a.spec.Get(name)
	return ok
}

// word returns the text of a key's value, or its default; "" if there is neither or the value is
// not a plain word.
func (a *args) word(k *key) string {
	v, ok := a.spec.Get(k.name)
	if !ok {
		return k.defaultValue
	}
	if v.Call != nil || v.Quoted {
		a.refuse(k, v)
		return ""
	}
	return v.Text
}

// value returns the value of a key, nil if it has neither a value nor a default.
func (a *args) value(k *key) any {
	text := a.word(k)
	if text == "" {
		return nil
	}
	x, ok := k.value.parse(text, a.trusted)
	if !ok {
		a.refuse(k, text)
	}
	return x
}

// get returns the value of a key for the player's own code: an int, which is the number of a word, float64,
// int64 of memory, or uint8 of a tile; 0 if it has neither a value nor a default.
func get[T any](a *args, name string) T {
	x, _ := a.value(a.key(name)).(T)
	return x
}

// fill sets the fields of options, a pointer to a struct, that keys name. A pointer stays nil if its key has no value.
func (a *args) fill(options any) {
	o := reflect.ValueOf(options).Elem()
	for i := range a.keys {
		k := &a.keys[i]
		if k.into == "" {
			continue
		}
		x, field := reflect.ValueOf(a.value(k)), o.FieldByName(k.into)
		switch {
		case !x.IsValid():
		case field.Kind() == reflect.Pointer:
			field.Set(reflect.New(field.Type().Elem()))
			field.Elem().Set(x)
		case field.Kind() == reflect.Bool:
			field.SetBool(x.Int() != 0)
		case field.CanInt():
			field.SetInt(x.Int())
		case field.CanUint() && x.CanInt(): // the number of a word
			field.SetUint(uint64(x.Int()))
		default:
			field.Set(x)
		}
	}
}

// finish returns the first error; keys that are not in the table are errors.
func (a *args) finish() error {
	known := each.Of(a.keys, func(k key) string { return k.name })
	for _, arg := range a.spec.Args {
		if a.err == nil && !slices.Contains(known, arg.Key) {
			a.err = unknown(fmt.Sprintf("%s has no key %q", a.name, arg.Key), arg.Key, known)
		}
	}
	return a.err
}

// unknown returns an error about an unknown name, with the nearest known one, or else all of them.
func unknown(problem, word string, candidates []string) error {
	if len(candidates) == 0 {
		return fmt.Errorf("%s: it takes no keys", problem)
	}
	return fmt.Errorf("%s: %s", problem, spec.Suggest(word, slices.Compact(slices.Sorted(slices.Values(candidates)))))
}
