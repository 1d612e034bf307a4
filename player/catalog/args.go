package catalog

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"afterstate/player/spec"
)

// args reads the arguments of a spec one key at a time and remembers the first
// thing wrong with them.
type args struct {
	name  string // the player's, as its user wrote it
	spec  *spec.Spec
	known []string
	err   error

	evalName string // what the key eval said
}

func (a *args) fail(format string, values ...any) {
	if a.err == nil {
		a.err = fmt.Errorf("%s: "+format, append([]any{a.name}, values...)...)
	}
}

// get notes that a key exists and returns its value, if given.
func (a *args) get(key string) (spec.Value, bool) {
	a.known = append(a.known, key)
	return a.spec.Get(key)
}

// word is a plain word's text, without calls and quotes.
func (a *args) word(key, want string) (string, bool) {
	v, ok := a.get(key)
	if ok && (v.Call != nil || v.Quoted) {
		a.fail("%s=%v: want %s", key, v, want)
		return "", false
	}
	return v.Text, ok
}

func (a *args) int(key string, otherwise, low, high int) int {
	want := fmt.Sprintf("a whole number from %d to %d", low, high)
	text, ok := a.word(key, want)
	if !ok {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		a.fail("%s=%s: want %s", key, text, want)
		return otherwise
	}
	return n
}

// float reads a number; it may be -inf where low is.
func (a *args) float(key string, otherwise, low, high float64) float64 {
	want := fmt.Sprintf("a number from %g to %g", low, high)
	if math.IsInf(low, -1) {
		want = fmt.Sprintf("a number up to %g, or -inf", high)
	}
	text, ok := a.word(key, want)
	if !ok {
		return otherwise
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= low && x <= high) {
		a.fail("%s=%s: want %s", key, text, want)
		return otherwise
	}
	return x
}

func (a *args) duration(key string, otherwise time.Duration) time.Duration {
	const want = "0 for no limit, or a time from 1us to 1h such as 200ms"
	text, ok := a.word(key, want)
	if !ok {
		return otherwise
	}
	d, err := time.ParseDuration(text)
	if err != nil || d != 0 && d < time.Microsecond || d > time.Hour {
		a.fail("%s=%s: want %s", key, text, want)
		return otherwise
	}
	return d
}

// bytes reads an amount of memory; 0 is always accepted.
func (a *args) bytes(key string, otherwise, low, high int64) int64 {
	want := fmt.Sprintf("0 for none, or memory from %dMB to %dMB such as 16MB", low>>20, high>>20)
	text, ok := a.word(key, want)
	if !ok {
		return otherwise
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
		unit = 0 // refused below
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n != 0 && (unit == 0 || n < 0 || n > high/unit || n*unit < low) {
		a.fail("%s=%s: want %s", key, text, want)
		return otherwise
	}
	return n * unit
}

// choice reads one of some words; the first one holds when none is given.
func (a *args) choice(key string, words ...string) string {
	want := strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
	text, ok := a.word(key, want)
	if !ok {
		return words[0]
	}
	if !slices.Contains(words, text) {
		a.fail("%s=%s: want %s", key, text, want)
	}
	return text
}

// finish refuses keys that nothing asked for.
func (a *args) finish() error {
	for _, arg := range a.spec.Args {
		if a.err == nil && !slices.Contains(a.known, arg.Key) {
			a.err = unknown(fmt.Sprintf("%s has no key %q", a.name, arg.Key), arg.Key, a.known)
		}
	}
	return a.err
}

// unknown is an error about a name that does not exist, with the nearest one
// that does, or else all of them.
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
