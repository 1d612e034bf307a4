//go:build !js

package models

import (
	"fmt"
	"io/fs"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// gymnasiumLayout returns the layout of a network that gymnasium-2048 (Quentin18/gymnasium-2048) has saved, or nil. Such a
// zip file has arrays weights_0.npy and so on and no layout: its two classes of policies read fixed tuples of cells, one
// for each array. Its exponents go up to 14.
func gymnasiumLayout(files fs.FS) *ArrayLayout {
	count := 0
	for count <= ntuple.MaxPatterns {
		if _, err := fs.Stat(files, gymnasiumArray(count)+".npy"); err != nil {
			break
		}
		count++
	}
	var tuples [][]int
	switch count {
	case 17:
		tuples = gymnasiumFours()
	case 20:
		tuples = gymnasiumThrees()
	default:
		return nil
	}
	l := &ArrayLayout{Size: bitboard.Size, Name: "gymnasium-2048", Fixed: true}
	for i, cells := range tuples {
		l.Arrays = append(l.Arrays, Array{Name: gymnasiumArray(i), Pattern: i, Cells: cells})
	}
	return l
}

func gymnasiumArray(i int) string { return fmt.Sprint("weights_", i) }

// gymnasiumFours are the tuples of NTupleNetworkTDPolicy: rows, columns, and squares clockwise.
func gymnasiumFours() (tuples [][]int) {
	for row := range 4 {
		tuples = append(tuples, []int{4 * row, 4*row + 1, 4*row + 2, 4*row + 3})
	}
	for col := range 4 {
		tuples = append(tuples, []int{col, col + 4, col + 8, col + 12})
	}
	for row := range 3 {
		for col := range 3 {
			at := 4*row + col
			tuples = append(tuples, []int{at, at + 1, at + 5, at + 4})
		}
	}
	return tuples
}

// gymnasiumThrees are the tuples of NTupleNetworkTDPolicySmall: three cells in a row, three in a column, and the corners.
func gymnasiumThrees() (tuples [][]int) {
	for row := range 4 {
		for col := range 2 {
			at := 4*row + col
			tuples = append(tuples, []int{at, at + 1, at + 2})
		}
	}
	for col := range 4 {
		for row := range 2 {
			at := 4*row + col
			tuples = append(tuples, []int{at, at + 4, at + 8})
		}
	}
	return append(tuples, []int{0, 1, 4}, []int{3, 2, 7}, []int{12, 13, 8}, []int{15, 14, 11})
}
