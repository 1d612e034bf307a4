//go:build clib

package main

// #include <stdint.h>
import "C"

import (
	"context"

	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/learn/runs/compare"
	"github.com/afterstate2048/afterstate/learn/sweep"
	"github.com/afterstate2048/afterstate/protocol"
)

// afterstate_sweep starts a sweep, like the command train sweep. spec is JSON with the keys of the sweep's
// file. folder contains the runs; NULL means the user's folder. When the sweep has ended, result is set to a
// line of JSON that the caller frees: {"result": ..., "text": ..., "markdown": ..., "latex": ..., "curves":
// ...}; curves contains the intervals of each run. afterstate_call_end stops the sweep, and a second call with
// the same arguments resumes it.
//
//export afterstate_sweep
func afterstate_sweep(call_ C.uintptr_t, name, spec, folder *C.char, workers C.int32_t, play, seed C.uint64_t, result **C.char) (text *C.char) {
	defer guard(&text)
	called, given := C.GoString(name), []byte(C.GoString(spec))
	target, err := runs.Default()
	if folder != nil {
		target, err = runs.Folder{Path: C.GoString(folder)}, nil
	}
	if err != nil {
		return errorText(err)
	}
	target.OpenSource = openSource
	o := &sweep.RunOptions{Workers: int(workers), Play: compare.PlayOptions{Games: uint64(play), Seed: uint64(seed)}}
	return errorText(objectOf[*call](call_).begin(func(ctx context.Context) *C.char {
		read, err := sweep.Read(given)
		if err != nil {
			return errorText(err)
		}
		s, err := sweep.New(called, target, read, func(model string) (string, error) { return models.Locate(model, target.Checkpoint) })
		if err != nil {
			return errorText(err)
		}
		r, err := s.Run(ctx, o)
		if err != nil {
			return errorText(err)
		}
		curves := map[string][]protocol.TrainingInterval{}
		for i := range r.Configurations {
			for _, run := range r.Configurations[i].Runs {
				if curves[run], err = target.Intervals(run); err != nil {
					return errorText(err)
				}
			}
		}
		t := r.Table()
		return answerJSON(result, struct {
			Result   *sweep.Result                          `json:"result"`
			Text     string                                 `json:"text"`
			Markdown string                                 `json:"markdown"`
			LaTeX    string                                 `json:"latex"`
			Curves   map[string][]protocol.TrainingInterval `json:"curves"`
		}{r, r.Text(), t.Markdown(), t.LaTeX(), curves})
	}, errorText))
}
