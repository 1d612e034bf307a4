//go:build unix

package clitest

import (
	"io"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

// A program that still draws for a larger window after a resize does not crash the session.
func TestOutputForLargerWindow(t *testing.T) {
	screen := newScreen(20, 24)
	screen.Resize(20, 10)
	for _, output := range []string{"\x1b[1;20r\x1b[8S\x1b[r", "\x1b[24;1Hlow", "\x1b[1;5r\x1b[2S\x1b[r\x1b[1;1Hnew"} {
		must.Get(io.WriteString(screen, output))(t)
	}
	if got := screen.String(); !strings.HasPrefix(got, "new") {
		t.Errorf("the screen is %q", got)
	}
}
