package catalog

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

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

// info returns the description of a key for users.
func (k *key) info(trusted bool) protocol.KeyInfo {
	i := protocol.KeyInfo{Name: k.name, Unit: k.unit, Range: k.value.want(trusted), Default: cmp.Or(k.defaultValue, k.without), Help: k.help}
	if w, ok := k.value.(words); ok {
		i.Values = w
	}
	return i
}

// infos returns the descriptions of keys for users.
func infos(keys []key, trusted bool) []protocol.KeyInfo {
	all := make([]protocol.KeyInfo, len(keys))
	for i := range keys {
		all[i] = keys[i].info(trusted)
	}
	return all
}
