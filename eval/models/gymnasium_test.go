package models

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"testing/fstest"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

// A network that gymnasium-2048 has saved gives boards the values of that program: the sum over its tuples of cells.
// Each tuple has its own array, with 15 exponents in each dimension.
func TestGymnasiumNetworks(t *testing.T) {
	type cell struct{ row, col int }
	var threes, fours [][]cell
	for row := range 4 {
		threes = append(threes, []cell{{row, 0}, {row, 1}, {row, 2}}, []cell{{row, 1}, {row, 2}, {row, 3}})
		fours = append(fours, []cell{{row, 0}, {row, 1}, {row, 2}, {row, 3}})
	}
	for col := range 4 {
		threes = append(threes, []cell{{0, col}, {1, col}, {2, col}}, []cell{{1, col}, {2, col}, {3, col}})
		fours = append(fours, []cell{{0, col}, {1, col}, {2, col}, {3, col}})
	}
	threes = append(threes, []cell{{0, 0}, {0, 1}, {1, 0}}, []cell{{0, 3}, {0, 2}, {1, 3}}, []cell{{3, 0}, {3, 1}, {2, 0}}, []cell{{3, 3}, {3, 2}, {2, 3}})
	for row := range 3 {
		for col := range 3 {
			fours = append(fours, []cell{{row, col}, {row, col + 1}, {row + 1, col + 1}, {row + 1, col}})
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	for _, tuples := range [][][]cell{threes, fours} {
		files, arrays := fstest.MapFS{}, [][]float64{}
		shape, weights := "15, 15, 15", 15*15*15
		if len(tuples[0]) == 4 {
			shape, weights = "15, 15, 15, 15", 15*15*15*15
		}
		for i := range tuples {
			a := make([]float64, weights)
			for k := range a {
				a[k] = r.NormFloat64() * 1000
			}
			arrays = append(arrays, a)
			files[fmt.Sprintf("weights_%d.npy", i)] = array(1, "<f8", "False", shape, a)
		}
		m := must.Get(readArrays(files))(t)
		defer m.Close()
		for range 200 {
			b := board.New(board.Size{Rows: 4, Cols: 4})
			for i := range 16 {
				b.Set(i, uint8(r.IntN(15)))
			}
			want := 0.0
			for i, tuple := range tuples {
				at := 0
				for _, c := range tuple {
					at = 15*at + int(b.At(c.row, c.col))
				}
				want += arrays[i][at]
			}
			got := ntuple.Evaluator{Network: m.Network}.Value(&eval.Position{Board: b})
			if math.Abs(got-want) > 0.02 {
				t.Fatalf("%d tuples: %v is worth %v, want %v", len(tuples), b, got, want)
			}
		}
		again := must.Get(readArrays(exported(t, m)))(t)
		defer again.Close()
		if !again.Fixed || again.Checksum() != m.Checksum() {
			t.Errorf("%d tuples: exported and imported, fixed is %v and the weights differ: %v", len(tuples), again.Fixed, again.Checksum() != m.Checksum())
		}
	}
	if _, err := readArrays(fstest.MapFS{"weights_0.npy": array(1, "<f8", "False", "15, 15, 15", make([]float64, 3375))}); err == nil {
		t.Error("one array without a layout is a network")
	}
}

// exported are the files of a model's arrays.
func exported(t *testing.T, m *Model) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	layout := m.Arrays()
	for _, a := range layout.Arrays {
		var out bytes.Buffer
		must.Do(t, WriteArray(&out, m.Network, a))
		files[a.Name+".npy"] = &fstest.MapFile{Data: out.Bytes()}
	}
	var text bytes.Buffer
	must.Do(t, layout.WriteJSON(&text))
	files["layout.json"] = &fstest.MapFile{Data: text.Bytes()}
	return files
}
