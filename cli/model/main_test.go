package model_test

import (
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m) }
