//go:build js && wasm

package main

import (
	"errors"
	"syscall/js"
)

// keeper stores experiments with the functions save, remove and load of the worker's script, which
// return promises. It implements browserstore.Keeper.
type keeper struct{ page js.Value }

// hold locks the experiments for this tab until it is closed. It returns an error while another tab holds the lock.
func (k keeper) hold() error {
	locked, err := await(k.page.Call("hold"))
	if err == nil && !locked.Bool() {
		err = errors.New("another tab of this browser is using the experiments: use them there, or close that tab")
	}
	return err
}

// Save stores a value under a key. It replaces an earlier value.
func (k keeper) Save(key string, value []byte) error {
	_, err := await(k.page.Call("save", key, string(value)))
	return err
}

// Remove removes the value under a key, and all values whose keys begin with prefix.
func (k keeper) Remove(key, prefix string) error {
	_, err := await(k.page.Call("remove", key, prefix))
	return err
}

// Load returns all values whose keys begin with a prefix.
func (k keeper) Load(prefix string) (map[string][]byte, error) {
	all, err := await(k.page.Call("load", prefix))
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

// await waits for a promise and returns its value or error. JavaScript callbacks must not call it,
// because they must not block.
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
