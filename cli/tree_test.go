package cli_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/cli/clitest"
)

// Ctrl-C ends a search that takes long and leaves no file behind.
func TestTreeInterrupt(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel) // the search has no end that a test would see
	status, out, errOut := clitest.Run(ctx, strings.NewReader(""), "tree", "-p", "expectimax(plies=12)", "-o", dir+"/tree.svg", "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2")
	if status != 130 || out != "" || errOut != "afterstate: interrupted\n" {
		t.Errorf("status %d, %q, %q", status, out, errOut)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
}
