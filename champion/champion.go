// Package champion embeds the network that comes with the program: a quantized model in parts,
// to be decoded.
//
//	network, err := champion.Decode() // for players
//
// Package models stores the decoded network in a cache. Decoding takes half a second or more of processor
// time and, for eight patterns of six cells and one stage, 268 MB of memory; [Tables] decodes the same a
// table at a time, in 33 MB a core. [Info] reads the metadata alone. A program that calls none of these pays
// for the size of its executable only, since the system loads the pages that are read.
//
// docs/training.md describes how the network was trained. A build may have none.
package champion

import (
	"errors"
	"io"
	"io/fs"
	"runtime/debug"
	"strings"
	"unsafe"

	"afterstate/ntuple"
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

// Decode decodes the network in 16-bit integers for the caller, who closes it.
func Decode() (*ntuple.Network, error) { return load(embedded) }

// Tables opens the network, to be decoded a table at a time. The caller calls free when that is done.
func Tables() (t *quant.Int16Tables, free func(), err error) {
	file, free, err := joinOutside(embedded)
	if err != nil {
		return nil, nil, err
	}
	if t, err = quant.OpenInt16(file); err != nil {
		free()
		return nil, nil, err
	}
	return t, free, nil
}

// Model decodes the whole model for the caller, who closes it.
func Model() (*quant.Model, error) {
	file, err := File()
	if err != nil {
		return nil, err
	}
	return quant.Dequantize(file)
}

// File returns the embedded file, joined from its parts.
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

// summarize reads the metadata from the first part.
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

// joinOutside is join into memory that is not the garbage collector's, so that it is free at once.
func joinOutside(files fs.FS) (file []byte, free func(), err error) {
	names := parts(files)
	if len(names) == 0 {
		return nil, nil, ErrNone
	}
	var sizes []int
	total := 0
	for _, name := range names {
		info, err := fs.Stat(files, name)
		if err != nil {
			return nil, nil, err
		}
		sizes = append(sizes, int(info.Size()))
		total += int(info.Size())
	}
	left, freeParts, err := outside(total)
	if err != nil {
		return nil, nil, err
	}
	defer freeParts()
	var all [][]byte
	for i, name := range names {
		f, err := files.Open(name)
		if err != nil {
			return nil, nil, err
		}
		all, left = append(all, left[:sizes[i]]), left[sizes[i]:]
		_, err = io.ReadFull(f, all[i])
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, nil, err
		}
	}
	memory, free, err := outside(total)
	if err != nil {
		return nil, nil, err
	}
	if file, err = quant.JoinInto(memory, all...); err != nil {
		free()
		return nil, nil, err
	}
	return file, free, nil
}

func outside(bytes int) (memory []byte, free func(), err error) {
	words, free, err := ntuple.Allocate[uint64]((bytes + 7) / 8)
	if err != nil {
		return nil, nil, err
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), bytes), free, nil
}
