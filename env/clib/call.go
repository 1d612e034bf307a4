//go:build clib

package main

/*
#include <stdint.h>
*/
import "C"

import (
	"context"
	"errors"
	"runtime/cgo"
	"time"

	"afterstate/internal/memory"
)

// call is a request that is worked on in the background, so that its caller can look
// for signals meanwhile and give it up.
type call struct {
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{} // closed when answer is there; nil: nothing has begun
	answer *C.char
}

func callOf(handle C.uintptr_t) *call { return cgo.Handle(handle).Value().(*call) }

// begin works on a request. Each call takes one.
func (c *call) begin(work func(ctx context.Context) *C.char) {
	c.done = make(chan struct{})
	go func() {
		defer close(c.done)
		c.answer = work(c.ctx)
	}()
}

// afterstate_call_new makes a call for one request: one of afterstate_rpc and
// afterstate_decide begins it and returns at once.
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

// afterstate_call_wait waits for the end of the work, up to that many milliseconds, and
// returns 1 when it has ended, else 0.
//
//export afterstate_call_wait
func afterstate_call_wait(handle C.uintptr_t, milliseconds C.int32_t) C.int32_t {
	c := callOf(handle)
	select {
	case <-c.done:
		return 1
	case <-time.After(time.Duration(milliseconds) * time.Millisecond):
		return 0
	}
}

// afterstate_call_end gives the request up unless its work has ended, waits until nothing
// of the caller's memory is used any more, frees the call, and returns the answer: NULL if
// nothing has begun.
//
//export afterstate_call_end
func afterstate_call_end(handle C.uintptr_t) *C.char {
	c := callOf(handle)
	c.cancel()
	if c.done != nil {
		<-c.done
	}
	cgo.Handle(handle).Delete()
	return c.answer
}

// told is an error as the library tells it.
func told(err error) *C.char {
	if err == nil {
		return nil
	}
	var short *memory.Error
	if errors.As(err, &short) {
		return C.CString("memory: " + err.Error())
	}
	return C.CString(err.Error())
}
