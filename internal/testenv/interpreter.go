package testenv

import (
	"os"
	"os/exec"
	"testing"
)

// Interpreter returns the path of an interpreter, such as python3. If it is missing, the test is
// skipped, or fails in CI.
func Interpreter(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil && os.Getenv("CI") != "true" {
		t.Skipf("NOT RUN: %s is missing", name)
	} else if err != nil {
		t.Fatal(err)
	}
	return path
}
