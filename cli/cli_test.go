package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

func TestMain(m *testing.M) { clitest.Main(m, clitest.CacheSignature) }

// The commands do what testdata/script says.
func TestScripts(t *testing.T) { clitest.Scripts(t) }

// succeeds runs a command line in this process to a good end, and returns what it prints.
func succeeds(t testing.TB, args ...string) (out string) {
	t.Helper()
	status, out, errOut := clitest.Run(t.Context(), strings.NewReader(""), args...)
	if status != 0 {
		t.Fatalf("%q: status %d, %s", args, status, errOut)
	}
	return out
}

// A stream of thousands is answered in order, for any number of workers.
func TestBestStream(t *testing.T) {
	var in strings.Builder
	const boards = 3000
	for i := range boards {
		fmt.Fprintf(&in, "%d,0,0/0,%d,0/2,0,4\n", 2<<(i%7), 2<<(i/7%9))
	}
	var first string
	for _, workers := range []string{"1", "2", "7"} {
		status, out, errOut := clitest.Run(t.Context(), strings.NewReader(in.String()), "best", "-", "-j", workers, "-p", "expectimax(plies=1)")
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
		data := must.Get(os.ReadFile("../rules/board/testdata/original-rules-" + size + ".jsonl"))(t)
		var in strings.Builder
		for line := range strings.Lines(string(data)) {
			var v struct{ Board board.Board }
			must.Do(t, json.Unmarshal([]byte(line), &v))
			fmt.Fprintln(&in, v.Board)
		}
		status, out, errOut := clitest.Run(t.Context(), strings.NewReader(in.String()), "inspect", "--json", "-")
		if status != 0 || errOut != "" {
			t.Fatalf("status %d, %s", status, errOut)
		}
		if out != string(data) {
			t.Errorf("%s: inspect differs from the vectors", size)
		}
	}
}
