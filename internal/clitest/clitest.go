// Package clitest helps to test the command line: a test binary can be the program itself, run
// command lines in its own process, and sit at a terminal.
//
//	func TestMain(m *testing.M) { clitest.Main(m) }
//
//	func TestScripts(t *testing.T) { clitest.Scripts(t) }
package clitest

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"afterstate/bench"
	"afterstate/cli"
	"afterstate/internal/soak"
)

// Main lets the test binary be the program itself, for scripts and for tests that need a
// process. The tests share a folder of caches; what is to be done before them is done then.
func Main(m *testing.M, before ...func()) {
	// The race detector lets a program sleep for a second when it ends. Bots that the
	// tests start need not.
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0")
	testscript.Main(cached{m, before}, map[string]func(){"afterstate": cli.Main})
}

// cached are tests that share a folder of caches.
type cached struct {
	*testing.M
	before []func()
}

func (c cached) Run() int {
	folder, err := os.MkdirTemp("", "afterstate-cache-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	if err := os.Setenv("XDG_CACHE_HOME", folder); err != nil {
		panic(err)
	}
	for _, do := range c.before {
		do()
	}
	return c.M.Run()
}

// CacheSignature computes the program's signature beforehand. Parallel tests would each compute
// it, which takes half a minute under the race detector.
func CacheSignature() {
	if _, err := bench.LocalSignature(context.Background()); err != nil {
		panic(err)
	}
}

// Scripts runs testdata/script; with UPDATE=1 it rewrites the golden outputs. Lines after
// [full] run in make check (FULL=1) only: they repeat slowly what others show.
func Scripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", UpdateScripts: os.Getenv("UPDATE") != "",
		Setup: func(e *testscript.Env) error {
			e.Setenv("XDG_CACHE_HOME", os.Getenv("XDG_CACHE_HOME"))
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "full" {
				return false, fmt.Errorf("unknown condition %s", name)
			}
			return soak.Wanted(), nil
		},
	})
}
