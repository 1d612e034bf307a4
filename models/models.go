//go:build !js

package models

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"afterstate/champion"
	"afterstate/internal/inputfile"
	"afterstate/internal/memory"
	"afterstate/ntuple"
	"afterstate/ntuple/quant"
)

// Champion is the name of the embedded network for Open.
const Champion = "champion"

// Model is a network with its metadata, in any file format.
type Model struct {
	*ntuple.Network
	Info ntuple.Info
	Bits int        // of the numbers of a quantized model; 0: the model is raw
	Loss quant.Loss // what quantizing changed; zero for a raw model
}

// Open reads and checks a model file, raw or quantized. A raw one is mapped where the system can;
// see [ntuple.Load]. "champion" is the embedded network unless a file has that name. Errors name
// the path. The caller closes the model. "champion-endings" is the embedded ending network.
func Open(path string) (*Model, error) {
	switch {
	case isEmbedded(path, Champion):
		info, err := champion.Info()
		if err == nil {
			err = checkWhole(info)
		}
		if err != nil {
			return nil, err
		}
		m, err := champion.Model()
		return (*Model)(m), err
	case isEmbedded(path, Endings):
		file, err := champion.EndingsFile()
		if err != nil {
			return nil, err
		}
		m, err := quant.Dequantize(file)
		return (*Model)(m), err
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
		return nil, partError(path)
	case quant.IsQuantized(front):
		return openQuantized(path)
	}
	m, err := ntuple.Load(path)
	if err != nil {
		return nil, err
	}
	return &Model{Network: m.Network, Info: m.Info}, nil
}

func partError(path string) error {
	return fmt.Errorf("%s is a part of a model: put the parts together with afterstate model join", path)
}

// checkWhole returns a *memory.Error unless there is memory to decode a whole model: 32 bits a weight, and what decoding
// in 16 bits takes.
func checkWhole(s *quant.Summary) error {
	return memory.Check(memory.Plus(memory.Times(int64(s.Weights()), 4), decodedBytes(s)))
}

func openQuantized(path string) (*Model, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, inputfile.Cause(err))
	}
	info, err := quant.ReadSummary(bytes.NewReader(data))
	if err == nil {
		if err := checkWhole(info); err != nil {
			return nil, err
		}
	}
	m, err := quant.Dequantize(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return (*Model)(m), nil
}
