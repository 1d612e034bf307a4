package bench_test

import (
	"os"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/experiment/bench"
)

// docs/positions.txt is what docs/search.md's commands read: the first hundred.
func TestPositionsFile(t *testing.T) {
	data, err := os.ReadFile("../../docs/positions.txt")
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for _, b := range bench.Positions()[:100] {
		want.WriteString(b.String() + "\n")
	}
	if string(data) != want.String() {
		t.Error("docs/positions.txt is stale: write the first hundred of bench.Positions")
	}
}
