// Package frozen_test holds what a change of the code's structure must not change: the games of
// every player, the answers of every protocol method over every transport, the checksums of short
// training runs, and the keys of CSV and JSON. The tests use only commands and the protocol, so that
// packages can be restructured.
//
//	UPDATE=1 go test ./cli/frozen    records everything again
//
// A recorded value changes only together with a documented change of behavior.
package frozen_test

import (
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m) }
