package model_test

import (
	"testing"

	"afterstate/internal/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m) }
