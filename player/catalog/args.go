package catalog

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/afterstate2048/afterstate/player/spec"
)

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
	a.fail("%s=%v: want %s", k.name, value, k.value.want(a.trusted))
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
	if len(candidates) == 0 {
		return fmt.Errorf("%s: it takes no keys", problem)
	}
	return fmt.Errorf("%s: %s", problem, spec.Suggest(word, slices.Compact(slices.Sorted(slices.Values(candidates)))))
}
