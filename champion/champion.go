// Package champion embeds the network that comes with the program: a quantized model in parts,
// to be decoded.
//
//	file, err := champion.File()
//	network, err := quant.DequantizeInt16(file) // for players
//
// Package models stores the decoded network in a cache. Decoding takes half a second or more of processor
// time and, for eight patterns of six cells and one stage, 268 MB of memory; [quant.OpenInt16] decodes the same a
// table at a time, in 33 MB a core. [Info] reads the metadata alone. A program that calls none of these pays
// for the size of its executable only, since the system loads the pages that are read.
//
// docs/training.md describes how the network was trained. A build may have none.
package champion

import (
	"errors"
	"io/fs"
	"strings"

	"afterstate/ntuple/quant"
)

// ErrNone is returned by a build without a network.
var ErrNone = errors.New("this build has no embedded network")

// Embedded reports whether this build has a network. It reads none of it.
func Embedded() bool { return len(parts(embedded)) > 0 }

// MaxSize is the most bytes that the network may add to the executable.
const MaxSize = 32_000_000

// Info reads the file's metadata without its weights.
func Info() (*quant.Summary, error) { return summarize(embedded) }

// Model decodes the whole model for the caller, who closes it.
func Model() (*quant.Model, error) {
	file, err := File()
	if err != nil {
		return nil, err
	}
	return quant.Dequantize(file)
}

// File returns the embedded file, joined from its parts. The result is the caller's.
func File() ([]byte, error) { return join(embedded) }

// summarize reads the metadata from the first part.
func summarize(files fs.FS) (*quant.Summary, error) {
	names := parts(files)
	if len(names) == 0 {
		return nil, ErrNone
	}
	f, err := files.Open(names[0])
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return quant.ReadSummary(f)
}

// parts lists the names of the parts, in order.
func parts(files fs.FS) (names []string) {
	all, _ := fs.ReadDir(files, "parts")
	for _, f := range all {
		if strings.Contains(f.Name(), ".part") {
			names = append(names, "parts/"+f.Name())
		}
	}
	return names
}

func join(files fs.FS) ([]byte, error) {
	names := parts(files)
	if len(names) == 0 {
		return nil, ErrNone
	}
	var all [][]byte
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return quant.Join(all...)
}
