package runs

import (
	"errors"
	"fmt"

	"github.com/afterstate2048/afterstate/internal/disk"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/option"
	"github.com/afterstate2048/afterstate/learn"
)

// InputError is the error for a request that cannot be met. Nothing was changed.
type InputError struct{ Err error }

func (e *InputError) Error() string { return e.Err.Error() }

func (e *InputError) Unwrap() error { return e.Err }

func inputError(err error) error {
	if err == nil {
		return nil
	}
	return &InputError{err}
}

// InputErrorf returns an InputError with a formatted message.
func InputErrorf(format string, args ...any) error { return &InputError{fmt.Errorf(format, args...)} }

// Sentinels that an InputError may wrap, besides the types below.
var (
	ErrNoFolder = errors.New("no folder for runs")         // there is no home directory; see Default
	ErrForeign  = errors.New("not part of a training run") // the folder contains files that no training run wrote
	ErrLocked   = errors.New("being trained by another process")
)

// ExistsError is the error for a new run with the name of an existing run.
type ExistsError struct{ Name string }

func (e *ExistsError) Error() string { return fmt.Sprintf("run %s already exists", e.Name) }

// NotFoundError is the error for a name that no run has.
type NotFoundError struct {
	Name, Folder string
	Others       []string // names of the existing runs
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("no run is called %s in %s", e.Name, e.Folder)
}

func optionErrorf(name string, value any, format string, args ...any) error {
	return &InputError{&option.Error{Option: name, Value: value, Reason: fmt.Sprintf(format, args...)}}
}

// Requirements holds upper bounds of the memory and disk space that a training run needs, in bytes.
type Requirements struct{ Memory, Disk int64 }

// need returns the requirements of a run. While a checkpoint is written, the previous one still
// exists, so a new run needs disk space for two checkpoints, and a resumed run for one more.
func (o *Options) need(resumed bool) Requirements {
	n := Requirements{learn.RequiredMemory(&o.Layout, o.Coherent), learn.RequiredDisk(&o.Layout, o.Coherent)}
	if !resumed {
		n.Disk *= 2
	}
	return n
}

// checkSpace returns an error if memory or disk space is too small for the run. Unknown free space
// counts as enough.
func (f Folder) checkSpace(o *Options, resumed bool) error {
	n := o.need(resumed)
	freeMemory, freeDisk := memory.Available, disk.Free
	if f.FreeMemory != nil {
		freeMemory = f.FreeMemory
	}
	if f.FreeDisk != nil {
		freeDisk = f.FreeDisk
	}
	if free, ok := freeMemory(); ok && n.Memory > free {
		return inputError(&memory.Error{Needed: n.Memory, Free: free})
	}
	folder := disk.Existing(f.Path) // the existing folder in which f.Path is or will be created
	if free, ok := freeDisk(folder); ok && n.Disk > free {
		return inputError(&memory.Error{Needed: n.Disk, Free: free, Folder: folder})
	}
	if f.OnRequirements != nil {
		f.OnRequirements(o, n)
	}
	return nil
}
