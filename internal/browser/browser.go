// Package browser opens addresses in the user's browser.
package browser

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
)

// Open opens a URL in the default browser. It fails if there is no desktop.
func Open(address string) error {
	var cmd *exec.Cmd
	switch {
	case runtime.GOOS == "darwin":
		cmd = exec.Command("open", address)
	case runtime.GOOS == "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", address)
	case os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "":
		cmd = exec.Command("xdg-open", address)
	default:
		return errors.New("no desktop")
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // the exit status is not meaningful
	return nil
}
