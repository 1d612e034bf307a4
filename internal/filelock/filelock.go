// Package filelock locks files between processes. The system releases a lock when the process that
// holds it ends, for any reason. On network file systems, locks work between machines only if the
// file system supports this.
package filelock

import (
	"errors"
	"os"
	"runtime"
	"time"

	"github.com/gofrs/flock"
)

// ErrLocked means that another process, or another Lock in this process, holds the lock.
var ErrLocked = errors.New("locked by another process")

// Lock is a lock on a file, held by this process. Release it with Close or Remove.
type Lock struct{ *flock.Flock }

// Remove removes the file and releases the lock.
func (l *Lock) Remove() error {
	if runtime.GOOS == "windows" { // close first: Windows cannot remove a file that this or another process has open
		err := l.Close()
		_ = os.Remove(l.Path())
		return err
	}
	// Remove before closing. A process that opened the file earlier gets the lock after Close, finds with isStill that
	// the file was removed, and tries again.
	return errors.Join(os.Remove(l.Path()), l.Close())
}

// Acquire locks a file and creates it if it is missing. It does not wait: if the lock is held, it
// returns ErrLocked.
func Acquire(path string) (*Lock, error) {
	for {
		l, err := try(path, os.O_RDWR|os.O_CREATE)
		if l != nil || err != nil {
			return l, err
		}
	}
}

// Wait locks a file like Acquire, but waits while the lock is held.
func Wait(path string) (*Lock, error) {
	for {
		l, err := Acquire(path)
		if !errors.Is(err, ErrLocked) {
			return l, err
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// Open locks an existing file. It returns ErrLocked if the lock is held, and also if the file was
// removed before it could be locked. On Windows it returns errors.ErrUnsupported, because a locked
// file could not be written there.
func Open(path string) (*Lock, error) {
	if runtime.GOOS == "windows" {
		return nil, errors.ErrUnsupported
	}
	l, err := try(path, os.O_RDWR)
	if l == nil && err == nil || errors.Is(err, os.ErrNotExist) {
		err = ErrLocked
	}
	return l, err
}

// Held reports whether Acquire would fail because another process holds the lock. It creates no
// file. Held itself holds a shared lock for an instant; an Acquire that meets this lock tries again.
func Held(path string) bool {
	l := flock.New(path, flock.SetFlag(os.O_RDONLY))
	defer l.Close()
	free, err := l.TryRLock()
	return !free && err == nil
}

// attempts is the maximum number of attempts of try, 1 ms apart, while only calls of Held hold the
// lock. All attempts together take at least a second. A call of Held takes microseconds, unless its
// process waits for a core.
const attempts = 1000

// try locks a file that it opens with these flags. It returns nil without an error if the previous
// holder removed the file meanwhile.
func try(path string, flags int) (*Lock, error) {
	l := flock.New(path, flock.SetFlag(flags), flock.SetPermissions(0o666))
	for range attempts {
		switch locked, err := l.TryLock(); {
		case err != nil:
			return nil, err
		case locked && isStill(l):
			return &Lock{l}, nil
		case locked:
			return nil, l.Close()
		}
		if Held(path) {
			break
		}
		time.Sleep(time.Millisecond) // the lock was held only by a call of Held, here or in another process
	}
	return nil, ErrLocked
}

// isStill reports whether the path of a locked file still refers to that file.
func isStill(l *flock.Flock) bool {
	open, err := l.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(l.Path())
	return err == nil && os.SameFile(open, named)
}
