//go:build unix

package runs

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

// A pipe in place of metrics is refused, since waiting for its writer might never end.
func TestPipeIsNoMetrics(t *testing.T) {
	f := Folder{Path: t.TempDir()}
	dir := filepath.Join(f.Path, "piped")
	must.Do(t, os.Mkdir(dir, 0o700))
	must.Do(t, syscall.Mkfifo(filepath.Join(dir, MetricsFile), 0o600))
	_, err := f.Metrics("piped", 0)
	must.Contains(t, fmt.Sprint(err), "has no metrics", "read")
}
