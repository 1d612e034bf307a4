//go:build clib

package main

// #include <stdint.h>
import "C"

import (
	"context"
	"runtime"
	"runtime/cgo"
	"unsafe"

	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// addressOf returns the address of words. The caller may use it as long as that memory is pinned or mapped.
func addressOf[T any](words []T) C.uintptr_t { return C.uintptr_t(uintptr(unsafe.Pointer(&words[0]))) }

// training is a trainer and the intervals that it has reported.
type training struct {
	*learn.Trainer
	intervals []*protocol.TrainingInterval // intervals that ended in the current step
}

func (t *training) report(i learn.Interval) { t.intervals = append(t.intervals, runs.Wire(&i)) }

// trainingDefaults returns the defaults of the command train, but with one thread and no limit on the number of
// games.
func trainingDefaults() runs.Options {
	o := runs.Options{Options: learn.Defaults}
	o.Games = 0
	return o
}

// afterstate_trainer_options sets list to a line of JSON that describes the settings for
// afterstate_trainer_new. The caller frees it with afterstate_free.
//
//export afterstate_trainer_options
func afterstate_trainer_options(list **C.char) (text *C.char) {
	defer guard(&text)
	return answerJSON(list, runs.Describe(trainingDefaults()))
}

// afterstate_trainer_new makes a trainer for a new network or, unless path is NULL, one that continues from the
// checkpoint at path. The options are JSON with the settings that afterstate_trainer_options lists.
//
//export afterstate_trainer_new
func afterstate_trainer_new(options, path *C.char, handle *C.uintptr_t) (text *C.char) {
	defer guard(&text)
	t := new(training)
	var err error
	if given := []byte(C.GoString(options)); path != nil {
		t.Trainer, err = runs.LoadTrainer(C.GoString(path), given, t.report)
	} else {
		defaults := trainingDefaults()
		defaults.Report = t.report
		t.Trainer, err = runs.NewTrainer(given, defaults, openSource)
	}
	if err != nil {
		return errorText(err)
	}
	t.Network().CloseUnused() // not Close, because handles from afterstate_trainer_network may share the network
	*handle = C.uintptr_t(cgo.NewHandle(t))
	return nil
}

// openSource opens the model from which a training run starts.
func openSource(name string) (*runs.Source, error) {
	m, err := openModel(name)
	if err != nil {
		return nil, err
	}
	return &runs.Source{Network: m.Network, History: m.Info.History, Owned: m.Bits > 0}, nil
}

// afterstate_trainer_batch sets the learning rate for the games that follow, unless rate is NULL. It also sets
// the start boards of these games: game number first + i starts from board i; see learn.Trainer.SetStarts.
//
//export afterstate_trainer_batch
func afterstate_trainer_batch(handle C.uintptr_t, rate *C.double, first C.uint64_t, n C.int64_t, rows, cols C.int32_t, boards *C.uint8_t) (text *C.char) {
	defer guard(&text)
	t := objectOf[*training](handle)
	if rate != nil {
		if err := t.SetRate(float64(*rate)); err != nil {
			return errorText(err)
		}
	}
	size := board.Size{Rows: int(rows), Cols: int(cols)}
	if n > 0 && !size.Valid() {
		return errorText(sizeError(size))
	}
	cells := size.Cells()
	from := slice[uint8](boards, int(n)*cells)
	starts := make([]board.Board, n)
	for i := range starts {
		var err error
		if starts[i], err = boardOf(size, from[i*cells:(i+1)*cells]); err != nil {
			return errorText(err)
		}
	}
	return errorText(t.SetStarts(uint64(first), starts))
}

// afterstate_trainer_step starts training for a number of games. When the training has ended, metrics is set to
// a line of JSON that the caller frees: {"step": ..., "intervals": [...]}, with objects as in metrics.jsonl.
// step covers the games since the last call with begin set; intervals contains those that ended in this call.
// afterstate_call_end stops the training between games, and returns NULL or an error.
//
//export afterstate_trainer_step
func afterstate_trainer_step(call_, handle C.uintptr_t, games C.uint64_t, begin C.int32_t, metrics **C.char) (text *C.char) {
	defer guard(&text)
	t := objectOf[*training](handle)
	return errorText(objectOf[*call](call_).begin(func(ctx context.Context) *C.char {
		if t.intervals = nil; begin != 0 {
			t.Mark()
		}
		if err := t.Step(ctx, uint64(games)); err != nil {
			return errorText(err)
		}
		since := t.Since()
		return answerJSON(metrics, struct {
			Step      *protocol.TrainingInterval   `json:"step"`
			Intervals []*protocol.TrainingInterval `json:"intervals"`
		}{runs.Wire(&since), t.intervals})
	}, errorText))
}

// afterstate_trainer_state sets state to a line of JSON that the caller frees: the number of games,
// and the settings.
//
//export afterstate_trainer_state
func afterstate_trainer_state(handle C.uintptr_t, state **C.char) (text *C.char) {
	defer guard(&text)
	t := objectOf[*training](handle)
	return answerJSON(state, struct {
		Games   uint64        `json:"games"`
		Options learn.Options `json:"options"`
	}{t.Games(), t.Options()})
}

// afterstate_trainer_save writes a checkpoint, which is a model file too.
//
//export afterstate_trainer_save
func afterstate_trainer_save(handle C.uintptr_t, path *C.char) (text *C.char) {
	defer guard(&text)
	return errorText(objectOf[*training](handle).SaveTo(C.GoString(path)))
}

// afterstate_trainer_network makes a handle for the network being trained, with the trainer's history so far.
//
//export afterstate_trainer_network
func afterstate_trainer_network(handle C.uintptr_t, network *C.uintptr_t) (text *C.char) {
	defer guard(&text)
	t := objectOf[*training](handle)
	*network = share(models.Model{Network: t.Network(), Info: ntuple.Info{History: t.History()}})
	return nil
}

// afterstate_trainer_free frees a trainer. Handles from afterstate_trainer_network stay valid.
//
//export afterstate_trainer_free
func afterstate_trainer_free(handle C.uintptr_t) (text *C.char) {
	defer guard(&text)
	objectOf[*training](handle).Trainer.Close()
	cgo.Handle(handle).Delete()
	go runtime.GC()
	return nil
}
