//go:build clib

package main

// #include <stdint.h>
import "C"

import (
	"encoding/json"
	"runtime/cgo"

	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/internal/memory"
)

// afterstate_model_open decodes a model: a file of any format, or "champion", the network that comes with
// the program. layout gets a line of JSON, freed with afterstate_free: that of the command model export, with the
// network's name and training history.
//
//export afterstate_model_open
func afterstate_model_open(path *C.char, handle *C.uintptr_t, layout **C.char) (text *C.char) {
	defer guard(&text)
	m, err := models.Open(C.GoString(path))
	if err != nil {
		return errorText(err)
	}
	described, err := json.Marshal(m.Arrays())
	if err == nil {
		err = memory.Check(4 * int64(m.Layout.Weights())) // the caller's copy
	}
	if err != nil {
		m.Close()
		return errorText(err)
	}
	*handle, *layout = C.uintptr_t(cgo.NewHandle(m)), C.CString(string(described))
	return nil
}

// afterstate_model_table copies the weights of a pattern in a stage to a table that is all 0: 16^k weights for k
// cells, ordered by the upper halves of the cells' exponents, then by the lower ones.
//
//export afterstate_model_table
func afterstate_model_table(handle C.uintptr_t, stage, pattern C.int32_t, table *C.float) (text *C.char) {
	defer guard(&text)
	weights := objectOf[*models.Model](handle).Table(int(stage), int(pattern))
	out := slice[float32](table, len(weights))
	for i, w := range weights {
		if w != 0 { // a page without weights takes no memory
			out[i] = w
		}
	}
	return nil
}

// afterstate_model_free frees a model.
//
//export afterstate_model_free
func afterstate_model_free(handle C.uintptr_t) (text *C.char) {
	defer guard(&text)
	m := objectOf[*models.Model](handle)
	cgo.Handle(handle).Delete()
	m.Close()
	return nil
}
