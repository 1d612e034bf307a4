//go:build !js

package solve

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"runtime"

	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/internal/disk"
	"github.com/afterstate2048/afterstate/internal/numpy"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// WriteArrays writes all boards of the table on which the player is to move, one of each set of symmetric images, and
// their values. It writes NumPy files to a folder and returns their paths:
//
//   - boards.npy, uint8 [n, rows, columns]: exponents, 0 for an empty cell;
//   - values.npy, float64 [n]: the value under optimal play, 0 without a legal move;
//   - q.npy, float64 [n, 4]: the value of each move (up, right, down, left), NaN if it is illegal.
//
// Boards are ordered by the sum of their tiles, and within a sum by their keys. size is the size of the problem or
// the transposed size. Only one layer is in memory at a time. WriteArrays calls progress after each layer.
func (t *Table) WriteArrays(ctx context.Context, folder string, size board.Size, progress func(Progress)) (paths []string, err error) {
	n := int(t.Boards())
	need := int64(n) * int64(size.Cells()+5*8)
	if free, ok := freeDisk(disk.Existing(folder)); ok && free < need {
		return nil, &SpaceError{Size: size, Needed: need, Free: free, Folder: folder}
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	out := [3][]byte{numpy.Header("|u1", n, size.Rows, size.Cols), numpy.Header("<f8", n), numpy.Header("<f8", n, 4)}
	var files [3]*atomicfile.File
	for i, name := range []string{"boards.npy", "values.npy", "q.npy"} {
		paths = append(paths, filepath.Join(folder, name))
		if files[i], err = atomicfile.Create(paths[i], 0o666); err != nil {
			return nil, err
		}
		defer files[i].Discard()
	}
	float := func(file int, v float64) {
		out[file] = binary.LittleEndian.AppendUint64(out[file], math.Float64bits(v))
	}
	written := 0
	err = t.eachLayer(ctx, size, func(all []boardMoves) error {
		for i := range all {
			x := &all[i]
			for c := range size.Cells() {
				out[0] = append(out[0], x.board.Cell(c))
			}
			best, _ := Best(&x.moves)
			float(1, best)
			for _, m := range x.moves {
				if !m.Legal {
					m.Value = math.NaN()
				}
				float(2, m.Value)
			}
		}
		for i, f := range files {
			if _, err := f.Write(out[i]); err != nil {
				return err
			}
			out[i] = out[i][:0]
		}
		written += len(all)
		progress(Progress{Done: float64(written) / float64(n)})
		return nil
	})
	for _, f := range files {
		if err == nil {
			err = f.Commit()
		}
	}
	return paths, err
}

// boardMoves is a board with the values of its moves.
type boardMoves struct {
	board board.Board
	moves [4]search.MoveValue
	err   error
}

// eachLayer calls visit with the boards of each tile sum, ordered by key. size is the size of the problem or the
// transposed size.
func (t *Table) eachLayer(ctx context.Context, size board.Size, visit func([]boardMoves) error) error {
	p := t.directory.Problem
	r := newReacher(t.g, &p, runtime.GOMAXPROCS(0), 4)
	for i := range t.Layers {
		l, err := t.readLayer(i)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		t.layers[i].Store(l)
		keys := r.boards[0].keys(nil)
		keys = sortKeys(keys, make([]uint32, len(keys)))
		all := make([]boardMoves, len(keys))
		parallel(r.workers, 0, len(keys), always, func(from, to int) {
			for j := from; j < to; j++ {
				x, w := &all[j], t.g.board(keys[j], r.sum)
				x.board = board.New(size)
				for c := range size.Cells() {
					at := c
					if size.Cols != t.g.cols { // transposed
						at = c%size.Cols*t.g.cols + c/size.Cols
					}
					x.board.Set(c, uint8(w>>(4*at)&15))
				}
				x.moves, x.err = t.Moves(&x.board)
			}
		})
		t.layers[i].Store(nil)
		for j := range all {
			err = cmp.Or(err, all[j].err)
		}
		if err == nil {
			err = visit(all)
		}
		if err != nil {
			return err
		}
		r.advance(l.keys.all())
	}
	return nil
}
