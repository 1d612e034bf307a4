package bench

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/internal/xdg"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// Signature returns a checksum over the node counts, moves and values of fixed searches and the
// weights after fixed training runs, as 16 hexadecimal digits. It is the same on every machine, and
// in every build whose search and training give the same results.
func Signature(ctx context.Context) (string, error) {
	sum := fnv.New64a()
	for _, fixed := range fixedSearches() {
		for _, b := range fixed.boards {
			r, err := fixed.search.Search(ctx, search.Query{Position: eval.Position{Board: b}})
			if err != nil {
				return "", err
			}
			words := []uint64{uint64(r.Nodes), uint64(r.Move), uint64(r.Plies)}
			for _, m := range r.Moves {
				if m.Legal {
					words = append(words, math.Float64bits(m.Value))
				}
			}
			if err := binary.Write(sum, binary.LittleEndian, words); err != nil {
				return "", err
			}
		}
	}
	for _, coherent := range []bool{false, true} {
		check, err := fixedTraining(ctx, coherent, true)
		if err != nil {
			return "", err
		}
		if err := binary.Write(sum, binary.LittleEndian, check); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%016x", sum.Sum64()), nil
}

type searcher interface {
	Search(context.Context, search.Query) (search.Result, error)
}

// fixedSearch is a search and the boards to search.
type fixedSearch struct {
	search searcher
	boards []board.Board
}

// fixedSearches returns searches that cover every part of the 4x4 search, and the search of other sizes.
func fixedSearches() []fixedSearch {
	made := func(name string) eval.Evaluator {
		e, err := eval.New(name)
		if err != nil {
			panic(err) // impossible: the names exist
		}
		return e
	}
	strict := PlayingSearch()
	strict.TTExact, strict.TTRootMove, strict.MinProb = true, false, 1e-3
	deepening := PlayingSearch()
	deepening.DepthByTiles, deepening.Plies, deepening.Nodes, deepening.SoftLimit = nil, 0, 100000, true
	all := Positions()
	return []fixedSearch{
		{newSearch(ReferenceSearch()), all[:4]}, {newSearch(PlayingSearch()), all[:40]}, {newSearch(strict), all[:20]}, {newSearch(deepening), all[:40]},
		{newSearch(search.ExpectimaxOptions{Eval: made("snake"), Plies: 2, Leaf: search.LeafSpawn}), all[:20]},
		{newSearch(search.ExpectimaxOptions{Eval: made("gradient"), Plies: 3}), all[:20]},
		{search.NewExpectimax(search.ExpectimaxOptions{Eval: made("weighted-snake"), Plies: 3, Star1: true}), all[:4]},
		{search.NewMinimax(search.MinimaxOptions{Eval: made("gradient"), Layers: 4, AlphaBeta: true}), all[:20]},
		{search.NewExpectimax(search.ExpectimaxOptions{Eval: made("gradient"), Nodes: 20000, Star1: true}), otherSizes()},
	}
}

// otherSizes returns half-filled boards of other sizes than 4x4.
func otherSizes() (all []board.Board) {
	for _, size := range []board.Size{{Rows: 3, Cols: 3}, {Rows: 5, Cols: 5}, {Rows: 6, Cols: 6}} {
		b := board.New(size)
		for i := range size.Cells() / 2 {
			b.Set(i, uint8(1+(i*i)%7))
		}
		all = append(all, b)
	}
	return all
}

// fixedTraining trains a small network with two stages, with restarts, and returns its checksum. If
// kernel is false, it uses the reference code in Go; TestTrainingKernel proves that both give the
// same result.
func fixedTraining(ctx context.Context, coherent, kernel bool) (uint32, error) {
	layout, err := ntuple.Named(bitboard.Size, "5x4")
	if err != nil {
		return 0, err
	}
	layout.Stages = []ntuple.Stage{{}, {8}}
	network, err := ntuple.New(layout)
	if err != nil {
		return 0, err
	}
	defer network.Close()
	if !kernel {
		network.DisableKernel()
	}
	err = train(ctx, learn.Options{Network: network, Coherent: coherent, Games: 300, Seed: 1, RestartShare: 0.3, RestartTile: 128})
	return network.Checksum(), err
}

// LocalSignature returns [Signature], computed once for each build: it is stored in the user's cache folder, in a
// file named by the hash of the running executable. If it cannot be stored, each call computes it.
func LocalSignature(ctx context.Context) (string, error) {
	build, err := executableHash()
	folder, errCache := xdg.Cache()
	if err != nil || errCache != nil {
		return Signature(ctx)
	}
	return cached(ctx, filepath.Join(folder, "signature-"+build), Signature)
}

// cached reads a signature from a file, or computes it and writes the file.
func cached(ctx context.Context, path string, compute func(context.Context) (string, error)) (string, error) {
	if data, err := os.ReadFile(path); err == nil && len(data) == 16 {
		return string(data), nil
	}
	signature, err := compute(ctx)
	if err == nil && os.MkdirAll(filepath.Dir(path), 0o700) == nil {
		_ = atomicfile.Write(path, []byte(signature), 0o600) // on failure, the next call computes it again
	}
	return signature, err
}

// executableHash returns a hash of the running executable as 32 hexadecimal digits.
func executableHash() (string, error) {
	f, err := os.Open("/proc/self/exe") // the running executable, even if its file was replaced
	if err != nil {
		path, _ := os.Executable()
		if f, err = os.Open(path); err != nil {
			return "", err
		}
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)[:16]), nil
}
