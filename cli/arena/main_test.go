package arena_test

import (
	"testing"

	"afterstate/internal/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m, clitest.CacheSignature) }

// The commands do what testdata/script says.
func TestScripts(t *testing.T) { clitest.Scripts(t) }
