package luck_test

import (
	"os"
	"testing"

	"github.com/afterstate2048/afterstate/internal/testenv"
)

// Solved sizes of the user would change results.
func TestMain(m *testing.M) { os.Exit(testenv.Run(m.Run)) }
