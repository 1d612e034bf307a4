//go:build clib

package main

/*
#include <stdint.h>
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"runtime/cgo"
	"time"

	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/workers"
)

// call is a request that is processed in the background, so that its caller can check for signals
// meanwhile and cancel it.
type call struct {
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{} // closed when answer is set; nil: not begun
	answer *C.char
}

func callOf(handle C.uintptr_t) *call { return objectOf[*call](handle) }

var errBegun = errors.New("this call was used before: want a new one for each request")

// begin starts the work in a goroutine. It may be called once per call. failed makes the answer of
// work that panics.
func (c *call) begin(work func(ctx context.Context) *C.char, failed func(error) *C.char) error {
	if c.done != nil {
		return errBegun
	}
	c.done = make(chan struct{})
	go func() {
		defer close(c.done)
		defer func() {
			if r := recover(); r != nil {
				c.answer = failed(misuse(r))
			}
		}()
		c.answer = work(c.ctx)
	}()
	return nil
}

// guard is deferred by exported functions. It turns a panic, such as that of a freed handle or a
// negative count, into the function's error: a panic would end the caller's process.
func guard(text **C.char) {
	if r := recover(); r != nil {
		*text = errorText(misuse(r))
	}
}

// misuse is the error for what a function panicked with.
func misuse(r any) error {
	if p, ok := r.(*workers.PanicError); ok {
		r = p.Value
	}
	return fmt.Errorf("the library was used wrongly, or failed: %v", r)
}

// objectOf returns the object of a handle. It panics on a handle that was freed or is that of an object of
// another type; guard turns the panic into an error.
func objectOf[T any](handle C.uintptr_t) T { return cgo.Handle(handle).Value().(T) }

// afterstate_call_new creates a call for one request. afterstate_rpc or afterstate_decide starts
// the work and returns immediately.
//
//	uintptr_t call = afterstate_call_new();
//	afterstate_rpc(call, "{...}");
//	while (!afterstate_call_wait(call, 50) && !interrupted) {}
//	char *answer = afterstate_call_end(call);
//
//export afterstate_call_new
func afterstate_call_new() C.uintptr_t {
	c := &call{}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return C.uintptr_t(cgo.NewHandle(c))
}

// afterstate_call_wait waits up to the given time for the end of the work. It returns 1 when the
// work has ended, also for a handle without a call, else 0.
//
//export afterstate_call_wait
func afterstate_call_wait(handle C.uintptr_t, milliseconds C.int32_t) (ended C.int32_t) {
	defer func() {
		if recover() != nil {
			ended = 1
		}
	}()
	c := callOf(handle)
	select {
	case <-c.done:
		return 1
	case <-time.After(time.Duration(milliseconds) * time.Millisecond):
		return 0
	}
}

// afterstate_call_end cancels the work if it has not ended, waits until it no longer uses the
// caller's memory, frees the call, and returns the answer: NULL if nothing was started.
//
//export afterstate_call_end
func afterstate_call_end(handle C.uintptr_t) (text *C.char) {
	defer guard(&text)
	c := callOf(handle)
	c.cancel()
	if c.done != nil {
		<-c.done
	}
	cgo.Handle(handle).Delete()
	return c.answer
}

// errorText returns an error's message in C memory, or NULL.
func errorText(err error) *C.char {
	if err == nil {
		return nil
	}
	var short *memory.Error
	if errors.As(err, &short) {
		return C.CString("memory: " + err.Error())
	}
	return C.CString(err.Error())
}
