// Package champion embeds the networks that come with the program, as quantized models.
//
//	file, err := champion.Main().File()
//	network, err := quant.DequantizeInt16(file) // for players
//
// [Main] returns the network for 4x4, whose file is split into parts; [Endings] returns the ending
// network for 4x4 (see package endings), and [Of] the network for a board size. [Sizes] lists the
// sizes besides 4x4. Decoding Main takes half a second or more of processor time and, for eight
// patterns of six cells and one stage, 268 MB of memory. Package models caches decoded networks.
// [Network.Info] reads the metadata alone. A program that decodes no network pays only with a
// larger executable: the system does not load pages that are never read.
//
// docs/training.md describes how the networks were trained. A build may have no networks; see [ErrNone].
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

// ErrNone is returned if this build does not contain the network.
var ErrNone = errors.New("this build has no embedded network")

// Network refers to an embedded network. Its methods read the network's file.
type Network struct {
	files fs.FS
	names []string // name of its file, or names of the parts of the file in order
}

// Main returns the network for 4x4. It is a function and not a variable, so that the linker leaves the networks
// out of programs that do not use them.
func Main() Network { return find(embedded, "parts/*.part*") }

// Endings returns the ending network for 4x4. Nearly all entries of its tables are for combinations of tiles that
// cannot occur, so players decode it with [quant.DequantizeSparse]: complete tables would take gigabytes.
func Endings() Network { return find(embedded, "parts/endings.model") }

const middle = "middle/networks/"

// find returns the network whose files have names that match a pattern.
func find(files fs.FS, pattern string) Network {
	names, _ := fs.Glob(files, pattern)
	return Network{files, names}
}

// Sizes lists the sizes other than 4x4 that have a network. A network for 3x4 also plays 4x3, which is not listed.
func Sizes() []board.Size { return sizes(embedded) }

func sizes(files fs.FS) (sizes []board.Size) {
	for _, name := range find(files, middle+"*.model").names {
		if s, err := board.ParseSize(strings.TrimSuffix(path.Base(name), ".model")); err == nil {
			sizes = append(sizes, s)
		}
	}
	return sizes
}

// Of returns the network for boards of a size. The network may have been trained with rows and
// columns swapped. If there is no network, Embedded returns false for the result.
func Of(size board.Size) Network {
	if size == bitboard.Size {
		return Main()
	}
	if n := find(embedded, middle+size.String()+".model"); n.Embedded() {
		return n
	}
	return find(embedded, middle+size.Turned().String()+".model")
}

// Embedded reports whether this build has the network. It does not read the network.
func (n Network) Embedded() bool { return len(n.names) > 0 }

// Info reads the file's metadata without its weights. It fails with ErrNone if the network is not embedded.
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

// File returns the content of the file, joined from its parts. It fails with ErrNone if the network is not
// embedded. The caller may change the result.
func (n Network) File() ([]byte, error) {
	if !n.Embedded() {
		return nil, ErrNone
	}
	var file []byte
	for _, name := range n.names {
		data, err := fs.ReadFile(n.files, name)
		if err != nil {
			return nil, err
		}
		file = append(file, data...)
	}
	return file, nil
}
