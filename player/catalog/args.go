package catalog

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"

	"afterstate/player/spec"
)

// args reads the arguments of a spec according to a table of keys and records the first error. Its
// methods panic if the table lacks the key or has it with another format.
type args struct {
	name string // name of the player as the user wrote it
	spec *spec.Spec
	keys []key
	own  bool // use the limits of trusted callers
	err  error

	evalName string // value of the key eval
}

func (a *args) fail(format string, values ...any) {
	if a.err == nil {
		a.err = fmt.Errorf("%s: "+format, append([]any{a.name}, values...)...)
	}
}

// refuse records an error about a value that its key does not accept.
func (a *args) refuse(k *key, value any) {
	a.fail("%s=%v: want %s", k.name, value, k.value.want(a.own))
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
		return k.usual
	}
	if v.Call != nil || v.Quoted {
		a.refuse(k, v)
		return ""
	}
	return v.Text
}

func (a *args) int(name string) int {
	k := a.key(name)
	f, text := k.value.(whole), a.word(k)
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < f.low || n > f.most(a.own) {
		a.refuse(k, text)
		return 0
	}
	return n
}

func (a *args) float(name string) float64 {
	k := a.key(name)
	f, text := k.value.(number), a.word(k)
	if text == "" {
		return 0
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= f.low && x <= f.high) {
		a.refuse(k, text)
		return 0
	}
	return x
}

func (a *args) duration(name string) time.Duration {
	k := a.key(name)
	_, text := k.value.(duration), a.word(k)
	if text == "" {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil || d != 0 && d < time.Microsecond || d > time.Hour {
		a.refuse(k, text)
		return 0
	}
	return d
}

// bytes reads a memory size in bytes; 0 is always accepted.
func (a *args) bytes(name string) int64 {
	k := a.key(name)
	f, text := k.value.(memory), a.word(k)
	if text == "" {
		return 0
	}
	number, unit := strings.TrimRight(strings.ToLower(text), "kmgb"), int64(1)
	switch strings.ToLower(text)[len(number):] {
	case "", "b":
	case "kb", "k":
		unit = 1 << 10
	case "mb", "m":
		unit = 1 << 20
	case "gb", "g":
		unit = 1 << 30
	default:
		unit = 0 // rejected below
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n != 0 && (unit == 0 || n < 0 || n > f.most(a.own)/unit || n*unit < f.low) {
		a.refuse(k, text)
		return 0
	}
	return n * unit
}

// choice reads one of a fixed set of words.
func (a *args) choice(name string) string {
	k := a.key(name)
	f, text := k.value.(words), a.word(k)
	if text != "" && !slices.Contains(f, text) {
		a.refuse(k, text)
	}
	return text
}

// tile reads a tile and returns its exponent.
func (a *args) tile(name string) uint8 {
	k := a.key(name)
	_, text := k.value.(tile), a.word(k)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n != 0 && (n < 8 || n > maxTile || n&(n-1) != 0) {
		a.refuse(k, text)
		return 0
	}
	return uint8(max(0, bits.Len64(n)-1))
}

// finish returns the first error; keys that are not in the table are errors.
func (a *args) finish() error {
	var known []string
	for i := range a.keys {
		known = append(known, a.keys[i].name)
	}
	for _, arg := range a.spec.Args {
		if a.err == nil && !slices.Contains(known, arg.Key) {
			a.err = unknown(fmt.Sprintf("%s has no key %q", a.name, arg.Key), arg.Key, known)
		}
	}
	return a.err
}

// unknown returns an error about an unknown name, with the nearest known one, or else all of them.
func unknown(problem, word string, candidates []string) error {
	if near := spec.Nearest(word, candidates); near != "" {
		return fmt.Errorf("%s: did you mean %s?", problem, near)
	}
	sorted := slices.Sorted(slices.Values(candidates))
	if len(sorted) == 0 {
		return fmt.Errorf("%s: it takes no keys", problem)
	}
	return fmt.Errorf("%s: want %s", problem, strings.Join(slices.Compact(sorted), ", "))
}
