// Package testenv prepares what tests run in: a cache folder of their own, a check for goroutines that remain, and
// the interpreters of bots.
//
//	func TestMain(m *testing.M) { testenv.Main(m) }
package testenv

import (
	"os"
	"path/filepath"
)

// Run sets XDG_CACHE_HOME to a temporary folder, calls run, and removes the folder. It returns the status of
// run. What a user has solved or downloaded then changes no result, and tests leave nothing in the user's folders.
// The folder has only the decoded networks of the user's cache: decoding the champion takes a second and more.
// Tests that build programs still use the user's build cache.
func Run(run func() int) int {
	folder, err := os.MkdirTemp("", "afterstate-cache-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	if cache, err := os.UserCacheDir(); err == nil {
		linkNetworks(filepath.Join(cache, "afterstate"), filepath.Join(folder, "afterstate"))
		if os.Getenv("GOCACHE") == "" {
			_ = os.Setenv("GOCACHE", filepath.Join(cache, "go-build"))
		}
	}
	if err := os.Setenv("XDG_CACHE_HOME", folder); err != nil {
		panic(err)
	}
	return run()
}

// linkNetworks links the networks of a cache folder into another one, where the system can. Package models maps only
// sound files that have the content of the network.
func linkNetworks(from, to string) {
	networks, _ := filepath.Glob(filepath.Join(from, "network-*.int16"))
	if len(networks) == 0 || os.Mkdir(to, 0o700) != nil {
		return
	}
	for _, path := range networks {
		_ = os.Link(path, filepath.Join(to, filepath.Base(path)))
	}
}
