// Package launch starts the program cmd/hub, which runs a hub, and finds the hub that runs on this machine.
// The package itself does not link the NATS server.
package launch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/internal/filelock"
	"github.com/afterstate2048/afterstate/internal/xdg"
)

// Program is the name of the executable of cmd/hub.
const Program = "afterstate-hub"

// State describes a running hub. The hub writes it as one line of JSON to stdout and to the file hub.json in
// its folder.
type State struct {
	URL    string   `json:"url"`  // URL for clients on this machine
	URLs   []string `json:"urls"` // URLs for clients on other machines, the most useful one first
	Folder string   `json:"folder"`
}

// Folder returns the hub's default folder.
func Folder() (string, error) {
	data, err := xdg.Data()
	return filepath.Join(data, "hub"), err
}

func stateFile(folder string) string { return filepath.Join(folder, "hub.json") }

// Write writes the state of a hub to its folder.
func (s *State) Write() error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return atomicfile.Write(stateFile(s.Folder), append(data, '\n'), 0o600)
}

// URL returns the address of the hub that runs in the default folder.
func URL() (string, error) {
	folder, err := Folder()
	if err != nil {
		return "", err
	}
	notRunning := fmt.Errorf("no hub is running on this machine (folder %s): start one with %s", folder, Program)
	if !filelock.Held(filepath.Join(folder, "lock")) {
		return "", notRunning
	}
	data, err := os.ReadFile(stateFile(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return "", notRunning
	}
	if err != nil {
		return "", err
	}
	var s State
	if err := json.Unmarshal(data, &s); err != nil || s.URL == "" {
		return "", fmt.Errorf("%s is damaged: start the hub again", stateFile(folder))
	}
	return s.URL, nil
}

// Hub is a hub that this process has started. It ends with this process.
type Hub struct {
	State
	process *exec.Cmd
	alive   io.Closer      // the hub exits when alive is closed
	passing sync.WaitGroup // the goroutine that copies the hub's stderr
}

// Start starts a hub that listens at an address, and waits until it is ready. The hub's warnings go to
// errOut.
func Start(ctx context.Context, address string, errOut io.Writer) (*Hub, error) {
	path, err := find()
	if err != nil {
		return nil, err
	}
	h := &Hub{process: exec.Command(path, "--listen", address, "--json", "--until-eof")}
	detach(h.process)
	alive, errAlive := h.process.StdinPipe()
	stderr, errStderr := h.process.StderrPipe()
	out, errState := h.process.StdoutPipe()
	if err := errors.Join(errAlive, errStderr, errState); err != nil {
		return nil, err
	}
	h.alive = alive
	if err := h.process.Start(); err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = h.alive.Close() })
	defer stop()
	if err := json.NewDecoder(out).Decode(&h.State); err != nil {
		_ = h.alive.Close()
		text, _ := io.ReadAll(stderr) // the hub's error message
		h.Close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		reason := strings.TrimPrefix(strings.TrimSpace(string(text)), Program+": ")
		return nil, errors.New(cmp.Or(reason, Program+" ended without an error message"))
	}
	h.passing.Go(func() { _, _ = io.Copy(errOut, stderr) })
	return h, nil
}

// Close stops the hub and waits until it has exited.
func (h *Hub) Close() {
	_ = h.alive.Close()
	h.passing.Wait()
	_ = h.process.Wait()
}

// find returns the path of the executable of cmd/hub: in the folder of this process's executable, or in the PATH.
func find() (string, error) {
	name := Program
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if executable, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(executable), name)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside, nil
		}
	}
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	return "", fmt.Errorf("%s was found neither in this program's folder nor in the PATH: build it with\n  go build -o %s ./cmd/hub", Program, Program)
}
