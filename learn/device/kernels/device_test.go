//go:build unix

package kernels

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/device/devicetest"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// training is a training of a new network.
type training struct {
	layout  ntuple.Layout
	bias    float32
	options learn.Options
}

// run trains and returns the bytes of a checkpoint, with the device in place of a thread unless it is nil. It trains in
// two parts, the second one resumed from the checkpoint of the first one.
func (tr *training) run(t *testing.T, device learn.Device) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "checkpoint.model")
	o := tr.options
	o.Network = must.Get(ntuple.New(tr.layout))(t)
	o.Network.Bias, o.Checkpoint, o.Device, o.Seed = tr.bias, file, device, 5
	total := o.Games
	if o.Anneal == 0 {
		o.Games = total / 2
	}
	trainer := must.Get(learn.New(o))(t)
	must.Do(t, trainer.Run(context.Background()))
	trainer.Close()
	o.Network.Close()
	trainer = must.Get(learn.Resume(file, learn.Options{Games: total, Checkpoint: file, Device: device}, nil))(t)
	must.Do(t, trainer.Run(context.Background()))
	trainer.Close()
	trainer.Network().Close()
	return must.Get(os.ReadFile(file))(t)
}

func layout(t *testing.T, patterns string, stages ...ntuple.Stage) ntuple.Layout {
	t.Helper()
	l := must.Get(ntuple.ParseNetwork(bitboard.Size, patterns))(t)
	if len(stages) > 0 {
		l.Stages = append([]ntuple.Stage{{}}, stages...)
	}
	return l
}

// TestSameAsThread trains with the kernels, one game at a time, and with a thread, and compares the checkpoints byte by
// byte: weights, TC sums, stored boards and counts.
func TestSameAsThread(t *testing.T) {
	fixed := layout(t, "0123 4567 89ab cdef")
	fixed.Fixed = true
	many := "012 456 015 126 569a 048 159 26a 37b 024 135 8ac 9bd 05a 369 148 267 458 56a 01234 356 89"
	walls := must.Get(ntuple.EndingLayout(layout(t, "0145 1256 0123 45"), 4))(t)
	for name, tr := range map[string]training{
		"plain":      {layout: layout(t, "2x4"), options: learn.Options{Games: 300}},
		"coherent":   {layout: layout(t, "2x4"), options: learn.Options{Games: 300, Coherent: true}},
		"lambda":     {layout: layout(t, "0123 4567 0145 1256 569a"), options: learn.Options{Games: 300, Coherent: true, Lambda: 0.5}},
		"n-step":     {layout: layout(t, "2x4"), options: learn.Options{Games: 200, Coherent: true, Lambda: 1, Horizon: 11}},
		"five cells": {layout: layout(t, "01256 01"), options: learn.Options{Games: 60, Coherent: true, Lambda: 0.8, Horizon: 3}},
		"many":       {layout: layout(t, many), options: learn.Options{Games: 150, Coherent: true, Lambda: 0.5}},
		"optimistic": {layout: layout(t, "2x4"), bias: 5000, options: learn.Options{Games: 40}},
		"fixed":      {layout: fixed, options: learn.Options{Games: 300, Coherent: true, Lambda: 0.5}},
		"anneal":     {layout: layout(t, "2x4"), options: learn.Options{Games: 300, Coherent: true, Anneal: 200, Rate: 0.7}},
		"slips":      {layout: layout(t, "2x4"), options: learn.Options{Games: 200, Coherent: true, Slips: 0.04}},
		"downgrade":  {layout: layout(t, "2x4"), options: learn.Options{Games: 400, Coherent: true, Lambda: 0.5, Downgrade: 256}},
		"restarts": {layout: layout(t, "2x4", ntuple.Stage{7}, ntuple.Stage{8, 7}, ntuple.Stage{9}),
			options: learn.Options{Games: 600, Coherent: true, Lambda: 0.5, RestartShare: 0.5, RestartTile: 128}},
		"plain stages": {layout: layout(t, "2x4", ntuple.Stage{6}, ntuple.Stage{8, 7}), options: learn.Options{Games: 300}},
		"endings":      {layout: walls, bias: 0.5, options: learn.Options{Games: 3000, Coherent: true, Lambda: 0.5, RestartShare: 0.3, JoinEvery: 800}},
	} {
		t.Run(name, func(t *testing.T) {
			tr.options.Threads = 1
			want := tr.run(t, nil)
			device := devicetest.Connect(t, New(newEmulator(t, 8)), "emulator", 8)
			if got := tr.run(t, device); !bytes.Equal(got, want) {
				t.Error("the checkpoints differ")
			}
		})
	}
}

// TestManyGames trains with 64 games at once and compares the mean score with that of one thread.
func TestManyGames(t *testing.T) {
	train := func(o learn.Options) learn.Tally {
		o.Network, o.Coherent, o.Lambda, o.Seed = must.Get(ntuple.New(layout(t, "2x4")))(t), true, 0.5, 5
		defer o.Network.Close()
		trainer := must.Get(learn.New(o))(t)
		defer trainer.Close()
		must.Do(t, trainer.Step(context.Background(), 2000))
		before := trainer.Tally()
		must.Do(t, trainer.Step(context.Background(), 1000))
		tally := trainer.Tally()
		tally.Games -= before.Games
		tally.Score -= before.Score
		return tally
	}
	one := train(learn.Options{})
	many := train(learn.Options{Threads: 64, WarmupGames: 100, Device: New(newEmulator(t, 64))})
	must.Equal(t, many.Games, 1000, "games")
	// The standard error of each mean is about 2 %.
	if got, want := many.MeanScore(), one.MeanScore(); got < 0.8*want {
		t.Errorf("64 games at once: mean score %.0f, one game at a time: %.0f", got, want)
	}
}

// TestHalve checks that only sums above the limit are halved, that their ratio stays, and that frozen weights stay
// frozen.
func TestHalve(t *testing.T) {
	frozen := float32(math.Inf(1))
	sums := [][2]float32{{3, 8}, {-4, 16}, {5, 16.5}, {-1e6, 2e6}, {0, frozen}, {0, 0}}
	e := newEmulator(t, 1)
	at := must.Get(e.Allocate(8 * len(sums)))(t)
	must.Do(t, e.Write(at, memory.Bytes(sums)))
	must.Do(t, e.Halve(at, len(sums), 16))
	must.Do(t, e.Read(at, memory.Bytes(sums)))
	want := [][2]float32{{3, 8}, {-4, 16}, {2.5, 8.25}, {-5e5, 1e6}, {0, frozen}, {0, 0}}
	if !slices.Equal(sums, want) {
		t.Errorf("%v, want %v", sums, want)
	}
}

// TestPTX checks that kernel.ptx was made from these sources.
func TestPTX(t *testing.T) {
	hash := sha256.New()
	for _, file := range sources(t) {
		if file != "emulate.h" {
			hash.Write(must.Get(os.ReadFile(file))(t))
		}
	}
	if want := fmt.Sprintf("// source %x\n", hash.Sum(nil)); !strings.HasPrefix(PTX, want) {
		t.Error("kernel.ptx is stale: run scripts/ptx.py")
	}
}
