// Package clitest helps to test the command line: a test binary can act as the program, run command
// lines in its own process, and drive it on a pseudo-terminal.
//
//	func TestMain(m *testing.M) { clitest.Main(m) }
//
//	func TestScripts(t *testing.T) { clitest.Scripts(t) }
package clitest

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/afterstate2048/afterstate/cli"
	"github.com/afterstate2048/afterstate/experiment/bench"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// Main runs the tests, and lets the test binary act as the program for scripts and process tests.
// The tests share a cache folder; before is called ahead of them.
func Main(m *testing.M, before ...func()) { MainWith(m, nil, before...) }

// MainWith is Main for a test binary that can act as further programs too, by their names.
func MainWith(m *testing.M, programs map[string]func(), before ...func()) {
	// With the race detector a program sleeps for a second at exit by default. Bots that the tests
	// start need not.
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0")
	all := map[string]func(){"afterstate": cli.Main}
	maps.Copy(all, programs)
	for name, program := range all {
		all[name] = func() {
			endWithTests()
			program()
		}
	}
	testscript.Main(cached{m, before}, all)
}

// ParentVariable is the environment variable with the process ID of the tests, for programs that tests start
// and end. The programs also end when the tests are killed.
const ParentVariable = "AFTERSTATE_TEST_PARENT"

// endWithTests ends this process soon after the tests that started it.
func endWithTests() {
	parent := os.Getppid()
	if os.Getenv(ParentVariable) != strconv.Itoa(parent) {
		return
	}
	go func() {
		for os.Getppid() == parent {
			time.Sleep(time.Second)
		}
		os.Exit(1)
	}()
}

// cached runs tests with a shared cache folder.
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
	if compiled, err := os.UserCacheDir(); err == nil && os.Getenv("GOCACHE") == "" {
		_ = os.Setenv("GOCACHE", filepath.Join(compiled, "go-build")) // for tests that build programs
	}
	if err := os.Setenv("XDG_CACHE_HOME", folder); err != nil {
		panic(err)
	}
	for _, do := range c.before {
		do()
	}
	return c.M.Run()
}

// CacheSignature computes the program's signature in advance. Parallel tests would each compute it,
// which takes half a minute with the race detector.
func CacheSignature() {
	if _, err := bench.LocalSignature(context.Background()); err != nil {
		panic(err)
	}
}

// Scripts runs testdata/script; UPDATE=1 rewrites the golden outputs. Lines after [full] run in
// make check (FULL=1) only: they are slow repetitions of other tests.
func Scripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", UpdateScripts: Update(),
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
