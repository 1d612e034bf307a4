// Package pythontest finds the Python interpreter for tests.
package pythontest

import (
	"os"
	"os/exec"
	"testing"
)

// Interpreter returns the path of python3. Without one it skips the test, or fails it in CI.
func Interpreter(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil && os.Getenv("CI") != "true" {
		t.Skip("NOT RUN: python3 is missing")
	} else if err != nil {
		t.Fatal(err)
	}
	return path
}
