package kernels

import (
	"fmt"
	"iter"
	"unsafe"

	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// Machine runs the kernels of this package.
type Machine interface {
	// Games is the number of games that the machine plays at once.
	Games() int
	// Allocate returns memory with zeros.
	Allocate(bytes int) (Address, error)
	Free(Address)
	Write(to Address, data []byte) error
	Read(from Address, data []byte) error
	// Play runs the kernel play for a number of warps, and Halve the kernel halve.
	Play(setup Address, warps, moves int) error
	Halve(sums Address, weights int, limit float32) error
}

const (
	// turnMoves is the number of moves that each warp plays in a turn. The TC sums of a weight grow by a few million
	// errors in a turn, so they stay below 2^24.
	turnMoves = 1024
	// firstWarps is the number of warps in the first turn; later turns have up to twice as many as the turn before.
	// Thousands of games that start at once would all correct the same values of the first boards by the same error.
	firstWarps = 64
	// manyResults is the number of games that may end in a turn, in addition to one for each warp. Warps start no game
	// when there is no room for its result.
	manyResults = 1 << 16
)

// trainer implements learn.Device.
type trainer struct {
	machine Machine
	setup   setup
	at      Address   // of the setup
	all     []Address // all memory of the training run
}

// New returns a device that runs on a machine.
func New(m Machine) learn.Device { return &trainer{machine: m} }

// Load implements learn.Device.
func (d *trainer) Load(r *learn.DeviceRun) error {
	for _, at := range d.all {
		d.machine.Free(at)
	}
	d.all = nil
	s, n := newSetup(r), r.Network
	s.resultsRoom = uint32(manyResults + d.machine.Games())
	gumbel := learn.Gumbel()
	parts := []struct {
		at    *Address
		bytes int
	}{
		{&d.at, int(unsafe.Sizeof(s))},
		{&s.weights, int(learn.RequiredMemory(&n.Layout, r.Sums != nil))},
		{&s.pool, 8 * learn.MaxStored * len(r.Stored)},
		{&s.stored, 4 * len(r.Stored)},
		{&s.gumbel, 4 * len(gumbel)},
		{&s.games, gameBytes * d.machine.Games()},
		{&s.results, int(unsafe.Sizeof(learn.DeviceGame{})) * int(s.resultsRoom)},
	}
	for _, p := range parts {
		at, err := d.machine.Allocate(p.bytes)
		if err != nil {
			return fmt.Errorf("%d MB for a training: %w", p.bytes>>20, err)
		}
		*p.at, d.all = at, append(d.all, at)
	}
	if r.Sums != nil {
		s.sums = s.weights + Address(4*n.Weights())
	}
	d.setup = s
	return d.fill(r, gumbel)
}

// fill copies a run to the device.
func (d *trainer) fill(r *learn.DeviceRun, gumbel []float32) error {
	if err := d.machine.Write(d.setup.gumbel, memory.Bytes(gumbel)); err != nil {
		return err
	}
	for at, words := range d.tables(r) {
		if err := d.machine.Write(at, words); err != nil {
			return err
		}
	}
	counts := make([]uint32, len(r.Stored))
	for m, boards := range r.Stored {
		counts[m] = uint32(len(boards))
		if err := d.machine.Write(d.milestone(m), memory.Bytes(boards)); err != nil {
			return err
		}
	}
	return d.machine.Write(d.setup.stored, memory.Bytes(counts))
}

// tables yields the address and the memory of each table of weights and of TC sums.
func (d *trainer) tables(r *learn.DeviceRun) iter.Seq2[Address, []byte] {
	return func(yield func(Address, []byte) bool) {
		at := d.setup.weights
		for table := range r.Tables() {
			if !yield(at, table) {
				return
			}
			at += Address(len(table))
		}
	}
}

// milestone returns the address of the boards of a milestone.
func (d *trainer) milestone(m int) Address { return d.setup.pool + Address(8*learn.MaxStored*m) }

// Play implements learn.Device.
func (d *trainer) Play(t learn.DeviceTurn) (r learn.DeviceReport, err error) {
	s, m := &d.setup, d.machine
	before := s.next
	s.end, s.rate, s.resultsUsed = t.End, t.Rate, 0
	switch {
	case t.Alone:
		s.warps = 1
	case s.playing == 0:
		s.warps = min(firstWarps, uint32(m.Games()))
	default:
		s.warps = min(2*s.warps, uint32(m.Games()))
	}
	if err = m.Write(d.at, bytesAt(s)); err != nil {
		return r, err
	}
	if err = m.Play(d.at, int(s.warps), turnMoves); err != nil {
		return r, err
	}
	if err = m.Read(d.at, bytesAt(s)); err != nil {
		return r, err
	}
	if s.next > t.End { // warps that found no game counted on
		s.next = max(before, t.End)
	}
	r = learn.DeviceReport{Games: make([]learn.DeviceGame, s.resultsUsed), Next: s.next, Playing: int(s.playing)}
	if err = m.Read(s.results, memory.Bytes(r.Games)); err == nil && s.sums != 0 && t.Limit > 0 {
		err = m.Halve(s.sums, int(s.entries)*int(s.stageCount), t.Limit)
	}
	return r, err
}

// Read implements learn.Device.
func (d *trainer) Read(r *learn.DeviceRun) error {
	for at, words := range d.tables(r) {
		if err := d.machine.Read(at, words); err != nil {
			return err
		}
	}
	counts := make([]uint32, len(r.Stored))
	if err := d.machine.Read(d.setup.stored, memory.Bytes(counts)); err != nil {
		return err
	}
	for m, n := range counts {
		r.Stored[m] = make([]bitboard.Board, min(n, learn.MaxStored))
		if err := d.machine.Read(d.milestone(m), memory.Bytes(r.Stored[m])); err != nil {
			return err
		}
	}
	return nil
}

// bytesAt returns the memory of a struct.
func bytesAt[T any](x *T) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(x)), unsafe.Sizeof(*x)) }
