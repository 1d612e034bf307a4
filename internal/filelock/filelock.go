// Package filelock locks files between processes. The system releases a lock when the
// process that holds it ends, however that happens. Locks on network file systems hold
// between machines only where the file system says so.
package filelock

import (
	"errors"
	"os"
)

// ErrLocked is the error of Acquire where another process, or another Lock of this one,
// holds the file.
var ErrLocked = errors.New("locked by another process")

// Lock is a file that this process has locked.
type Lock struct{ file *os.File }

// Close gives the lock up and leaves the file.
func (l *Lock) Close() error { return l.close(false) }

// Remove removes the file and gives the lock up.
func (l *Lock) Remove() error { return l.close(true) }

// isStill reports whether an open file still has its name.
func isStill(f *os.File) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(f.Name())
	return err == nil && os.SameFile(open, named)
}
