//go:build unix

package cli_test

import (
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
)

// Help asks the terminal nothing, since some never answer, and writes no escape sequences where there may be no emulator.
func TestHelpOnTerminals(t *testing.T) {
	for env, escapes := range map[string]bool{"TERM=xterm-256color": true, "TERM=dumb": false, "TERM=": false} {
		s := clitest.Start(t, clitest.Options{Env: []string{env}}, "best", "--help")
		s.Sees("--workers")
		s.Ends(0)
		out := s.Output()
		if strings.Contains(out, "\x1b") != escapes || strings.Contains(out, "\x1b]") || !strings.Contains(out, "--player") {
			t.Errorf("%s: %q", env, out)
		}
	}
	s := clitest.Start(t, clitest.Options{Env: []string{"NO_COLOR=1"}}, "best", "--help")
	s.Sees("--workers")
	s.Ends(0)
	if out := s.Output(); strings.Contains(out, "\x1b[3") || strings.Contains(out, "\x1b]") {
		t.Errorf("%q", out)
	}
}
