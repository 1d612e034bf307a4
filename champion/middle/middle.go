// Package middle embeds the networks of boards between 3x3 and 6x6 other than 4x4: quantized models, one a
// file, to be decoded.
//
//	file, err := middle.File(board.Size{Rows: 3, Cols: 5})
//	network, err := quant.DequantizeInt16(file) // for players
//
// Package models keeps decoded ones in the cache. A program that calls nothing here pays for the size of
// its executable only. docs/training.md describes how each was trained. A build may have none.
package middle

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"

	"afterstate/board"
	"afterstate/ntuple/quant"
)

// MaxSize is the most bytes that all networks together may add to the executable.
const MaxSize = 6_000_000

const (
	folder    = "networks"
	extension = ".model"
)

// Sizes lists the sizes of the embedded networks, without their turns. It reads none of them.
func Sizes() []board.Size { return sizes(embedded) }

func sizes(files fs.FS) (sizes []board.Size) {
	all, _ := fs.ReadDir(files, folder)
	for _, f := range all {
		if name, ok := strings.CutSuffix(f.Name(), extension); ok {
			if s, err := board.ParseSize(name); err == nil {
				sizes = append(sizes, s)
			}
		}
	}
	return sizes
}

// Of returns the size of the embedded network that plays boards of a size: that size, or its turn.
func Of(size board.Size) (network board.Size, ok bool) {
	for _, s := range Sizes() {
		if s == size || s == size.Turned() {
			return s, true
		}
	}
	return board.Size{}, false
}

// Info reads the metadata of the network of a size that [Sizes] lists.
func Info(size board.Size) (*quant.Summary, error) {
	file, err := File(size)
	if err != nil {
		return nil, err
	}
	return quant.ReadSummary(bytes.NewReader(file))
}

// File returns the embedded file of a size.
func File(size board.Size) ([]byte, error) {
	file, err := fs.ReadFile(embedded, folder+"/"+size.String()+extension)
	if err != nil {
		return nil, fmt.Errorf("this build has no embedded network for %v boards", size)
	}
	return file, nil
}
