//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package filelock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Acquire creates a file that must not exist yet. The file of a killed process must be removed
// manually.
func Acquire(path string) (*Lock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("it exists; remove it if no other process of this program runs")
	}
	if err != nil {
		return nil, err
	}
	return &Lock{f}, nil
}

// Held reports whether the file of a lock exists, which is also the case after its process was killed.
func Held(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TryFile does nothing: this system cannot lock files.
func TryFile(*os.File) (bool, error) { return false, nil }

// close always removes the file, since it is the lock.
func (l *Lock) close(bool) error { return errors.Join(l.file.Close(), os.Remove(l.file.Name())) }
