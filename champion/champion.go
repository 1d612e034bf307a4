// Package champion is the network that comes with the program: a quantized model in
// parts, which are decoded when it is first asked for.
//
//	network, err := champion.Network() // for players
//
// That takes a second or two and, for eight patterns of six cells and one stage, 268 MB.
// What the file says of itself is read in no time, by [Info]. A program that asks for
// neither pays with the size of its file alone, since the system reads of that only what
// is used.
//
// docs/training.md tells how it was made. A build may have none.
package champion

import (
	"errors"
	"io/fs"
	"runtime/debug"
	"strings"
	"sync"

	"afterstate/ntuple"
	"afterstate/ntuple/quant"
)

// ErrNone says that no network is embedded.
var ErrNone = errors.New("no network comes with this build")

// Embedded reports whether there is one, without looking into it.
func Embedded() bool { return len(parts(embedded)) > 0 }

// MaxSize is how many bytes the network may take in all.
const MaxSize = 32_000_000

// Info is what the file says of itself. No weights are read.
func Info() (*quant.Summary, error) { return summarize(embedded) }

// Network is the network in the form that players read. It is decoded once; all
// callers share it and nobody may close it.
var Network = sync.OnceValues(func() (*ntuple.Network, error) { return load(embedded) })

// Model is the whole model, decoded anew for the caller.
func Model() (*quant.Model, error) {
	file, err := File()
	if err != nil {
		return nil, err
	}
	return quant.Dequantize(file)
}

// File is the file that was embedded.
func File() ([]byte, error) { return join(embedded) }

func load(files fs.FS) (*ntuple.Network, error) {
	file, err := join(files)
	if err != nil {
		return nil, err
	}
	n, err := quant.DequantizeInt16(file)
	debug.FreeOSMemory() // decoding takes as much memory again as the network
	return n, err
}

// summarize reads the beginning of the first part.
func summarize(files fs.FS) (*quant.Summary, error) {
	names := parts(files)
	if len(names) == 0 {
		return nil, ErrNone
	}
	for _, name := range names {
		f, err := files.Open(name)
		if err != nil {
			return nil, err
		}
		s, err := quant.ReadSummary(f)
		_ = f.Close()
		if !errors.Is(err, quant.ErrLaterPart) {
			return s, err
		}
	}
	return nil, errors.New("the first part of the embedded network is missing")
}

// parts are the names of a file's parts.
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
