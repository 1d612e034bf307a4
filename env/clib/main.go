//go:build clib

// Command clib is Afterstate as a C library: environments of package env that write
// into the caller's memory, the players, and the protocol. It is built behind a tag,
// since it needs a C compiler, which nothing else here does:
//
//	go build -buildmode=c-shared -tags clib -o libafterstate.so ./env/clib
//
// which makes libafterstate.h as well. The Python package in the folder python uses it.
//
// Functions that can fail return NULL, or a message in one to three lines that the
// caller gives back with afterstate_free, as all text that comes from here. A message that
// begins with "memory: " says that the request takes more memory than there is; Go would
// end the process. Memory that
// is passed in stays the caller's; arrays are dense and row-major. Boards are exponents,
// one byte a cell: 0 for an empty cell, 1 for a 2, 11 for a 2048. Directions are 0 up,
// 1 right, 2 down, 3 left.
//
// A process that was forked off another one that used the library cannot use it: Go's
// threads do not come along. Start new processes instead.
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

	"afterstate/player/catalog"
	"afterstate/session"
	"afterstate/wire"
)

// version is set by whoever builds the library: -ldflags "-X main.version=0.1.0".
var version = "unknown"

func main() {}

//export afterstate_free
func afterstate_free(text *C.char) { C.free(unsafe.Pointer(text)) }

//export afterstate_version
func afterstate_version() *C.char { return C.CString(version) }

// answering answers all requests of a process, one at a time.
var answering = sync.OnceValues(func() (*session.Session, error) {
	maker, err := catalog.Parse("auto", capabilities())
	if err != nil {
		return nil, err
	}
	return session.New(session.Options{
		Name: "afterstate", Version: version, Player: maker, Capabilities: capabilities(), PrepareOnHello: true,
	})
})

// afterstate_rpc begins to answer one message of the protocol, which docs/protocol.md
// describes, with one line of JSON. It is afterstate rpc without the pipes.
//
//export afterstate_rpc
func afterstate_rpc(handle C.uintptr_t, request *C.char) {
	message := []byte(C.GoString(request))
	callOf(handle).begin(func(ctx context.Context) *C.char {
		s, err := answering()
		if err != nil {
			return C.CString(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"the players cannot be made"}}`)
		}
		answer, _ := wire.Answer(ctx, s, nil, message)
		return C.CString(string(answer))
	})
}

// slice is memory of the caller's; nil where the caller passes none.
func slice[T, From any](first *From, n int) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(first)), n)
}

var errForesees = errors.New("it knows the tiles to come, which nobody tells here: want another player")
