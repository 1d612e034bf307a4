//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// lockFile makes a file that must not be there yet, and removes it when closed. What a
// killed process leaves must be removed by hand.
func lockFile(path string) (io.Closer, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("it exists; remove it if no process trains")
	}
	return made{f}, err
}

type made struct{ *os.File }

func (m made) Close() error { return errors.Join(m.File.Close(), os.Remove(m.Name())) }
