//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cli

import (
	"io"
	"os"
	"syscall"
)

// lockFile locks a file until it is closed or the process ends, however that happens.
func lockFile(path string) (io.Closer, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		if err == syscall.EWOULDBLOCK {
			err = errLocked
		}
		return nil, err
	}
	return f, nil
}
