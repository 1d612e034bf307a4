package cache

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Tables that come in any order, at the same time, make the same file as those of a network one after
// another. Some blocks are of several tables.
func TestWriteTables(t *testing.T) {
	l := must.Get(ntuple.ParseLayout(board.Size{Rows: 4, Cols: 4}, "012 01245 01 0145 456 012345"))(t)
	l.Stages = []ntuple.Stage{{}, {5}}
	n := must.Get(ntuple.NewInt16(ntuple.Head{Layout: l}, 0.5))(t)
	defer n.Close()
	for stage := range n.StageCount() {
		fill(n, stage)
	}
	whole := Folder(filepath.Join(t.TempDir(), "cache"))
	must.Do(t, whole.write(key, of(n)))
	f := Folder(filepath.Join(t.TempDir(), "cache"))
	tables := quant.TablesOf(n)
	skipped := -1
	tables.Each = func(visit func(int, int, [][]int16) error) error {
		var threads sync.WaitGroup
		for _, p := range rand.New(rand.NewPCG(1, 2)).Perm(len(n.Patterns)) {
			threads.Go(func() {
				var all [][]int16
				for stage := range n.StageCount() {
					all = append(all, n.Int16Table(stage, p))
				}
				if p == skipped%len(n.Patterns) { // all but the last stage
					all = all[:len(all)-1]
				}
				if err := visit(p, 0, all); err != nil {
					t.Error(err)
				}
			})
		}
		threads.Wait()
		return nil
	}
	for skipped = range 3 {
		if err := f.write(key, func() (*quant.Int16Tables, func(), error) { return tables, func() {}, nil }); err == nil {
			t.Errorf("written without table %d", skipped)
		}
		if entries, _ := os.ReadDir(string(f)); len(entries) != 0 {
			t.Errorf("left: %v", entries)
		}
	}
	skipped = -1
	must.Do(t, f.write(key, func() (*quant.Int16Tables, func(), error) { return tables, func() {}, nil }))
	want := must.Get(os.ReadFile(whole.Path(key)))(t)
	if got, err := os.ReadFile(f.Path(key)); err != nil || string(got) != string(want) {
		t.Errorf("another file, %v", err)
	}
	got := open(t, f)
	defer got.Close()
	if !same(got, n) {
		t.Error("another network comes back")
	}
}
