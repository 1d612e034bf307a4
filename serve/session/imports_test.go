package session_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

// A browser's worker can be built from this package: it needs no server and no database.
func TestImports(t *testing.T) {
	out := must.Get(exec.Command("go", "list", "-deps", ".").Output())(t)
	all := strings.Fields(string(out))
	if !slices.Contains(all, "github.com/afterstate2048/afterstate/protocol") {
		t.Fatalf("%d packages, without protocol", len(all))
	}
	if slices.Contains(all, "github.com/afterstate2048/afterstate/serve") {
		t.Error("session depends on the server")
	}
	for _, name := range all {
		for _, not := range []string{"net/http", "database/sql", "github.com/afterstate2048/afterstate/experiment/arena", "github.com/afterstate2048/afterstate/experiment", "github.com/afterstate2048/afterstate/learn/runs"} {
			if name == not || strings.HasPrefix(name, not+"/") {
				t.Errorf("session depends on %s", name)
			}
		}
	}
}
