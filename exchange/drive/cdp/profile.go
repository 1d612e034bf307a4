package cdp

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"github.com/afterstate2048/afterstate/internal/filelock"
)

const (
	profilePrefix = "afterstate-drive-"
	// profileLock is a file in a profile, which is locked while this program runs.
	profileLock = "afterstate.lock"
)

// profile is the folder of a browser that was started.
type profile struct {
	folder string
	lock   *filelock.Lock
}

// newProfile makes an empty profile, and removes those of runs that were killed.
func newProfile() (p profile, err error) {
	removeStale(os.TempDir())
	if p.folder, err = os.MkdirTemp("", profilePrefix); err != nil {
		return p, err
	}
	// Without a lock, for example on some network file systems, the profile stays after a kill.
	p.lock, _ = filelock.Acquire(filepath.Join(p.folder, profileLock))
	return p, nil
}

// remove removes the profile. It returns an error while the browser's processes write there.
func (p *profile) remove() error {
	if p.lock != nil {
		_ = p.lock.Close()
		p.lock = nil
	}
	return os.RemoveAll(p.folder)
}

// removeStale removes the profiles in a folder whose program and browser have ended. A profile without a lock
// file is left alone: it may be another program's, or of one that is starting.
func removeStale(folder string) {
	if runtime.GOOS == "windows" { // the browser of a killed program runs on, and nothing shows that
		return
	}
	found, _ := os.ReadDir(folder) // nothing is removed from a folder that cannot be read
	for _, entry := range found {
		if !entry.IsDir() || !strings.HasPrefix(entry.Name(), profilePrefix) {
			continue
		}
		at := filepath.Join(folder, entry.Name())
		file := filepath.Join(at, profileLock)
		// Others may write to the folder of temporary files: no link is followed.
		if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() || running(at) {
			continue
		}
		if lock, err := filelock.Acquire(file); err == nil {
			_ = os.RemoveAll(at) // what cannot be removed is tried again at the next start
			_ = lock.Close()
		}
	}
}

// running reports whether a browser uses a profile. Chromium links SingletonLock there to its host and process ID.
func running(folder string) bool {
	to, err := os.Readlink(filepath.Join(folder, "SingletonLock"))
	if err != nil {
		return false
	}
	pid, err := strconv.Atoi(to[strings.LastIndexByte(to, '-')+1:])
	if err != nil {
		return true // unknown
	}
	process, err := os.FindProcess(pid)
	if err == nil {
		err = process.Signal(syscall.Signal(0))
	}
	return err == nil || errors.Is(err, syscall.EPERM)
}
