package kernels

import (
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/learn"
)

// Address is an address in the memory of a Machine.
type Address = uint64

// setup is the struct Setup of types.h.
type setup struct {
	weights, sums, pool, stored, gumbel, games, results Address
	seed, next, end                                     uint64
	total, anneal, joinEvery                            uint64
	entries                                             uint64
	late                                                int64
	rate, share                                         float64
	begins, places                                      [ntuple.MaxPatterns]uint64
	stages                                              [ntuple.MaxStages][16]uint8
	resultsUsed, resultsRoom                            uint32
	warps, playing                                      uint32
	patterns, stageCount, fixed, flat                   int32
	horizon, walls, downgrade, restartTile              int32
	lambda, slips, bias                                 float32
}

// gameBytes is the size of the struct Game of types.h.
const gameBytes = 96 + 20*learn.MaxDeviceHorizon

// newSetup returns the setup for a training run, without addresses.
func newSetup(r *learn.DeviceRun) setup {
	n, o := r.Network, &r.Options
	s := setup{
		seed: o.Seed, next: r.Next, total: o.Games, anneal: o.Anneal, joinEvery: o.JoinEvery, entries: uint64(n.Entries()),
		late: 1 << 62, share: o.RestartShare, patterns: int32(len(n.Patterns)), stageCount: int32(n.StageCount()),
		horizon: 1, walls: int32(n.Walls), downgrade: int32(n.Downgrade), slips: float32(o.Slips), bias: n.Bias,
	}
	if o.Lambda > 0 {
		s.lambda, s.horizon = float32(o.Lambda), int32(o.Horizon)
	}
	if n.Fixed {
		s.fixed = 1
	}
	switch {
	case n.Walls > 0:
		s.flat, s.late = 1, 0
	case o.RestartTile > 0:
		s.late = o.RestartTile / 2
		for tile := o.RestartTile; tile > 1; tile /= 2 {
			s.restartTile++
		}
	}
	begins, _ := n.Begins()
	for i, p := range n.Patterns {
		s.begins[i] = uint64(begins[i])
		for k, cell := range p {
			s.places[i] |= uint64(2*cell) << (8 * k)
		}
		s.places[i] |= uint64(len(p)) << 56
	}
	for i, stage := range n.Stages {
		copy(s.stages[i][:], stage)
	}
	return s
}
