//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filelock

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// Held reports whether Acquire would fail because another process holds the lock. It creates no file and
// holds the lock for an instant only; Acquire in another process retries then.
func Held(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return errors.Is(flockOnce(f, syscall.LOCK_SH), ErrLocked)
}

// Acquire locks a file, which it creates if missing. It does not block: see ErrLocked.
func Acquire(path string) (*Lock, error) {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		if err := flock(f); err != nil {
			_ = f.Close()
			return nil, err
		}
		if isStill(f) {
			return &Lock{f}, nil
		}
		_ = f.Close() // its holder has removed it
	}
}

func (l *Lock) close(remove bool) error {
	var err error
	if remove { // while it is locked: see Acquire
		err = os.Remove(l.file.Name())
	}
	return errors.Join(err, l.file.Close())
}

// TryFile locks an open file until it is closed. It also returns ErrLocked if the file was removed
// before it was locked. reliable is false where files cannot be locked.
func TryFile(f *os.File) (reliable bool, err error) {
	switch err := flock(f); {
	case errors.Is(err, ErrLocked):
		return true, err
	case err != nil: // for example a file system without locks
		return false, nil
	}
	if !isStill(f) {
		return true, ErrLocked
	}
	return true, nil
}

// attempts of Acquire: another process may be in Held, which takes microseconds.
const attempts = 3

func flock(f *os.File) (err error) {
	for range attempts {
		if err = flockOnce(f, syscall.LOCK_EX); !errors.Is(err, ErrLocked) {
			return err
		}
		time.Sleep(time.Millisecond)
	}
	return err
}

func flockOnce(f *os.File, how int) error {
	for {
		switch err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB); err {
		case syscall.EINTR:
		case syscall.EWOULDBLOCK:
			return ErrLocked
		case nil:
			return nil
		default:
			return &os.PathError{Op: "flock", Path: f.Name(), Err: err}
		}
	}
}
