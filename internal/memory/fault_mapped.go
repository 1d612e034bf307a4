//go:build darwin || linux

package memory

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
)

// mapped holds a [mapping] for the start address of each mapped file.
var mapped sync.Map

type mapping struct {
	end  uintptr
	path string
}

// PanicOnFaults makes this goroutine panic when it reads a truncated part of a mapped file.
// Otherwise such a read ends the process. [Fault] recognizes the panic.
func PanicOnFaults() { debug.SetPanicOnFault(true) }

// CatchFaults sets *err if this goroutine reads a part of a mapped file that another process has
// truncated. Otherwise such a read ends this process. The error names the file. Use it as follows:
//
//	defer memory.CatchFaults(&err)()
//
// Package workers does the same for its goroutines. Files are mapped on Linux and macOS only.
func CatchFaults(err *error) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		if p := recover(); p != nil {
			if *err = Fault(p); *err == nil {
				panic(p)
			}
		}
	}
}

// Fault returns the error for a recovered panic that is a fault in a mapped file, or nil for other
// panics.
func Fault(p any) (err error) {
	var fault interface {
		error
		Addr() uintptr
	}
	if cause, ok := p.(error); !ok || !errors.As(cause, &fault) {
		return nil
	}
	mapped.Range(func(begin, m any) bool {
		if at, m := fault.Addr(), m.(mapping); at >= begin.(uintptr) && at < m.end {
			err = fmt.Errorf("%s was truncated while it was in use: start the program again", m.path)
		}
		return err == nil
	})
	return err
}
