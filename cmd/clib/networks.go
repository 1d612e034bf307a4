//go:build clib

package main

// #include <stdint.h>
import "C"

import (
	"fmt"
	"runtime"
	"runtime/cgo"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/rules/board"
)

// sharedNetwork is a network whose weights the caller can read and write.
type sharedNetwork struct {
	models.Model
	pins  runtime.Pinner
	inUse atomic.Bool // a spec has named the network, so players may be using it
}

// sharedName is the prefix of the names of shared networks in specs. A name is "shared-HANDLE" with the network's
// handle; a hyphen and any text may follow.
const sharedName = "shared-"

// shared maps handles in decimal digits to their *sharedNetwork.
var shared sync.Map

// share returns a handle for the network in m. The network's memory is kept until nothing uses it.
func share(m models.Model) C.uintptr_t {
	m.CloseUnused()
	s := &sharedNetwork{Model: m}
	for stage := range s.StageCount() {
		for p := range s.Patterns {
			s.pins.Pin(&s.Table(stage, p)[0])
		}
	}
	handle := cgo.NewHandle(s)
	shared.Store(strconv.Itoa(int(handle)), s)
	return C.uintptr_t(handle)
}

// findNetwork does what networks.Find does, and also finds the shared networks.
func findNetwork(name string, file bool) (models.Source, error) {
	if handle, ok := strings.CutPrefix(name, sharedName); ok && !file {
		handle, _, _ = strings.Cut(handle, "-")
		if found, ok := shared.Load(handle); ok {
			s := found.(*sharedNetwork)
			s.inUse.Store(true)
			n := s.Network
			return models.Source{
				Load:   func() (*ntuple.Network, error) { return n, nil },
				Loaded: func() bool { return true },
				Size:   func() (board.Size, bool) { return n.Size, true },
			}, nil
		}
	}
	return networks.Find(name, file)
}

// afterstate_network_new makes a network whose weights are zero. It takes the options of afterstate_trainer_new that
// describe the network.
//
//export afterstate_network_new
func afterstate_network_new(options *C.char, handle *C.uintptr_t) (text *C.char) {
	defer guard(&text)
	n, err := runs.NewNetwork([]byte(C.GoString(options)))
	if err == nil {
		*handle = share(models.Model{Network: n})
	}
	return errorText(err)
}

// afterstate_network_open makes a network from a model: a file of any format, arrays as the command model
// import reads them, a run's name, or "champion".
//
//export afterstate_network_open
func afterstate_network_open(name *C.char, handle *C.uintptr_t) (text *C.char) {
	defer guard(&text)
	m, err := openOwn(C.GoString(name))
	if err == nil {
		*handle = share(*m)
	}
	return errorText(err)
}

// openOwn opens a model whose weights may be written. It copies weights that are mapped from the
// file.
func openOwn(name string) (m *models.Model, err error) {
	defer memory.CatchFaults(&err)()
	if m, err = openModel(name); err == nil && m.Bits == 0 {
		defer m.Network.Close()
		if err = memory.Check(4 * int64(m.Layout.Weights())); err == nil {
			m.Network, err = m.Copy()
		}
	}
	return m, err
}

// openModel opens the model that a user names.
func openModel(name string) (*models.Model, error) {
	path, err := models.Locate(name, checkpoint)
	if err != nil {
		return nil, err
	}
	return models.Open(path)
}

// afterstate_network_layout sets layout to a line of JSON that the caller frees with afterstate_free. It has
// the contents of the file layout.json that the command model export writes.
//
//export afterstate_network_layout
func afterstate_network_layout(handle C.uintptr_t, layout **C.char) (text *C.char) {
	defer guard(&text)
	return answerJSON(layout, objectOf[*sharedNetwork](handle).Arrays())
}

// afterstate_network_weights sets address to the address of the table of a pattern in a stage. The table has
// 16^k weights for k cells. An index contains the upper two bits of the cells' exponents, cell by cell, then
// the lower two bits. The weights may be read and written until the network is freed.
//
//export afterstate_network_weights
func afterstate_network_weights(handle C.uintptr_t, stage, pattern C.int32_t, address *C.uintptr_t) (text *C.char) {
	defer guard(&text)
	*address = addressOf(objectOf[*sharedNetwork](handle).Table(int(stage), int(pattern)))
	return nil
}

// afterstate_network_read looks up n boards in the network. It writes their values, their stages, and the indices of
// their weights in the tables of the stage, 8 for each pattern. NULL skips an array.
//
//export afterstate_network_read
func afterstate_network_read(handle C.uintptr_t, n C.int64_t, boards *C.uint8_t, values *C.float, stages *C.int32_t, indices *C.uint32_t) (text *C.char) {
	defer guard(&text)
	net := objectOf[*sharedNetwork](handle).Network
	cells, patterns := net.Size.Cells(), len(net.Patterns)
	from := slice[uint8](boards, int(n)*cells)
	to, at := optional[float32](values, int(n)), make([]ntuple.SymIndices, patterns)
	in, read := optional[int32](stages, int(n)), optional[ntuple.SymIndices](indices, int(n)*patterns)
	for i := range int(n) {
		b, err := boardOf(net.Size, from[i*cells:(i+1)*cells])
		if err != nil {
			return errorText(fmt.Errorf("board %d: %w", i, err))
		}
		stage := net.IndicesOf(at, &b)
		if to != nil {
			to[i] = net.Sum(stage, at)
		}
		if in != nil {
			in[i] = int32(stage)
		}
		copy(read[min(i*patterns, len(read)):], at)
	}
	return nil
}

// afterstate_network_save writes a model file.
//
//export afterstate_network_save
func afterstate_network_save(handle C.uintptr_t, path *C.char) (text *C.char) {
	defer guard(&text)
	m := objectOf[*sharedNetwork](handle)
	return errorText(ntuple.Save(C.GoString(path), m.Network, ntuple.Info{History: m.Info.History}))
}

// afterstate_network_free frees a network. Players that still use it keep its memory.
//
//export afterstate_network_free
func afterstate_network_free(handle C.uintptr_t) (text *C.char) {
	defer guard(&text)
	s := objectOf[*sharedNetwork](handle)
	s.pins.Unpin()
	shared.Delete(strconv.Itoa(int(handle)))
	cgo.Handle(handle).Delete()
	go func() {
		if s.inUse.Load() {
			forgetPlayers()
		}
		// free the tables now: they are outside the Go heap, so they would not trigger a garbage collection
		runtime.GC()
	}()
	return nil
}
