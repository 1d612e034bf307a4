//go:build !js

package models

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/numpy"
	"github.com/afterstate2048/afterstate/rules/board"
)

// ArrayLayout is the content of layout.json, which describes a network exported as NumPy arrays. An array has one
// dimension of length 16 for each cell of its pattern. The help of the command "model export" describes how to use
// the arrays.
type ArrayLayout struct {
	Size      board.Size        `json:"size"`
	Name      string            `json:"name,omitempty"`
	Bias      float32           `json:"bias"`
	Stages    []ntuple.Stage    `json:"stages"`    // for each stage, the exponents that a board must have
	Downgrade uint8             `json:"downgrade"` // smallest exponent that is downgraded; see [ntuple.Head]; 0: none
	Walls     uint8             `json:"walls,omitempty"`
	Fixed     bool              `json:"fixed,omitempty"` // patterns are not read under the board's symmetries
	History   []ntuple.Training `json:"history,omitempty"`
	Arrays    []Array           `json:"arrays"`
}

// Array is one table of weights, for one stage and one pattern.
type Array struct {
	Name    string `json:"name"`
	Stage   int    `json:"stage"`
	Pattern int    `json:"pattern"`
	Cells   []int  `json:"cells"`
}

// Arrays returns the layout of the model's arrays.
func (m *Model) Arrays() *ArrayLayout {
	l := describeArrays(&m.Network.Head)
	l.History = m.Info.History
	return l
}

func describeArrays(h *ntuple.Head) *ArrayLayout {
	l := &ArrayLayout{
		Size: h.Size, Name: h.Name, Bias: h.Bias, Stages: h.Stages,
		Downgrade: h.Downgrade, Walls: h.Walls, Fixed: h.Fixed,
	}
	for s := range h.StageCount() {
		for k, p := range h.Patterns {
			a := Array{Name: fmt.Sprintf("stage%d-pattern%d", s, k), Stage: s, Pattern: k}
			for _, c := range p {
				a.Cells = append(a.Cells, int(c))
			}
			l.Arrays = append(l.Arrays, a)
		}
	}
	return l
}

// WriteArray writes one table in NumPy's .npy format. Tables in memory have another order; see ntuple.Pattern.
func WriteArray(w io.Writer, n *ntuple.Network, a Array) error {
	p, table := n.Patterns[a.Pattern], n.Table(a.Stage, a.Pattern)
	out := bufio.NewWriterSize(w, 1<<16)
	_, err := out.Write(numpy.Header("<f4", slices.Repeat([]int{16}, len(p))...))
	exponents := make([]uint8, len(p))
	var word [4]byte
	for i := range table {
		for c := range exponents {
			exponents[c] = uint8(i >> (4 * (len(p) - 1 - c)) & 15)
		}
		weight := table[p.Index(exponents)]
		if n.Fixed {
			weight *= 8 // the network adds each weight of a fixed pattern eight times
		}
		binary.LittleEndian.PutUint32(word[:], math.Float32bits(weight))
		if _, err = out.Write(word[:]); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

// WriteArrays writes layout.json and all arrays as an .npz file.
func (m *Model) WriteArrays(w io.Writer) error {
	l := m.Arrays()
	z := zip.NewWriter(w)
	part, err := z.Create("layout.json")
	if err == nil {
		err = l.WriteJSON(part)
	}
	for _, a := range l.Arrays {
		if err != nil {
			return err
		}
		if part, err = z.Create(a.Name + ".npy"); err == nil {
			err = WriteArray(part, m.Network, a)
		}
	}
	if err != nil {
		return err
	}
	return z.Close()
}

// WriteJSON writes layout.json.
func (l *ArrayLayout) WriteJSON(w io.Writer) error { return json.NewEncoder(w).Encode(l) }
