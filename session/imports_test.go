package session_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A browser's worker can be built from this package: it needs no server and no database.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Fields(string(out))
	if !slices.Contains(all, "afterstate/wire") {
		t.Fatalf("%d packages, without wire", len(all))
	}
	for _, name := range all {
		for _, not := range []string{"net/http", "database/sql", "afterstate/arena", "afterstate/experiment", "afterstate/runs", "afterstate/serve"} {
			if name == not || strings.HasPrefix(name, not+"/") {
				t.Errorf("session depends on %s", name)
			}
		}
	}
}
