package train_test

import (
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// The command does what testdata/script says.
func TestScripts(t *testing.T) { clitest.Scripts(t) }
