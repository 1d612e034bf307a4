//go:build !js

package models

import (
	"github.com/afterstate2048/afterstate/eval/champion"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/internal/memory"
)

// Champion is the name of the embedded network of 4x4 for Open.
const Champion = "champion"

// Model is a network with its metadata, in any file format. Without Bits it is raw.
type Model quant.Model

// named are the embedded networks that have a name for Open.
var named = map[string]champion.Network{Champion: champion.Main, "champion-endings": champion.Endings}

// embeddedAt returns the embedded network that a path denotes; ok is false if it is another path, or that of a file.
func embeddedAt(path string) (n champion.Network, ok bool) {
	n, ok = named[path]
	return n, ok && !isFile(path)
}

// Open reads and checks a model file, raw or quantized. A raw one is mapped where the system can;
// see [ntuple.Load]. "champion" is the embedded network unless a file has that name. Errors name
// the path. The caller closes the model. "champion-endings" is the embedded ending network.
func Open(path string) (*Model, error) {
	if e, ok := embeddedAt(path); ok {
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		return dequantize(info, e.File)
	}
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.quantized != nil {
		m, err := dequantize(f.quantized, f.load)
		return m, f.named(err)
	}
	m, err := ntuple.Load(path)
	if err != nil {
		return nil, err
	}
	return &Model{Network: m.Network, Info: m.Info}, nil
}

// dequantize decodes a whole quantized file, if there is memory: 32 bits a weight, and what decoding in 16 bits
// takes.
func dequantize(info *quant.Header, file func() ([]byte, error)) (*Model, error) {
	if err := memory.Check(memory.Plus(memory.Times(int64(info.Weights()), 4), decodedBytes(info))); err != nil {
		return nil, err
	}
	data, err := file()
	if err != nil {
		return nil, err
	}
	m, err := quant.Dequantize(data)
	return (*Model)(m), err
}
