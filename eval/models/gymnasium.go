//go:build !js

package models

import (
	"fmt"
	"io/fs"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// gymnasiumPatterns maps a number of patterns to the patterns of the network class in gymnasium-2048 that has that
// many: NTupleNetworkTDPolicy reads rows, columns and squares clockwise; NTupleNetworkTDPolicySmall reads three cells
// in a row or column, and the corners.
var gymnasiumPatterns = map[int]string{
	17: "0123 4567 89ab cdef 048c 159d 26ae 37bf 0154 1265 2376 4598 56a9 67ba 89dc 9aed abfe",
	20: "012 123 456 567 89a 9ab cde def 048 48c 159 59d 26a 6ae 37b 7bf 014 327 cd8 feb",
}

// gymnasiumLayout returns the layout of a network that gymnasium-2048 (Quentin18/gymnasium-2048) has saved, or nil
// for other files. Such a zip file has no layout.json, but arrays weights_0.npy and so on, one for each pattern. Its
// exponents go up to 14.
func gymnasiumLayout(files fs.FS) *ArrayLayout {
	arrays, _ := fs.Glob(files, "weights_*.npy")
	l, err := ntuple.ParseLayout(bitboard.Size, gymnasiumPatterns[len(arrays)])
	if err != nil { // no network of gymnasium-2048 has this number of patterns
		return nil
	}
	l.Name, l.Fixed = "gymnasium-2048", true
	a := describeArrays(&ntuple.Head{Layout: l})
	for i := range a.Arrays {
		a.Arrays[i].Name = fmt.Sprint("weights_", i)
	}
	return a
}
