//go:build !js

package solve

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"

	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/internal/disk"
	"github.com/afterstate2048/afterstate/internal/numpy"
	"github.com/afterstate2048/afterstate/rules/board"
)

// WriteArrays writes all boards of the table on which the player is to move, one of each set of symmetric images, and their values
// to files of a folder that NumPy reads, and returns their paths:
//
//   - boards.npy, uint8 [n, rows, columns]: exponents, 0 for an empty cell;
//   - values.npy, float64 [n]: the value under optimal play, 0 without a legal move;
//   - q.npy, float64 [n, 4]: the value of each move (up, right, down, left), NaN if it is illegal.
//
// Boards are ordered by the sum of their tiles, those of one sum by their keys. size is that of the problem or its turn. One layer is in
// memory at a time. progress is called after each, with the share that is written.
func (t *Table) WriteArrays(ctx context.Context, folder string, size board.Size, progress func(done float64)) (paths []string, err error) {
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
	turned, written := size.Cols != t.g.cols, 0
	float := func(file int, v float64) {
		out[file] = binary.LittleEndian.AppendUint64(out[file], math.Float64bits(v))
	}
	err = t.eachLayer(ctx, func(boards []word, moves [][4]float64) error {
		for i, w := range boards {
			q, best := moves[i], 0.0
			for c := range size.Cells() {
				if turned {
					c = c%size.Cols*t.g.cols + c/size.Cols
				}
				out[0] = append(out[0], uint8(w>>(4*c)&15))
			}
			for d := range q {
				v := q[d]
				if turned { // left is up there, and down is right
					v = q[3-d]
				}
				float(2, v)
				if v > best {
					best = v
				}
			}
			float(1, best)
		}
		for i, f := range files {
			if _, err := f.Write(out[i]); err != nil {
				return err
			}
			out[i] = out[i][:0]
		}
		written += len(boards)
		progress(float64(written) / float64(n))
		return nil
	})
	for _, f := range files {
		if err == nil {
			err = f.Commit()
		}
	}
	return paths, err
}

// eachLayer visits the boards of each tile sum, ordered by key, with the values of their moves, NaN for illegal ones.
func (t *Table) eachLayer(ctx context.Context, visit func(boards []word, moves [][4]float64) error) error {
	p := t.directory.Problem
	r := newReacher(t.g, &p, runtime.GOMAXPROCS(0), 4)
	for i := range t.Layers {
		if err := ctx.Err(); err != nil {
			return err
		}
		l, err := t.readLayer(i)
		if err != nil {
			return err
		}
		keys := r.boards[0].keys(nil)
		keys = sortKeys(keys, make([]uint32, len(keys)))
		boards, moves := make([]word, len(keys)), make([][4]float64, len(keys))
		var lacking atomic.Bool
		parallel(r.workers, 0, len(keys), always, func(from, to int) {
			for j := from; j < to; j++ {
				boards[j] = t.g.board(keys[j], r.sum)
				if !t.moveValues(l, boards[j], &moves[j]) {
					lacking.Store(true)
				}
			}
		})
		if lacking.Load() {
			return &DamagedError{Path: t.path, Problem: p}
		}
		if err := visit(boards, moves); err != nil {
			return err
		}
		r.advance(l.keys.all())
	}
	return nil
}

// moveValues sets the values of a board's moves from the layer of its sum, and reports whether that has all of them.
func (t *Table) moveValues(l *storedLayer, w word, moves *[4]float64) bool {
	var s lines
	s.set(t.g, w)
	goal := ones * word(t.directory.Problem.goal())
	rewards := [4]word{s.rUp, s.rForth, s.rDown, s.rBack}
	for d, after := range [4]word{s.up, s.forth, s.down, s.back} {
		switch {
		case after == w:
			moves[d] = math.NaN()
			continue
		case goal != 0 && has(after, goal) != 0:
			moves[d] = 1
			continue
		}
		at, ok := l.keys.find(t.g.key(t.g.canonical(after)))
		if !ok {
			return false
		}
		if moves[d] = valueAt(l.values, at, t.Width); goal == 0 {
			moves[d] += float64(4 * rewards[d])
		}
	}
	return true
}
