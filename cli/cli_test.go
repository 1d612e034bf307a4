package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"afterstate/bench"
	"afterstate/board"
	"afterstate/internal/soak"
)

// TestMain lets the test binary be the program itself, for scripts and for tests
// that need a process.
func TestMain(m *testing.M) {
	testscript.Main(cached{m}, map[string]func(){"afterstate": Main})
}

// cached are tests that share a folder of caches.
type cached struct{ *testing.M }

func (c cached) Run() int {
	folder, err := os.MkdirTemp("", "afterstate-cache-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	if err := os.Setenv("XDG_CACHE_HOME", folder); err != nil {
		panic(err)
	}
	// Parallel tests would each compute it, which takes half a minute under the race detector.
	if _, err := bench.CachedSignature(context.Background(), cacheFolder()); err != nil {
		panic(err)
	}
	return c.M.Run()
}

// TestScripts runs testdata/script; with UPDATE=1 it rewrites the golden outputs. Lines
// after [full] run in make check (FULL=1) only: they repeat slowly what others show.
func TestScripts(t *testing.T) {
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

// run is one command line in this process.
func run(ctx context.Context, in io.Reader, args ...string) (status int, out, errOut string) {
	var o, e bytes.Buffer
	status = Run(ctx, args, in, &o, &e)
	return status, o.String(), e.String()
}

// A stream of thousands is answered in order, whatever the number of workers.
func TestBestStream(t *testing.T) {
	var in strings.Builder
	const boards = 3000
	for i := range boards {
		fmt.Fprintf(&in, "%d,0,0/0,%d,0/2,0,4\n", 2<<(i%7), 2<<(i/7%9))
	}
	var first string
	for _, workers := range []string{"1", "2", "7"} {
		status, out, errOut := run(t.Context(), strings.NewReader(in.String()), "best", "-", "-j", workers, "-p", "expectimax(plies=1)")
		if status != 0 || errOut != "" {
			t.Fatalf("status %d, %s", status, errOut)
		}
		if n := strings.Count(out, "\n"); n != boards {
			t.Fatalf("%d answers, want %d", n, boards)
		}
		if first == "" {
			first = out
		} else if out != first {
			t.Fatalf("%s workers answer differently", workers)
		}
	}
}

// inspect answers the rule vectors as the original's code did.
func TestInspectVectors(t *testing.T) {
	for _, size := range []string{"3x3", "4x4", "5x5", "6x6"} {
		data, err := os.ReadFile("../board/testdata/original-rules-" + size + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		var in strings.Builder
		for line := range strings.Lines(string(data)) {
			var v struct{ Board board.Board }
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&in, v.Board)
		}
		status, out, errOut := run(t.Context(), strings.NewReader(in.String()), "inspect", "--json", "-")
		if status != 0 || errOut != "" {
			t.Fatalf("status %d, %s", status, errOut)
		}
		if out != string(data) {
			t.Errorf("%s: inspect differs from the vectors", size)
		}
	}
}
