// Package devicetest connects a learn.Device to its trainer through pipes, as the program of a device is connected.
package devicetest

import (
	"io"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/device"
)

// Connect serves a device and returns the program that stands for it. At the end of the test it closes the program.
func Connect(t *testing.T, d learn.Device, name string, games int) *device.Program {
	t.Helper()
	requests, in := io.Pipe()
	answers, out := io.Pipe()
	ended := make(chan error)
	go func() { ended <- device.Serve(requests, out, d, name, games) }()
	p := must.Get(device.Connect(answers, in, func() {
		_ = in.Close()
		must.Do(t, <-ended)
	}))(t)
	t.Cleanup(p.Close)
	return p
}
