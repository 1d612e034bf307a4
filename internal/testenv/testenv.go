// Package testenv prepares the environment of tests: a temporary cache folder, a check for leaked
// goroutines, and the interpreters of bots.
//
//	func TestMain(m *testing.M) { testenv.Main(m) }
package testenv

import (
	"os"
	"path/filepath"
)

// Run sets XDG_CACHE_HOME to a temporary folder, calls run, and removes the folder. It returns the
// status of run. So results do not depend on what the user has solved or downloaded before, and
// tests leave nothing in the user's folders. The temporary folder contains only the decoded
// networks of the user's cache, because decoding the champion takes more than a second. Tests that
// build programs still use the user's build cache.
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

// linkNetworks creates hard links in one cache folder to the networks in another, if the system
// supports hard links. Package eval/models/cache checks a file's content before it maps it.
func linkNetworks(from, to string) {
	networks, _ := filepath.Glob(filepath.Join(from, "network-*.int16"))
	if len(networks) == 0 || os.Mkdir(to, 0o700) != nil {
		return
	}
	for _, path := range networks {
		_ = os.Link(path, filepath.Join(to, filepath.Base(path)))
	}
}
