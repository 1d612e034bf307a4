//go:build !race

// Builds for the race detector have no network.

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"afterstate/internal/clitest"
	"afterstate/internal/soak"
)

// The first best on a terminal says that it loads the network and fills the cache, from which the
// second one answers. With --no-cache none is made.
func TestBestFillsTheCache(t *testing.T) {
	soak.Full(t, "decodes the network twice; TestThroughCache has the same with a small one")
	cache := t.TempDir()
	best := func(flags ...string) string {
		s := clitest.Start(t, clitest.Options{Env: []string{"XDG_CACHE_HOME=" + cache}},
			append([]string{"best", "2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2"}, flags...)...)
		text := s.Sees("values are points")
		s.Ends(0)
		return text
	}
	files := func() []string {
		all, _ := filepath.Glob(filepath.Join(cache, "afterstate", "network-*"))
		return all
	}
	const notice = "loading the network"
	if !strings.Contains(best("--no-cache"), notice) || len(files()) != 0 {
		t.Errorf("without a cache: no notice, or there is %v", files())
	}
	if !strings.Contains(best(), notice) || len(files()) != 1 {
		t.Errorf("with an empty cache: no notice, or there is %v", files())
	}
	if strings.Contains(best(), notice) {
		t.Error("it loads with a warm cache")
	}
	if info, err := os.Stat(files()[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}
