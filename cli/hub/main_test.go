package hub_test

import (
	"testing"

	"afterstate/cli/hub"
	"afterstate/hub/launch"
	"afterstate/internal/clitest"
)

func TestMain(m *testing.M) {
	clitest.MainWith(m, map[string]func(){launch.Program: hub.Main}, clitest.CacheSignature)
}

func TestScripts(t *testing.T) { clitest.Scripts(t) }
