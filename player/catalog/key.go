package catalog

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"afterstate/bitboard"
	"afterstate/wire"
)

// key describes one key of a spec. The tables of keys drive the parser, its error messages, the
// output of the command players and of players.list, and docs/players.md.
type key struct {
	name  string
	unit  string // "" where the value is a word
	value format
	usual string // the default in the notation of specs; "" if none can be written
	// without describes the behaviour when the key is absent, if usual is empty.
	without string
	help    string
}

// format is the set of values that a key accepts.
type format interface {
	// want describes the accepted values, with the limits of trusted or untrusted specs
	// (Capabilities.Trusted).
	want(own bool) string
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
	// words is a fixed set of values.
	words []string
	// tile is a tile value that boards can be downgraded to, or 0.
	tile struct{}
	// other is parsed by the player's own code; the text describes it.
	other string
)

func (f whole) most(own bool) int {
	if own || f.guest == 0 {
		return f.high
	}
	return f.guest
}

func (f memory) most(own bool) int64 {
	if own || f.guest == 0 {
		return f.high
	}
	return f.guest
}

const maxTile = 1 << bitboard.MaxExponent

func (f whole) want(own bool) string {
	return fmt.Sprintf("a whole number from %d to %d", f.low, f.most(own))
}

func (f number) want(bool) string {
	if math.IsInf(f.low, -1) {
		return fmt.Sprintf("a number up to %g, or -inf", f.high)
	}
	return fmt.Sprintf("a number from %g to %g", f.low, f.high)
}

func (duration) want(bool) string { return "0 for no limit, or a time from 1us to 1h such as 200ms" }

func (f memory) want(own bool) string {
	return fmt.Sprintf("0 for none, or memory from %dMB to %dMB such as 16MB", f.low>>20, f.most(own)>>20)
}

func (f words) want(bool) string {
	return strings.Join(f[:len(f)-1], ", ") + " or " + f[len(f)-1]
}

func (tile) want(bool) string { return fmt.Sprintf("0, or a tile from 8 to %d", maxTile) }

func (f other) want(bool) string { return string(f) }

// info returns the description of a key for users.
func (k *key) info(own bool) wire.KeyInfo {
	i := wire.KeyInfo{Name: k.name, Unit: k.unit, Range: k.value.want(own), Default: cmp.Or(k.usual, k.without), Help: k.help}
	if w, ok := k.value.(words); ok {
		i.Values = w
	}
	return i
}

// infos returns the descriptions of keys for users.
func infos(keys []key, own bool) []wire.KeyInfo {
	all := make([]wire.KeyInfo, len(keys))
	for i := range keys {
		all[i] = keys[i].info(own)
	}
	return all
}
