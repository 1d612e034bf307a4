//go:build unix

package cdp

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/afterstate2048/afterstate/internal/filelock"
	"github.com/afterstate2048/afterstate/internal/must"
)

// Only the profiles of programs that have ended are removed.
func TestRemoveStale(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	folder := func(name string, files ...string) string {
		t.Helper()
		folder := filepath.Join(os.TempDir(), name)
		must.Do(t, os.Mkdir(folder, 0o700))
		for _, f := range files {
			must.Do(t, os.WriteFile(filepath.Join(folder, f), nil, 0o600))
		}
		return folder
	}
	killed := folder(profilePrefix+"killed", profileLock, "Cookies")
	left := []string{folder(profilePrefix+"starting", "Cookies"), folder("other", profileLock), folder(profilePrefix+"held", profileLock)}
	lock := must.Get(filelock.Acquire(filepath.Join(left[2], profileLock)))(t)
	defer lock.Close()
	first := must.Get(newProfile())(t)
	second := must.Get(newProfile())(t)
	for _, folder := range append(left, first.folder, second.folder) {
		must.Get(os.Stat(folder))(t)
	}
	if _, err := os.Stat(killed); err == nil {
		t.Error("it remains:", killed)
	}
	must.Do(t, first.remove())
	if _, err := os.Stat(first.folder); err == nil {
		t.Error("it remains after remove")
	}
}
