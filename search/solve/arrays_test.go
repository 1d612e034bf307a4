package solve

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/board"
)

// The arrays have every board that a plain search reaches, up to symmetry, with the values that the table answers.
func TestArrays(t *testing.T) {
	problems := []Problem{problem(t, "3x2"), problem(t, "2x2"), problem(t, "2x3"), {Size: board.Size{Rows: 2, Cols: 3}, Goal: 64, P4: 0.1}}
	for _, p := range problems[:soak.Pick(2, 4)] {
		size := p.Size
		table := solved(t, p)
		folder := t.TempDir()
		done := 0.0
		paths := must.Get(table.WriteArrays(t.Context(), folder, size, func(now Progress) { done = now.Done }))(t)
		if len(paths) != 3 || done != 1 {
			t.Fatalf("%v, %v done", paths, done)
		}
		n := int(table.Boards())
		boards := values(t, folder, "boards", fmt.Sprintf(`'|u1', 'fortran_order': False, 'shape': (%d,%d,%d,)`, n, size.Rows, size.Cols))
		best := values(t, folder, "values", fmt.Sprintf(`'<f8', 'fortran_order': False, 'shape': (%d,)`, n))
		q := values(t, folder, "q", fmt.Sprintf(`'<f8', 'fortran_order': False, 'shape': (%d,4,)`, n))
		float := func(data []byte, i int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:])) }
		all := map[board.Board]bool{}
		sum := int64(0)
		for i := range n {
			b := board.New(size)
			for c := range size.Cells() {
				b.Set(c, boards[i*size.Cells()+c])
			}
			moves := must.Get(table.Moves(&b))(t)
			for d, m := range moves {
				if got := float(q, 4*i+d); m.Legal && got != m.Value || !m.Legal && !math.IsNaN(got) {
					t.Fatalf("%v: move %d has the value %v, want %v", b, d, got, m)
				}
			}
			if want := must.Get(table.Value(&b))(t); float(best, i) != want {
				t.Fatalf("%v: value %v, want %v", b, float(best, i), want)
			}
			if now := b.Sum(); now < sum {
				t.Fatalf("%v after a board of sum %d", b, sum)
			}
			sum = b.Sum()
			for _, image := range b.Symmetries() {
				all[image] = true
			}
		}
		if want, _ := reached(size); p.Goal == 0 && len(all) != len(want) {
			t.Errorf("%v: %d boards with their images, want %d", size, len(all), len(want))
		}
	}
}

// values returns what follows the header of an array, which must have a description.
func values(t *testing.T, folder, name, description string) []byte {
	t.Helper()
	data := must.Get(os.ReadFile(filepath.Join(folder, name+".npy")))(t)
	want := regexp.MustCompile(`(?s)^NUMPY\x01\x00..\{'descr': ` + regexp.QuoteMeta(description))
	head, rest, ok := bytes.Cut(data, []byte("\n"))
	if !ok || (len(head)+1)%64 != 0 || !want.Match(head[1:]) || int(binary.LittleEndian.Uint16(head[8:])) != len(head)+1-10 {
		t.Fatalf("%s has the header %q", name, head)
	}
	return rest
}
