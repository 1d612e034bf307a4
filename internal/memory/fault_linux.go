package memory

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
)

// mapped are the mapped files: a [mapping] by the address where it begins.
var mapped sync.Map

type mapping struct {
	end  uintptr
	path string
}

// PanicOnFaults makes reading a part of a mapped file that was truncated a panic in this goroutine, which [Fault] recognizes.
func PanicOnFaults() { debug.SetPanicOnFault(true) }

// CatchFaults turns reading a part of a mapped file that another process has truncated, which otherwise ends this
// process, into an error that names the file:
//
//	defer memory.CatchFaults(&err)()
//
// It is for one goroutine; package workers does the same in its own. Only Linux maps files.
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

// Fault returns the error for a recovered panic that is a fault in a mapped file, nil for others.
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
