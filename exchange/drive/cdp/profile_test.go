//go:build unix

package cdp

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/afterstate2048/afterstate/internal/filelock"
)

// Only the profiles of programs and browsers that have ended are removed.
func TestRemoveStale(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	folder := func(name string, files ...string) string {
		t.Helper()
		folder := filepath.Join(os.TempDir(), name)
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if err := os.WriteFile(filepath.Join(folder, f), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return folder
	}
	killed := folder(profilePrefix+"killed", profileLock, "Cookies")
	ended := folder(profilePrefix+"ended", profileLock)
	left := []string{
		folder(profilePrefix+"starting", "Cookies"), folder("other", profileLock), folder(profilePrefix+"held", profileLock), folder(profilePrefix+"browser", profileLock),
	}
	lock, err := filelock.Acquire(filepath.Join(left[2], profileLock))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	const none = 1 << 30 // beyond all process IDs
	for folder, pid := range map[string]int{left[3]: os.Getpid(), ended: none} {
		if err := os.Symlink(fmt.Sprint("host-name-", pid), filepath.Join(folder, "SingletonLock")); err != nil {
			t.Fatal(err)
		}
	}
	first, err := newProfile()
	if err != nil {
		t.Fatal(err)
	}
	second, err := newProfile()
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range append(left, first.folder, second.folder) {
		if _, err := os.Stat(folder); err != nil {
			t.Error(err)
		}
	}
	for _, folder := range []string{killed, ended} {
		if _, err := os.Stat(folder); err == nil {
			t.Error("it remains:", folder)
		}
	}
	if err := first.remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(first.folder); err == nil {
		t.Error("it remains after remove")
	}
}
