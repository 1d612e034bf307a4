//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package filelock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Acquire makes a file that must not be there yet. What a killed process leaves must be
// removed by hand.
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

// Wait does not wait here: a killed process would make it wait for ever.
func Wait(path string) (*Lock, error) { return Acquire(path) }

// TryFile cannot lock files here.
func TryFile(*os.File) (bool, error) { return false, nil }

// close removes the file in any case: it is the lock.
func (l *Lock) close(bool) error { return errors.Join(l.file.Close(), os.Remove(l.file.Name())) }
