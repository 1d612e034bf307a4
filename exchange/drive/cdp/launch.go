package cdp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/afterstate2048/afterstate/internal/child"
	"github.com/afterstate2048/afterstate/internal/filelock"
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
	profile profile
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
	ErrPath      = errors.New("no program")
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

// Launch starts a browser with an empty profile. [Process.Close] ends it and removes the profile. Launch also removes
// the profiles that killed processes of this program left behind.
func Launch(ctx context.Context, o LaunchOptions) (*Process, error) {
	var err error
	if o.Path, err = o.find(); err != nil {
		return nil, err
	}
	profile, err := newProfile()
	if err != nil {
		return nil, err
	}
	p := &Process{profile: profile}
	arguments := []string{
		"--remote-debugging-port=0", "--user-data-dir=" + profile.folder, "--no-first-run", "--no-default-browser-check",
		"--disable-sync", "--password-store=basic", "--use-mock-keychain",
		"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
	}
	if o.Headless {
		arguments = append(arguments, "--headless=new")
	}
	p.cmd = exec.Command(o.Path, slices.Concat(arguments, o.Flags, []string{"about:blank"})...)
	const longest = 58 // bytes: the path of the browser's socket adds 45, and some systems allow at most 103
	if len(profile.folder) <= longest {
		p.cmd.Env = append(os.Environ(), "TMPDIR="+profile.folder) // so the browser's temporary files are removed too
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
	type result struct{ address, last string } // last is the last line, for the error if there is no address
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
			return fmt.Errorf("the browser ended at once, with %.200q", r.last)
		}
		var err error
		p.Browser, err = At(r.address)
		return err
	case <-time.After(startTime):
		return fmt.Errorf("the browser has no DevTools port after %v", startTime)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Exited returns a channel that is closed when the browser has ended.
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
	for range 50 { // processes of the browser may still write to the profile
		if p.profile.remove() == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

const (
	profilePrefix = "afterstate-drive-"
	// profileLock is a file in a profile that this program keeps locked while it runs.
	profileLock = "afterstate.lock"
)

// profile is the profile folder of a browser that [Launch] started.
type profile struct {
	folder string
	lock   *filelock.Lock
}

// newProfile creates an empty profile, and removes the profiles that killed processes left behind.
func newProfile() (p profile, err error) {
	removeStale(os.TempDir())
	if p.folder, err = os.MkdirTemp("", profilePrefix); err != nil {
		return p, err
	}
	// Without a lock, for example on some network file systems, the profile stays if this program is killed.
	p.lock, _ = filelock.Acquire(filepath.Join(p.folder, profileLock))
	return p, nil
}

// remove removes the profile. It may fail while processes of the browser write to it.
func (p *profile) remove() error {
	if p.lock != nil {
		_ = p.lock.Close()
		p.lock = nil
	}
	return os.RemoveAll(p.folder)
}

// removeStale removes the profiles in a folder whose program has ended, and with it the browser, which nobody controls
// any more. It keeps a profile without a lock file, because the profile may belong to another program, or to a process
// that is just starting.
func removeStale(folder string) {
	found, _ := os.ReadDir(folder) // a folder that cannot be read has no entries
	for _, entry := range found {
		if !entry.IsDir() || !strings.HasPrefix(entry.Name(), profilePrefix) {
			continue
		}
		at := filepath.Join(folder, entry.Name())
		file := filepath.Join(at, profileLock)
		// Other users may write to the folder of temporary files, so links are not followed.
		if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if lock, err := filelock.Acquire(file); err == nil {
			_ = os.RemoveAll(at) // files that remain are removed at a later start
			_ = lock.Close()
		}
	}
}
