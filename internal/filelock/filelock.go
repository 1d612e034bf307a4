// Package filelock locks files between processes. The system releases a lock when the process that
// holds it ends, for any reason. On network file systems, locks work between machines only if the
// file system supports it.
package filelock

import (
	"errors"
	"os"
	"time"
)

// ErrLocked is the error of Acquire if another process, or another Lock of this one, holds the
// file.
var ErrLocked = errors.New("locked by another process")

// Lock is a file locked by this process. Release it with Close or Remove.
type Lock struct{ file *os.File }

// Close releases the lock and keeps the file.
func (l *Lock) Close() error { return l.close(false) }

// Remove removes the file and releases the lock.
func (l *Lock) Remove() error { return l.close(true) }

// Wait is Acquire, but waits until the lock is free.
func Wait(path string) (*Lock, error) {
	for {
		l, err := Acquire(path)
		if !errors.Is(err, ErrLocked) {
			return l, err
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// isStill reports whether the path of an open file still refers to it.
func isStill(f *os.File) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(f.Name())
	return err == nil && os.SameFile(open, named)
}
