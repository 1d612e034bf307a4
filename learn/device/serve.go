package device

import (
	"fmt"
	"io"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/version"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// server answers the requests of one [Program].
type server struct {
	*wire
	device learn.Device
	run    *learn.DeviceRun // of the last load
	free   func()           // releases the memory of run
}

// Refuse says, in place of Serve, why the program has no device.
func Refuse(out io.Writer, reason error) error {
	w := newWire(nil, out)
	if err := w.send(answer{Error: reason.Error()}); err != nil {
		return err
	}
	return w.out.Flush()
}

// Serve answers requests on in until it ends. name and games describe the device.
func Serve(in io.Reader, out io.Writer, device learn.Device, name string, games int) error {
	s := &server{wire: newWire(in, out), device: device, free: func() {}}
	defer func() { s.free() }()
	if err := s.send(answer{Hello: &Hello{version.Version, name, games}}); err != nil {
		return err
	}
	for {
		if err := s.out.Flush(); err != nil {
			return err
		}
		var r request
		switch err := s.receive(&r); err {
		case nil:
		case io.EOF:
			return nil
		default:
			return err
		}
		if err := s.answer(&r); err != nil {
			return err
		}
	}
}

// answer answers a request. Errors of the device are answers; it returns those after which the connection is of no use.
func (s *server) answer(r *request) error {
	switch r.Method {
	case "load":
		if err := s.receiveRun(r); err != nil {
			return err
		}
		return s.done(s.device.Load(s.run))
	case "play":
		report, err := s.device.Play(*r.Turn)
		if err != nil {
			return s.done(err)
		}
		if err := s.send(answer{Report: &report, Games: len(report.Games)}); err != nil {
			return err
		}
		return write(s.wire, report.Games)
	case "read":
		if err := s.device.Read(s.run); err != nil {
			return s.done(err)
		}
		if err := s.send(answer{Stored: counts(s.run)}); err != nil {
			return err
		}
		return s.writeRun(s.run)
	}
	return fmt.Errorf("request %q: must be load, play or read", r.Method)
}

// done answers with an error or, without one, with an empty answer.
func (s *server) done(err error) error {
	var a answer
	if err != nil {
		a.Error = err.Error()
	}
	return s.send(a)
}

// receiveRun reads the run of a load request.
func (s *server) receiveRun(r *request) error {
	s.free()
	s.free = func() {}
	network, err := ntuple.New(r.Head.Layout)
	if err != nil {
		return err
	}
	s.free = network.Close
	network.Head = *r.Head
	s.run = &learn.DeviceRun{Network: network, Options: *r.Options, Stored: make([][]bitboard.Board, len(r.Stored)), Next: r.Next}
	if r.Options.Coherent {
		sums, free, err := ntuple.NewStore[uint64](&r.Head.Layout)
		if err != nil {
			return err
		}
		s.free = func() { network.Close(); free() }
		s.run.Sums = sums.Tables
	}
	return s.readRun(s.run, r.Stored)
}
