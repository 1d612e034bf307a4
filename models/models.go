// Package models is every way to a network: the champion that comes with the program, the
// checkpoint of a training run, or a model file, raw or quantized.
//
//	model, err := models.Open("small.model") // with what its file says
//	defer model.Close()
//
// [Library] finds the networks that player specs name and loads each of them once for all
// players of the process.
package models

import (
	"fmt"
	"io"
	"os"

	"afterstate/champion"
	"afterstate/internal/inputfile"
	"afterstate/ntuple"
	"afterstate/ntuple/quant"
)

// Champion is the name by which Open knows the program's own network.
const Champion = "champion"

// Model is a network with what its file says, whatever the form of the file.
type Model struct {
	*ntuple.Network
	Info ntuple.Info
	Bits int        // of the numbers of a quantized model; 0: the model is raw
	Loss quant.Loss // what quantizing changed; zero for a raw model
}

// Open reads and checks a model file, raw or quantized. A raw one is mapped where the system
// can; see [ntuple.Load]. "champion" is the program's own network, if no file has
// that name. The caller closes the model. Errors name the path.
func Open(path string) (*Model, error) {
	if path == Champion {
		if _, err := os.Stat(path); err != nil {
			m, err := champion.Model()
			return (*Model)(m), err
		}
	}
	file, err := inputfile.Open(path)
	if err != nil {
		return nil, err
	}
	front := make([]byte, 8)
	n, _ := io.ReadFull(file, front)
	_ = file.Close()
	switch front = front[:n]; {
	case quant.IsPart(front):
		return nil, fmt.Errorf("%s is a part of a model: put the parts together with afterstate model join", path)
	case quant.IsQuantized(front):
		return openQuantized(path)
	}
	m, err := ntuple.Load(path)
	if err != nil {
		return nil, err
	}
	return &Model{Network: m.Network, Info: m.Info}, nil
}

func openQuantized(path string) (*Model, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, inputfile.Cause(err))
	}
	m, err := quant.Dequantize(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return (*Model)(m), nil
}

// OpenShort opens a model file as Open does and returns the network alone, in the form that
// players read. See [ntuple.Network.Short]. It fails with a *memory.Error if there is not
// enough memory for it.
func OpenShort(path string) (*ntuple.Network, error) {
	if err := fits(path); err != nil {
		return nil, err
	}
	m, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	return m.Network.Short()
}
