package hub_test

import (
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/cli/hub"
	"github.com/afterstate2048/afterstate/experiment/machines/launch"
)

func TestMain(m *testing.M) {
	clitest.MainWith(m, map[string]func(){launch.Program: hub.Main}, clitest.CacheSignature)
}

func TestScripts(t *testing.T) { clitest.Scripts(t) }
