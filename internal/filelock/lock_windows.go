package filelock

import (
	"errors"
	"os"
	"syscall"
	"time"
)

const sharingViolation syscall.Errno = 32

// Acquire opens a file so that nobody else can until it is closed, and creates it if it is
// not there. It does not wait: see ErrLocked.
func Acquire(path string) (*Lock, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	switch {
	case err == sharingViolation:
		return nil, ErrLocked
	case err != nil:
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return &Lock{os.NewFile(uintptr(h), path)}, nil
}

// Wait is Acquire, but waits for its turn.
func Wait(path string) (*Lock, error) {
	for {
		l, err := Acquire(path)
		if !errors.Is(err, ErrLocked) {
			return l, err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (l *Lock) close(remove bool) error {
	err := l.file.Close()
	if remove { // open files cannot be removed; this fails where another process has it by now
		_ = os.Remove(l.file.Name())
	}
	return err
}

// TryFile cannot lock a file that is open already.
func TryFile(*os.File) (bool, error) { return false, nil }
