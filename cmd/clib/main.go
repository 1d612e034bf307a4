//go:build clib

// Command clib is Afterstate as a C library: environments of package env that write into the
// caller's memory, the players, and the protocol. It has a build tag, because building it needs a C
// compiler:
//
//	go build -buildmode=c-shared -tags clib -o libafterstate.so ./cmd/clib
//
// This also generates libafterstate.h. The Python package in the folder python uses the library.
//
// Functions that can fail return NULL on success, or a message of one to three lines. The caller
// frees every returned text with afterstate_free. A message that begins with "memory: " means that
// the request needs more memory than is available; allocating it would terminate the process.
//
// Memory that is passed in stays owned by the caller. Arrays are dense and row-major. Boards are
// exponents, one byte per cell: 0 for an empty cell, 1 for a 2, 11 for a 2048. Directions are 0 up,
// 1 right, 2 down, 3 left.
//
// A handle that was freed, a negative count, or NULL where memory is needed is an error. Addresses
// and lengths cannot be checked: arrays must have the documented sizes.
//
// A process forked from one that used the library cannot use it, since fork does not copy Go's
// threads. Start new processes instead.
package main

/*
#include <stdint.h>
#include <stdlib.h>
*/
import "C"

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/cgo"
	"sync"
	"time"
	"unsafe"

	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/version"
	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/serve/session"
)

func main() {}

//export afterstate_free
func afterstate_free(text *C.char) { C.free(unsafe.Pointer(text)) }

// answerer is a session and a count of the requests that use it.
type answerer struct {
	*session.Session
	uses sync.WaitGroup
}

// answering answers all requests of the process, one at a time. It is nil before the first request.
var (
	answering *answerer
	mutex     sync.Mutex
)

// answers returns the shared answerer and counts the request as one of its uses. The caller calls
// uses.Done when the request has ended.
func answers() (*answerer, error) {
	mutex.Lock()
	defer mutex.Unlock()
	if answering == nil {
		maker, err := catalog.Parse("auto", capabilities())
		if err != nil {
			return nil, err
		}
		s, err := session.New(session.Options{
			Name: "afterstate", Version: version.Version, Player: maker, Capabilities: capabilities(), PrepareOnHello: true, Solve: true,
		})
		if err != nil {
			return nil, err
		}
		answering = &answerer{Session: s}
	}
	answering.uses.Add(1)
	return answering, nil
}

// forgetPlayers makes the next request start a new session. It waits until the requests of the current session
// have ended, and closes that session's players.
func forgetPlayers() {
	mutex.Lock()
	old := answering
	answering = nil
	mutex.Unlock()
	if old != nil {
		old.uses.Wait()
		_ = old.Close() // capabilities allows no external programs, so closing returns no error
	}
}

// afterstate_rpc starts answering one protocol message (docs/protocol.md), like the command rpc.
// The answer is one line of JSON.
//
//export afterstate_rpc
func afterstate_rpc(handle C.uintptr_t, request *C.char) (text *C.char) {
	defer guard(&text)
	message := []byte(C.GoString(request))
	return errorText(objectOf[*call](handle).begin(func(ctx context.Context) *C.char {
		s, err := answers()
		if err != nil {
			return refusal(err)
		}
		defer s.uses.Done()
		answer, _ := protocol.Answer(ctx, s.Session, nil, message)
		return C.CString(string(answer))
	}, refusal))
}

// refusal returns the answer to a request that could not be processed.
func refusal(err error) *C.char {
	return C.CString(string(protocol.Refuse(nil, protocol.Request{}, protocol.Errorf(protocol.CodeInternal, "%v", err))))
}

// slice returns the caller's memory as a slice of n elements.
func slice[T, From any](first *From, n int) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(first)), n)
}

// call is a request that is processed in the background, so that its caller can check for signals
// meanwhile and cancel it.
type call struct {
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{} // closed when answer is set; nil: not started
	answer *C.char
}

// begin starts the work in a goroutine. It fails if the call was used before. If work panics, failed turns the
// panic's error into the answer.
func (c *call) begin(work func(ctx context.Context) *C.char, failed func(error) *C.char) error {
	if c.done != nil {
		return errors.New("this call was used before: use a new one for each request")
	}
	c.done = make(chan struct{})
	go func() {
		defer close(c.done)
		memory.PanicOnFaults()
		defer func() {
			if r := recover(); r != nil {
				c.answer = failed(misuse(r))
			}
		}()
		c.answer = work(c.ctx)
	}()
	return nil
}

// guard is deferred by every exported function. It turns a panic, for example because of a freed handle or a negative
// count, into the function's error. Otherwise the panic would end the caller's process.
func guard(text **C.char) {
	if r := recover(); r != nil {
		*text = errorText(misuse(r))
	}
}

// misuse returns the error for a recovered panic value.
func misuse(r any) error {
	if err := memory.Fault(r); err != nil {
		return err
	}
	if p, ok := r.(*workers.PanicError); ok {
		r = p.Value
	}
	return fmt.Errorf("the library was used wrongly, or failed: %v", r)
}

// objectOf returns the object of a handle. It panics if the handle was freed or refers to an object of another type;
// guard turns the panic into an error.
func objectOf[T any](handle C.uintptr_t) T { return cgo.Handle(handle).Value().(T) }

// afterstate_call_new creates a call for one request. A function that takes a call, such as
// afterstate_rpc or afterstate_decide, starts the work and returns immediately.
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

// afterstate_call_wait waits up to the given time for the end of the work. It returns 1 if the work has ended
// or the handle does not refer to a call, and otherwise 0.
//
//export afterstate_call_wait
func afterstate_call_wait(handle C.uintptr_t, milliseconds C.int32_t) (ended C.int32_t) {
	defer func() {
		if recover() != nil {
			ended = 1
		}
	}()
	c := objectOf[*call](handle)
	select {
	case <-c.done:
		return 1
	case <-time.After(time.Duration(milliseconds) * time.Millisecond):
		return 0
	}
}

// afterstate_call_end cancels the work if it has not ended, waits until it no longer uses the
// caller's memory, frees the call, and returns the answer. The answer is NULL if no work was
// started.
//
//export afterstate_call_end
func afterstate_call_end(handle C.uintptr_t) (text *C.char) {
	defer guard(&text)
	c := objectOf[*call](handle)
	c.cancel()
	if c.done != nil {
		<-c.done
	}
	cgo.Handle(handle).Delete()
	return c.answer
}

// answerJSON sets *to to v as a line of JSON, which the caller frees with afterstate_free. It
// returns the text of an error, or NULL.
func answerJSON(to **C.char, v any) *C.char {
	line, err := json.Marshal(v)
	return answerText(to, string(line), err)
}

// answerText sets *to to text, which the caller frees with afterstate_free. If err is not nil, it instead returns the
// message of err.
func answerText(to **C.char, text string, err error) *C.char {
	if err == nil {
		*to = C.CString(text)
	}
	return errorText(err)
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
