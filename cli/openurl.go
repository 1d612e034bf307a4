package cli

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
)

// openURL opens a URL in the default browser. It fails if nobody would see that: there is no desktop, it is another
// machine's, or this is a CI job.
func openURL(address string) error {
	var cmd *exec.Cmd
	window := os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
	switch {
	case os.Getenv("CI") != "", !window && (os.Getenv("SSH_CONNECTION") != "" || os.Getenv("SSH_TTY") != ""):
		return errors.New("nobody is at this machine")
	case runtime.GOOS == "darwin":
		cmd = exec.Command("open", address)
	case runtime.GOOS == "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", address)
	case window:
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
