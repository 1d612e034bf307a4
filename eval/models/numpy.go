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
	"strings"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/rules/board"
)

// ArrayLayout is layout.json: what the arrays of a network are that NumPy reads. An array has one dimension of 16 for
// each cell of its pattern. The help of the command model export says how the arrays are used.
type ArrayLayout struct {
	Size      board.Size        `json:"size"`
	Name      string            `json:"name,omitempty"`
	Bias      float32           `json:"bias"`
	StageBias []float32         `json:"stage_bias"`
	Stages    []ntuple.Stage    `json:"stages"`    // exponents that a board must have
	Downgrade uint8             `json:"downgrade"` // exponent; see [ntuple.Network]; 0: none
	Walls     uint8             `json:"walls,omitempty"`
	History   []ntuple.Training `json:"history,omitempty"`
	Arrays    []Array           `json:"arrays"`
}

// Array is a table of weights: those of a stage and a pattern.
type Array struct {
	Name    string `json:"name"`
	Stage   int    `json:"stage"`
	Pattern int    `json:"pattern"`
	Cells   []int  `json:"cells"`
}

// Arrays says which arrays there are.
func (m *Model) Arrays() *ArrayLayout {
	n := m.Network
	l := &ArrayLayout{
		Size: n.Size, Name: n.Name, Bias: n.Bias, StageBias: make([]float32, n.StageCount()), Stages: n.Stages,
		Downgrade: n.Downgrade, Walls: n.Walls, History: m.Info.History,
	}
	copy(l.StageBias, n.StageBias)
	for s := range n.StageCount() {
		for k, p := range n.Patterns {
			a := Array{Name: fmt.Sprintf("stage%d-pattern%d", s, k), Stage: s, Pattern: k}
			for _, c := range p {
				a.Cells = append(a.Cells, int(c))
			}
			l.Arrays = append(l.Arrays, a)
		}
	}
	return l
}

// WriteArray writes one table in NumPy's format, version 1.0 (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html), the last cell's exponent
// running fastest; in memory tables have another order, see ntuple.Pattern.
func WriteArray(w io.Writer, n *ntuple.Network, a Array) error {
	p, table := n.Patterns[a.Pattern], n.Table(a.Stage, a.Pattern)
	head := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }", strings.Repeat("16,", len(p)))
	const front = 10                                            // bytes before the text
	head += strings.Repeat(" ", 63-(front+len(head))%64) + "\n" // all in all a multiple of 64
	text := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), byte(len(head)>>8))
	out := bufio.NewWriterSize(w, 1<<16)
	_, err := out.Write(append(text, head...))
	exponents := make([]uint8, len(p))
	var word [4]byte
	for i := range table {
		for c := range exponents {
			exponents[c] = uint8(i >> (4 * (len(p) - 1 - c)) & 15)
		}
		binary.LittleEndian.PutUint32(word[:], math.Float32bits(table[p.Index(exponents)]))
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
