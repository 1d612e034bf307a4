// Package testenv prepares what tests run in: a cache folder of their own, a check for goroutines that remain, and
// the interpreters of bots.
//
//	func TestMain(m *testing.M) { testenv.Main(m) }
package testenv

import (
	"os"
	"path/filepath"
)

// Run sets XDG_CACHE_HOME to an empty temporary folder, calls run, and removes the folder. It returns the status of
// run. What a user has solved or downloaded then changes no result, and tests leave nothing in the user's folders.
// Tests that build programs still use the user's build cache.
func Run(run func() int) int {
	folder, err := os.MkdirTemp("", "afterstate-cache-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	if compiled, err := os.UserCacheDir(); err == nil && os.Getenv("GOCACHE") == "" {
		_ = os.Setenv("GOCACHE", filepath.Join(compiled, "go-build"))
	}
	if err := os.Setenv("XDG_CACHE_HOME", folder); err != nil {
		panic(err)
	}
	return run()
}
