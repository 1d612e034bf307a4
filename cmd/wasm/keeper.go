//go:build js && wasm

package main

import (
	"errors"
	"syscall/js"

	"afterstate/arena/solo"
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

// Load returns all values.
func (k keeper) Load() (map[string][]byte, error) {
	all, err := await(k.page.Call("load"))
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

// noKeeper is the keeper of a browser whose values cannot be read: it stores nothing and says why.
type noKeeper struct{ err error }

func (k noKeeper) Save(string, []byte, string, []byte) error { return k.err }
func (k noKeeper) Remove(string, []byte, string) error       { return k.err }
func (noKeeper) Load() (map[string][]byte, error)            { return nil, nil }

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
