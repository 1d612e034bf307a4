//go:build unix && !race

// Builds for the race detector have no network.

package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// The first best fills the cache, from which the second one answers. With --no-cache none is made.
func TestBestFillsTheCache(t *testing.T) {
	soak.Full(t, "decodes the network twice; TestLoad of package cache has the same with a small one")
	cache := t.TempDir()
	best := func(flags ...string) {
		s := clitest.Start(t, clitest.Options{Env: []string{"XDG_CACHE_HOME=" + cache}},
			append([]string{"best", "2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2"}, flags...)...)
		s.Sees("values are points")
		s.Ends(0)
	}
	files := func() []string {
		all, _ := filepath.Glob(filepath.Join(cache, "afterstate", "network-*"))
		return all
	}
	if best("--no-cache"); len(files()) != 0 {
		t.Errorf("without a cache there is %v", files())
	}
	for range 2 {
		if best(); len(files()) != 1 {
			t.Errorf("there is %v", files())
		}
	}
	if info, err := os.Stat(files()[0]); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v", info, err)
	}
}
