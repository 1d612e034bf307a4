package train_test

import (
	"testing"

	"afterstate/internal/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// The command does what testdata/script says.
func TestScripts(t *testing.T) { clitest.Scripts(t) }
