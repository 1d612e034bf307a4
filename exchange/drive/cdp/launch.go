package cdp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/afterstate2048/afterstate/internal/child"
	"github.com/afterstate2048/afterstate/internal/inputfile"
)

// LaunchOptions configures [Launch].
type LaunchOptions struct {
	Path     string   // path of the browser; "" means the first one that Launch finds
	Headless bool     // without a window
	Flags    []string // additional flags of the browser, such as --no-sandbox
}

// Process is a browser that [Launch] started.
type Process struct {
	*Browser
	cmd     *exec.Cmd
	profile string // folder of the profile
	exited  <-chan struct{}
}

const (
	startTime = 60 * time.Second
	endTime   = 5 * time.Second
)

// browsers lists the programs and files that [Launch] looks for, in this order.
var browsers = []string{
	"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge", "msedge", "brave-browser", "brave",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium",
	"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge", "/Applications/Brave Browser.app/Contents/MacOS/Brave Browser",
	`C:\Program Files\Google\Chrome\Application\chrome.exe`, `C:\Program Files (x86)\Google\Chrome\Application\chrome.exe`,
	`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`,
}

// Errors that [Launch] returns before it starts a program.
var (
	ErrNoBrowser = errors.New("no browser of the Chromium family was found")
	ErrPath      = errors.New("not a program")
)

func (o *LaunchOptions) find() (string, error) {
	if o.Path != "" {
		path, err := exec.LookPath(o.Path)
		if err != nil {
			err = fmt.Errorf("%s: %w: %w", o.Path, ErrPath, inputfile.Cause(errors.Unwrap(err)))
		}
		return path, err
	}
	for _, name := range browsers {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNoBrowser
}

// Launch starts a browser with an empty profile. [Process.Close] ends it and removes the profile.
func Launch(ctx context.Context, o LaunchOptions) (*Process, error) {
	var err error
	if o.Path, err = o.find(); err != nil {
		return nil, err
	}
	profile, err := os.MkdirTemp("", "afterstate-drive-")
	if err != nil {
		return nil, err
	}
	p := &Process{profile: profile}
	arguments := []string{
		"--remote-debugging-port=0", "--user-data-dir=" + profile, "--no-first-run", "--no-default-browser-check",
		"--disable-sync", "--password-store=basic", "--use-mock-keychain",
		"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
	}
	if o.Headless {
		arguments = append(arguments, "--headless=new")
	}
	p.cmd = exec.Command(o.Path, slices.Concat(arguments, o.Flags, []string{"about:blank"})...)
	// The browser adds 45 bytes to TMPDIR for the path of its socket, and some systems limit that path to 103 bytes.
	const maxTempDir = 103 - 45
	if len(profile) <= maxTempDir {
		p.cmd.Env = append(os.Environ(), "TMPDIR="+profile) // temporary files go into the profile, which Close removes
	}
	stderr, theirs, err := os.Pipe()
	if err == nil {
		p.cmd.Stderr = theirs
		p.exited, err = child.Start(p.cmd, nil)
		_ = theirs.Close()
		if err == nil {
			err = p.await(ctx, stderr)
		} else {
			_ = stderr.Close()
		}
	}
	if err != nil {
		p.Close()
		return nil, fmt.Errorf("%s: %w", o.Path, err)
	}
	return p, nil
}

var listening = regexp.MustCompile(`^DevTools listening on ws://(127\.0\.0\.1:\d+|\[::1\]:\d+)/`)

// await reads the DevTools port from the browser's stderr. It discards all further output.
func (p *Process) await(ctx context.Context, stderr *os.File) error {
	// last is the last line that was read; the error quotes it if there is no address
	type result struct{ address, last string }
	found := make(chan result, 1)
	go func() {
		defer stderr.Close()
		var r result
		for lines := bufio.NewScanner(stderr); r.address == "" && lines.Scan(); {
			if m := listening.FindStringSubmatch(lines.Text()); m != nil {
				r.address = m[1]
			} else if text := strings.TrimSpace(lines.Text()); text != "" {
				r.last = text
			}
		}
		found <- r
		_, _ = io.Copy(io.Discard, stderr)
	}()
	select {
	case r := <-found:
		if r.address == "" {
			return fmt.Errorf("the browser ended at once; its last output was %.200q", r.last)
		}
		var err error
		p.Browser, err = At(r.address)
		return err
	case <-time.After(startTime):
		return fmt.Errorf("the browser did not open a DevTools port within %v", startTime)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Exited returns a channel that is closed when the browser has exited.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Close ends the browser and removes its profile.
func (p *Process) Close() {
	if p.cmd.Process != nil {
		if p.cmd.Process.Signal(syscall.SIGTERM) == nil { // fails on Windows, which has no such signal
			select {
			case <-p.exited:
			case <-time.After(endTime):
			}
		}
		child.Kill(p.cmd.Process)
		<-p.exited
	}
	for range 50 { // retry, because processes of the browser may still write to the profile
		if os.RemoveAll(p.profile) == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}
