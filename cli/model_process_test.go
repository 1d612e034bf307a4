//go:build unix

package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/must"
)

// A killed quantization leaves its temporary file; the next one removes it, and not that of
// one that still runs.
func TestQuantizeKilled(t *testing.T) {
	p := clitest.NewProcess(t)
	checkpoint := filepath.Join(p.Data, "afterstate", "runs", "first", "checkpoint.model")
	if status, _, errOut := p.Run("train", "2x4", "--games", "5", "-j", "1", "--name", "first"); status != 0 {
		t.Fatal(errOut)
	}
	folder := t.TempDir()
	small := filepath.Join(folder, "q.model")
	temporary := func() (names []string) {
		t.Helper()
		names = must.Get(filepath.Glob(filepath.Join(folder, ".*.afterstate")))(t)
		return names
	}
	begin := func() *exec.Cmd {
		t.Helper()
		before := temporary()
		cmd, _, _ := p.Start("model", "quantize", checkpoint, "-o", small, "--games", "100000000", "-j", "1")
		clitest.WaitFor(t, func() bool {
			now := temporary()
			return len(now) == 1 && !slices.Equal(now, before)
		})
		return cmd
	}
	killed := begin()
	must.Do(t, killed.Process.Kill())
	_ = killed.Wait()
	left := temporary()
	running := begin() // removes it, and makes its own
	if now := temporary(); len(left) != 1 || len(now) != 1 || now[0] == left[0] {
		t.Errorf("left %v, then there are %v", left, now)
	}
	if status, _, errOut := p.Run("model", "quantize", checkpoint, "-o", small, "--games", "0"); status != 0 {
		t.Error(errOut)
	}
	if now := temporary(); len(now) != 1 {
		t.Errorf("while one runs there are %v", now)
	}
	must.Do(t, running.Process.Signal(os.Interrupt))
	_ = running.Wait()
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}
