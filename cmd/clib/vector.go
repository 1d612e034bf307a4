//go:build clib

package main

/*
#include <stdint.h>

// Output arrays of the steps of a vector, with one entry for each environment, or NULL.
// Observations have the size returned by afterstate_vector_new, legal moves have 4 bytes by
// direction, truth values one byte, 0 or 1. The final arrays are written for episodes that
// end, if the next game begins in the same step.
typedef struct {
	double  *rewards;
	uint8_t *terminated;
	uint8_t *truncated;
	uint8_t *illegal;
	uint8_t *observations;
	uint8_t *legal;
	int64_t *scores;
	uint8_t *final_observations;
	uint8_t *final_legal;
	int64_t *final_scores;
	void    **rows; // points to the address of the rows that afterstate_vector_step_one writes
} afterstate_buffers;
*/
import "C"

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime/cgo"
	"slices"
	"strings"
	"unsafe"

	"github.com/afterstate2048/afterstate/env"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// batch is a vector of environments and the memory that it writes to.
type batch struct {
	*env.Vector
	out     env.Buffers
	actions []board.Direction
	rows    *unsafe.Pointer
}

// options is the JSON form of env.Options.
type options struct {
	Size        board.Size `json:"size"`
	P4          float64    `json:"p4"`
	Illegal     string     `json:"illegal"` // noop, penalty, terminate
	Penalty     float64    `json:"penalty"`
	Reward      string     `json:"reward"`      // score, log2
	MaxSteps    int        `json:"max_steps"`   // 0: no limit
	Observation string     `json:"observation"` // exponents, planes
	Autoreset   string     `json:"autoreset"`   // NextStep, SameStep or Disabled, as in Gymnasium
	Spawn       string     `json:"spawn"`       // random, adversary or friendly
}

// decode reads options from JSON. An unknown key is an error.
func decode(text string, options any) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(options); err != nil {
		return fmt.Errorf("options: %w", err)
	}
	return nil
}

func readOptions(text string) (_ env.Options, err error) {
	var o options
	if err := decode(text, &o); err != nil {
		return env.Options{}, err
	}
	pick := func(key, word string, accepted ...string) int {
		i := slices.Index(accepted, word)
		if i < 0 {
			err = fmt.Errorf("%s is %q: must be one of %q", key, word, accepted)
		}
		return max(i, 0)
	}
	out := env.Options{
		Size: o.Size, P4: o.P4, Penalty: o.Penalty, MaxSteps: o.MaxSteps,
		Illegal:     env.Illegal(pick("illegal", o.Illegal, "noop", "penalty", "terminate")),
		Observation: env.Observation(pick("observation", o.Observation, "exponents", "planes")),
		Autoreset:   env.Autoreset(pick("autoreset", o.Autoreset, "NextStep", "SameStep", "Disabled")),
	}
	if out.P4 == 0 {
		out.P4 = -1 // in env.Options, 0 means the default and a negative value means that no 4 spawns
	}
	if pick("reward", o.Reward, "score", "log2") == 1 {
		out.Reward = env.Log2
	}
	if spawn := pick("spawn", o.Spawn, "random", "adversary", "friendly"); spawn > 0 {
		out.Spawner = &search.Adversary{Friendly: spawn == 2}
	}
	return out, err
}

// afterstate_vector_new creates n environments. The options are JSON with all of these keys:
// {"size":"4x4","p4":0.1,"illegal":"noop","penalty":0,"reward":"score","max_steps":0,
// "observation":"exponents","autoreset":"NextStep","spawn":"random"}.
// It sets observationBytes and stateBytes to the sizes in bytes of one environment's observation
// and snapshot.
//
//export afterstate_vector_new
func afterstate_vector_new(n C.int64_t, given *C.char, vector *C.uintptr_t, observationBytes, stateBytes *C.int64_t) (text *C.char) {
	defer guard(&text)
	o, err := readOptions(C.GoString(given))
	if err != nil {
		return errorText(err)
	}
	if err := memory.Check(vectorBytes(n, &o)); err != nil {
		return errorText(err)
	}
	v, err := env.NewVector(int(n), o)
	if err != nil {
		return errorText(err)
	}
	*vector = C.uintptr_t(cgo.NewHandle(&batch{Vector: v, actions: make([]board.Direction, n)}))
	*observationBytes, *stateBytes = C.int64_t(v.ObservationSize()), env.StateBytes
	return nil
}

// vectorBytes returns the memory that n environments and their actions take.
func vectorBytes(n C.int64_t, o *env.Options) int64 {
	actions := memory.Times(int64(n), int64(unsafe.Sizeof(board.Direction(0))))
	return memory.Plus(env.VectorBytes(int64(n), o.Size), actions)
}

// afterstate_vector_fits returns an error unless there is memory for n environments with these
// options (see afterstate_vector_new) and for the number of bytes given by beside, which the caller
// is about to allocate.
//
//export afterstate_vector_fits
func afterstate_vector_fits(n C.int64_t, given *C.char, beside C.int64_t) (text *C.char) {
	defer guard(&text)
	o, err := readOptions(C.GoString(given))
	if err != nil {
		return errorText(err)
	}
	return errorText(memory.Check(memory.Plus(vectorBytes(n, &o), int64(beside))))
}

// afterstate_vector_free frees a vector.
//
//export afterstate_vector_free
func afterstate_vector_free(vector C.uintptr_t) (text *C.char) {
	defer guard(&text)
	cgo.Handle(vector).Delete()
	return nil
}

// afterstate_vector_bind sets the buffers that subsequent steps write to. They must stay valid as
// long as they are bound.
//
//export afterstate_vector_bind
func afterstate_vector_bind(vector C.uintptr_t, to *C.afterstate_buffers) (text *C.char) {
	defer guard(&text)
	b := objectOf[*batch](vector)
	n := b.Len()
	b.rows = to.rows
	b.out = env.Buffers{
		Rewards:    optional[float64](to.rewards, n),
		Terminated: optional[bool](to.terminated, n),
		Truncated:  optional[bool](to.truncated, n),
		Illegal:    optional[bool](to.illegal, n),
		Current: env.View{
			Observations: optional[uint8](to.observations, n*b.ObservationSize()),
			Legal:        optional[[4]bool](to.legal, n),
			Scores:       optional[int64](to.scores, n),
		},
		Final: env.View{
			Observations: optional[uint8](to.final_observations, n*b.ObservationSize()),
			Legal:        optional[[4]bool](to.final_legal, n),
			Scores:       optional[int64](to.final_scores, n),
		},
	}
	return nil
}

// optional does what slice does, for memory that may be missing: it returns nil for NULL.
func optional[T, From any](first *From, n int) []T {
	if first == nil {
		return nil
	}
	return slice[T](first, n)
}

// afterstate_vector_reset starts games in the environments selected by mask, or in all if mask is NULL. With
// seeds alone, environment i plays game i of the seed seeds[i], which all environments share. With games too,
// it plays game games[i] of its own seed seeds[i]. Without seeds, it plays its next game: the game number grows
// by the number of environments if the seed is shared, and by 1 if the environment has its own. Then the
// function writes the observations of all environments, and the termination flags of the selected ones.
//
//export afterstate_vector_reset
func afterstate_vector_reset(vector C.uintptr_t, seeds, games *C.uint64_t, mask *C.uint8_t) (text *C.char) {
	defer guard(&text)
	b := objectOf[*batch](vector)
	n := b.Len()
	seed, game := optional[uint64](seeds, n), optional[uint64](games, n)
	chosen := optional[uint8](mask, n)
	for i := range n {
		switch {
		case chosen != nil && chosen[i] == 0:
		case seed == nil:
			b.Next(i)
		case game == nil:
			b.Reset(i, seed[i])
		default:
			b.Begin(i, seed[i], game[i])
		}
		if chosen == nil || chosen[i] != 0 {
			b.moved(i)
		}
	}
	b.Observe(&b.out.Current)
	return nil
}

// moved writes the termination flags of environment i after a change that is not a step, such as a reset.
func (b *batch) moved(i int) {
	terminated, truncated := b.Ended(i)
	if b.out.Terminated != nil {
		b.out.Terminated[i] = terminated
	}
	if b.out.Truncated != nil {
		b.out.Truncated[i] = truncated
	}
	if b.out.Illegal != nil {
		b.out.Illegal[i] = false
	}
}

// afterstate_vector_step makes the move actions[i] in each environment i. If any action is invalid, it makes no move
// and returns an error.
//
//export afterstate_vector_step
func afterstate_vector_step(vector C.uintptr_t, actions *C.int64_t) (text *C.char) {
	defer guard(&text)
	b := objectOf[*batch](vector)
	for i, a := range slice[int64](actions, b.Len()) {
		if uint64(a) > 3 {
			return errorText(fmt.Errorf("action %d of environment %d: must be 0 up, 1 right, 2 down or 3 left", a, i))
		}
		b.actions[i] = board.Direction(a)
	}
	b.Step(b.actions, &b.out)
	return nil
}

// afterstate_vector_step_one does what afterstate_vector_step does, for a vector of one
// environment. The lowest two bits of rowAndAction are the action. The other bits are the number of
// the row to which it copies the observation and the 4 bytes of legal moves. One argument holds
// both, because each argument of a call takes time in Python.
//
//export afterstate_vector_step_one
func afterstate_vector_step_one(vector C.uintptr_t, rowAndAction C.int32_t) (text *C.char) {
	defer guard(&text)
	b := objectOf[*batch](vector)
	b.actions[0] = board.Direction(rowAndAction & 3)
	b.Step(b.actions[:1], &b.out)
	if b.rows != nil {
		n := b.ObservationSize()
		row := slice[uint8]((*uint8)(unsafe.Add(*b.rows, int(rowAndAction>>2)*(n+4))), n+4)
		copy(row, b.out.Current.Observations)
		copy(row[n:], slice[uint8](&b.out.Current.Legal[0], 4))
	}
	return nil
}

// afterstate_vector_sample writes a random legal action for each environment, or 0 if its game is
// over. The actions are drawn with the given seed.
//
//export afterstate_vector_sample
func afterstate_vector_sample(vector C.uintptr_t, seed C.uint64_t, actions *C.int64_t) (text *C.char) {
	defer guard(&text)
	b := objectOf[*batch](vector)
	b.Sample(rand.NewPCG(uint64(seed), 0), b.actions)
	for i, d := range b.actions {
		slice[int64](actions, b.Len())[i] = int64(d)
	}
	return nil
}

// afterstate_vector_afterstates writes the results of the four slides of each board: the boards,
// the sums of merged tiles, and whether each slide is legal. NULL skips an array.
//
//export afterstate_vector_afterstates
func afterstate_vector_afterstates(vector C.uintptr_t, boards *C.uint8_t, merged *C.int64_t, legal *C.uint8_t) (text *C.char) {
	defer guard(&text)
	b := objectOf[*batch](vector)
	n := b.Len()
	b.Afterstates(
		optional[uint8](boards, 4*n*b.Size().Cells()),
		optional[[4]int64](merged, n),
		optional[[4]bool](legal, n))
	return nil
}

// afterstate_vector_place sets boards and scores in count environments: those with the indices
// environments[k] or, if NULL, the first ones. It stops at the first invalid board. Then it writes
// the observations of all environments.
//
//export afterstate_vector_place
func afterstate_vector_place(vector C.uintptr_t, count C.int64_t, environments *C.int64_t, boards *C.uint8_t, scores *C.int64_t) (text *C.char) {
	defer guard(&text)
	b := objectOf[*batch](vector)
	defer b.Observe(&b.out.Current)
	cells := b.Size().Cells()
	exponents := slice[uint8](boards, int(count)*cells)
	return b.each(count, environments, func(k, i int) error {
		full, err := boardOf(b.Size(), exponents[k*cells:(k+1)*cells])
		if err != nil {
			return err
		}
		return b.Place(i, full, slice[int64](scores, int(count))[k])
	})
}

// each calls f for count environments. k is the position in the caller's arrays, and i is the index
// of the environment: environments[k] or, if environments is NULL, k.
func (b *batch) each(count C.int64_t, environments *C.int64_t, f func(k, i int) error) *C.char {
	numbers := optional[int64](environments, int(count))
	for k := range int(count) {
		i := k
		if numbers != nil {
			i = int(numbers[k])
		}
		if i < 0 || i >= b.Len() {
			return errorText(fmt.Errorf("environment %d: must be from 0 to %d", i, b.Len()-1))
		}
		if err := f(k, i); err != nil {
			return errorText(err)
		}
		b.moved(i)
	}
	return nil
}

// afterstate_vector_snapshot writes the states of all environments, for afterstate_vector_restore.
//
//export afterstate_vector_snapshot
func afterstate_vector_snapshot(vector C.uintptr_t, states *C.uint8_t) (text *C.char) {
	defer guard(&text)
	b := objectOf[*batch](vector)
	to := slice[uint8](states, b.Len()*env.StateBytes)
	for i := range b.Len() {
		// AppendBinary appends into the existing array and so writes in place.
		if _, err := b.Snapshot(i).AppendBinary(to[i*env.StateBytes : i*env.StateBytes : (i+1)*env.StateBytes]); err != nil {
			return errorText(err)
		}
	}
	return nil
}

// afterstate_vector_restore restores states in count environments, which are selected as in
// afterstate_vector_place.
//
//export afterstate_vector_restore
func afterstate_vector_restore(vector C.uintptr_t, count C.int64_t, environments *C.int64_t, states *C.uint8_t) (text *C.char) {
	defer guard(&text)
	b := objectOf[*batch](vector)
	defer b.Observe(&b.out.Current)
	from := slice[uint8](states, int(count)*env.StateBytes)
	return b.each(count, environments, func(k, i int) error {
		var s env.State
		if err := s.UnmarshalBinary(from[k*env.StateBytes : (k+1)*env.StateBytes]); err != nil {
			return err
		}
		return b.Restore(i, s)
	})
}

// afterstate_vector_games writes the seed and game number of each environment.
//
//export afterstate_vector_games
func afterstate_vector_games(vector C.uintptr_t, seeds, games *C.uint64_t) (text *C.char) {
	defer guard(&text)
	b := objectOf[*batch](vector)
	seed, game := slice[uint64](seeds, b.Len()), slice[uint64](games, b.Len())
	for i := range b.Len() {
		seed[i], game[i] = b.Game(i)
	}
	return nil
}
