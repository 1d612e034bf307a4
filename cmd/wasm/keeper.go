//go:build js && wasm

package main

import (
	"encoding/json"
	"errors"
	"syscall/js"

	"github.com/afterstate2048/afterstate/experiment/solo"
)

// keeper stores experiments by the functions save, remove and load of the worker's script, which
// return promises. It implements solo.Keeper.
type keeper struct{ page js.Value }

// Save stores a value, or replaces it, if the value of the key guard is still want; nil: it has none.
func (k keeper) Save(key string, value []byte, guard string, want []byte) error {
	expected := js.Null()
	if want != nil {
		expected = js.ValueOf(string(want))
	}
	return changed(k.page.Call("save", key, string(value), guard, expected))
}

// Remove removes a value, and all values whose keys begin with prefix, if the value is still want.
func (k keeper) Remove(key string, want []byte, prefix string) error {
	return changed(k.page.Call("remove", key, string(want), prefix))
}

// changed waits for a promise of whether the page has changed its values.
func changed(promise js.Value) error {
	done, err := await(promise)
	if err == nil && !done.Bool() {
		err = solo.ErrChanged
	}
	return err
}

// Load returns all values whose keys begin with one of the prefixes, except those of the known keys.
func (k keeper) Load(prefixes, known []string) (map[string][]byte, error) {
	which, err := json.Marshal([2][]string{prefixes, known}) // one call into JavaScript, not one for each key
	if err != nil {
		return nil, err
	}
	all, err := await(k.page.Call("load", string(which)))
	if err != nil {
		return nil, err
	}
	values := map[string][]byte{}
	for i := range all.Length() {
		pair := all.Index(i)
		values[pair.Index(0).String()] = []byte(pair.Index(1).String())
	}
	return values, nil
}

// locks are those of the functions lock, unlock and locked of the worker's script, which all tabs share. It
// implements solo.Locker.
type locks struct{ page js.Value }

// Lock takes a lock.
func (l locks) Lock(name string) (release func(), err error) {
	taken, err := await(l.page.Call("lock", name))
	switch {
	case err != nil:
		return nil, err
	case !taken.Bool():
		return nil, solo.ErrLocked
	}
	return func() { _, _ = await(l.page.Call("unlock", name)) }, nil
}

// Locked returns the names of the locks that are taken.
func (l locks) Locked() (names []string, err error) {
	all, err := await(l.page.Call("locked"))
	if err != nil {
		return nil, err
	}
	for i := range all.Length() {
		names = append(names, all.Index(i).String())
	}
	return names, nil
}

// noKeeper is the keeper of a browser whose values cannot be read: it stores nothing and says why.
type noKeeper struct{ err error }

func (k noKeeper) Save(string, []byte, string, []byte) error   { return k.err }
func (k noKeeper) Remove(string, []byte, string) error         { return k.err }
func (noKeeper) Load(_, _ []string) (map[string][]byte, error) { return nil, nil }

// await waits for a promise. Callbacks of JavaScript must not call it.
func await(promise js.Value) (js.Value, error) {
	type result struct {
		value js.Value
		err   error
	}
	done := make(chan result, 1)
	then := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- result{value: args[0]}
		return nil
	})
	defer then.Release()
	failed := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- result{err: errors.New(js.Global().Get("String").Invoke(args[0]).String())}
		return nil
	})
	defer failed.Release()
	promise.Call("then", then, failed)
	r := <-done
	return r.value, r.err
}
