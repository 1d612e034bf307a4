package filelock

import (
	"os"
	"syscall"
)

const sharingViolation syscall.Errno = 32

// Acquire opens a file exclusively until it is closed, and creates it if missing. It does not
// block: see ErrLocked.
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

// Held reports whether Acquire would fail because another process holds the lock.
func Held(path string) bool {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return false
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ, 0, nil, syscall.OPEN_EXISTING, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err == nil {
		_ = syscall.CloseHandle(h)
	}
	return err == sharingViolation
}

func (l *Lock) close(remove bool) error {
	err := l.file.Close()
	if remove { // open files cannot be removed; this fails if another process has opened it since
		_ = os.Remove(l.file.Name())
	}
	return err
}

// TryFile does nothing: Windows cannot lock a file that is already open this way.
func TryFile(*os.File) (bool, error) { return false, nil }
