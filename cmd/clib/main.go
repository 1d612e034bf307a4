//go:build clib

// Command clib is Afterstate as a C library: environments of package env that write into the
// caller's memory, the players, and the protocol. Building it needs a C compiler, so it has a build
// tag:
//
//	go build -buildmode=c-shared -tags clib -o libafterstate.so ./cmd/clib
//
// This also generates libafterstate.h. The Python package in the folder python uses the library.
//
// Functions that can fail return NULL on success, or a message of one to three lines. The caller
// frees every returned text with afterstate_free. A message that begins with "memory: " means that
// the request needs more memory than is available; allocating it would terminate the process.
//
// Memory that is passed in stays owned by the caller; arrays are dense and row-major. Boards are
// exponents, one byte a cell: 0 for an empty cell, 1 for a 2, 11 for a 2048. Directions are 0 up, 1
// right, 2 down, 3 left.
//
// A handle that was freed, a negative count or a NULL where memory is needed is an error. Addresses
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
	"errors"
	"sync"
	"unsafe"

	"github.com/afterstate2048/afterstate/internal/version"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/serve/session"
)

func main() {}

//export afterstate_free
func afterstate_free(text *C.char) { C.free(unsafe.Pointer(text)) }

//export afterstate_version
func afterstate_version() *C.char { return C.CString(version.Version) }

// answering returns the session that answers all requests of the process, one at a time.
var answering = sync.OnceValues(func() (*session.Session, error) {
	maker, err := catalog.Parse("auto", capabilities())
	if err != nil {
		return nil, err
	}
	return session.New(session.Options{
		Name: "afterstate", Version: version.Version, Player: maker, Capabilities: capabilities(), PrepareOnHello: true, Solve: true,
	})
})

// afterstate_rpc starts answering one protocol message (docs/protocol.md), like the command rpc.
// The answer is one line of JSON.
//
//export afterstate_rpc
func afterstate_rpc(handle C.uintptr_t, request *C.char) (text *C.char) {
	defer guard(&text)
	message := []byte(C.GoString(request))
	return errorText(callOf(handle).begin(func(ctx context.Context) *C.char {
		s, err := answering()
		if err != nil {
			return refusal(err)
		}
		answer, _ := protocol.Answer(ctx, s, nil, message)
		return C.CString(string(answer))
	}, refusal))
}

// refusal is the answer to a request that could not be processed.
func refusal(err error) *C.char {
	return C.CString(string(protocol.Refuse(nil, protocol.Request{}, protocol.Errorf(protocol.CodeInternal, "%v", err))))
}

// slice returns the caller's memory as a slice; nil for NULL.
func slice[T, From any](first *From, n int) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(first)), n)
}

var errForesees = errors.New("it knows the coming spawns, which are not available here: want another player")
