// Package champion embeds the networks that come with the program: quantized models, to be decoded.
//
//	file, err := champion.Main().File()
//	network, err := quant.DequantizeInt16(file) // for players
//
// [Main] is that of 4x4, in parts, [Endings] the ending network beside it, and [Of] returns those of other sizes between
// 3x3 and 6x6. Package models stores decoded networks in a cache. Decoding Main takes half a second or more of processor
// time and, for eight patterns of six cells and one stage, 268 MB of memory; [quant.OpenInt16] decodes the same a
// table at a time, in 33 MB a core. [Network.Info] reads the metadata alone. A program that calls none of these pays
// for the size of its executable only, since the system loads the pages that are read.
//
// docs/training.md describes how the networks were trained. A build may have none.
package champion

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// ErrNone is returned by a build without a network.
var ErrNone = errors.New("this build has no embedded network")

// Network is an embedded network.
type Network struct {
	files fs.FS
	names []string // its file, or its parts in order
}

// Main returns the network of 4x4. It is no variable, so that the linker leaves the networks out of a program that does not
// play.
func Main() Network { return find(embedded, "parts/*.part*") }

// Endings returns the ending network of 4x4. Nearly all contents of its patterns are impossible, so players decode it by
// [quant.DequantizeSparse]: complete tables would take gigabytes.
func Endings() Network { return find(embedded, "parts/endings.model") }

const middle = "middle/networks/"

// find returns the network in the files whose names match a pattern.
func find(files fs.FS, pattern string) Network {
	names, _ := fs.Glob(files, pattern)
	return Network{files, names}
}

// Sizes lists the sizes other than 4x4 that have a network, without their turns.
func Sizes() []board.Size { return sizes(embedded) }

func sizes(files fs.FS) (sizes []board.Size) {
	for _, name := range find(files, middle+"*.model").names {
		if s, err := board.ParseSize(strings.TrimSuffix(path.Base(name), ".model")); err == nil {
			sizes = append(sizes, s)
		}
	}
	return sizes
}

// Of returns the network that plays boards of a size: that of the size, or of its turn.
func Of(size board.Size) Network {
	if size == bitboard.Size {
		return Main()
	}
	if n := find(embedded, middle+size.String()+".model"); n.Embedded() {
		return n
	}
	return find(embedded, middle+size.Turned().String()+".model")
}

// Embedded reports whether this build has the network. It reads none of it.
func (n Network) Embedded() bool { return len(n.names) > 0 }

// Info reads the file's metadata without its weights.
func (n Network) Info() (*quant.Header, error) {
	if !n.Embedded() {
		return nil, ErrNone
	}
	f, err := n.files.Open(n.names[0])
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return quant.ReadSummary(f)
}

// File returns the file, joined from its parts. The result is the caller's.
func (n Network) File() ([]byte, error) {
	if !n.Embedded() {
		return nil, ErrNone
	}
	var all [][]byte
	for _, name := range n.names {
		data, err := fs.ReadFile(n.files, name)
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	if strings.HasSuffix(n.names[0], ".model") {
		return all[0], nil
	}
	return quant.Join(all...)
}
