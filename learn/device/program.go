package device

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/afterstate2048/afterstate/internal/child"
	"github.com/afterstate2048/afterstate/internal/version"
	"github.com/afterstate2048/afterstate/learn"
)

// Names lists the devices that [Start] knows.
var Names = []string{"cuda"}

// Program is a program that runs a device. It implements learn.Device. An error of its methods ends its use.
type Program struct {
	*wire
	Hello
	close func()
}

// Start starts the program of a device, such as afterstate-cuda for "cuda". The program is beside this one or in a
// folder of PATH. The caller closes it.
func Start(name string) (*Program, error) {
	file, err := find("afterstate-" + name)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(file)
	cmd.Stderr = os.Stderr
	in, errIn := cmd.StdinPipe()
	out, errOut := cmd.StdoutPipe()
	if err := errors.Join(errIn, errOut); err != nil {
		return nil, err
	}
	reap := make(chan struct{})
	reaped, err := child.Start(cmd, reap)
	if err != nil {
		return nil, err
	}
	return Connect(out, in, func() {
		_ = in.Close() // the program ends when its input does
		close(reap)
		<-reaped
	})
}

// find returns the path of a program beside this one or in a folder of PATH.
func find(program string) (string, error) {
	if own, err := os.Executable(); err == nil {
		if file, err := exec.LookPath(filepath.Join(filepath.Dir(own), program)); err == nil {
			return file, nil
		}
	}
	file, err := exec.LookPath(program)
	if err != nil {
		return "", fmt.Errorf("the program %s is neither beside afterstate nor in a folder of PATH; docs/training.md says how to get it", program)
	}
	return file, nil
}

// Connect waits for the hello of a program that reads in and writes out. Close calls the function close.
func Connect(out io.Reader, in io.Writer, close func()) (*Program, error) {
	p := &Program{wire: newWire(out, in), close: close}
	a, err := p.next()
	switch {
	case err != nil:
	case a.Hello == nil:
		err = errors.New("the device's program did not say what it is")
	case a.Hello.Version != version.Version:
		err = fmt.Errorf("the device's program has version %s: must be %s, as this program", a.Hello.Version, version.Version)
	}
	if err != nil {
		close()
		return nil, err
	}
	p.Hello = *a.Hello
	return p, nil
}

// Close ends the program.
func (p *Program) Close() { p.close() }

// next reads an answer.
func (p *Program) next() (a answer, err error) {
	switch err = p.receive(&a); {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return a, errors.New("the device's program has ended")
	case err != nil:
		return a, fmt.Errorf("the device's program: %w", err)
	case a.Error != "":
		return a, errors.New(strings.TrimSpace(a.Error))
	}
	return a, nil
}

// ask sends a request, and what more writes after it, and reads the answer.
func (p *Program) ask(r request, more func() error) (a answer, err error) {
	if err := p.send(r); err != nil {
		return a, err
	}
	// If the program has ended, what it said explains the failure better than the error of the pipe.
	err = cmp.Or(more(), p.out.Flush())
	a, answered := p.next()
	return a, cmp.Or(answered, err)
}

func nothing() error { return nil }

// Load implements learn.Device.
func (p *Program) Load(r *learn.DeviceRun) error {
	load := request{Method: "load", Head: &r.Network.Head, Options: &r.Options, Next: r.Next, Stored: counts(r)}
	_, err := p.ask(load, func() error { return p.writeRun(r) })
	return err
}

// Play implements learn.Device.
func (p *Program) Play(t learn.DeviceTurn) (learn.DeviceReport, error) {
	a, err := p.ask(request{Method: "play", Turn: &t}, nothing)
	if err != nil || a.Report == nil {
		return learn.DeviceReport{}, cmp.Or(err, errors.New("the device's program did not report"))
	}
	a.Report.Games = make([]learn.DeviceGame, a.Games)
	return *a.Report, read(p.wire, a.Report.Games)
}

// Read implements learn.Device.
func (p *Program) Read(r *learn.DeviceRun) error {
	a, err := p.ask(request{Method: "read"}, nothing)
	if err != nil {
		return err
	}
	return p.readRun(r, a.Stored)
}
