package bench_test

import (
	"os"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/experiment/bench"
	"github.com/afterstate2048/afterstate/internal/must"
)

// docs/positions.txt is what docs/search.md's commands read: the first hundred.
func TestPositionsFile(t *testing.T) {
	data := must.Get(os.ReadFile("../../docs/positions.txt"))(t)
	var want strings.Builder
	for _, b := range bench.Positions()[:100] {
		want.WriteString(b.String() + "\n")
	}
	if string(data) != want.String() {
		t.Error("docs/positions.txt is stale: write the first hundred of bench.Positions")
	}
}
