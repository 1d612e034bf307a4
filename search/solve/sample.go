//go:build !js

package solve

import (
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sort"

	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// SampleName returns the file name of an ending's sample.
func (p Problem) SampleName() string {
	p, _ = p.normal()
	return p.name() + ".sample"
}

// SampleOptions configures Table.Sample.
type SampleOptions struct {
	Games int    // number of games played to find boards; a tenth as many measure the answered share
	Size  int64  // largest size of the file in bytes
	Seed  uint64 // seed of the games; the games that measure the share use Seed+1
}

// Sample is a small table of an ending: the boards that good play meets most often, with values of two bytes.
type Sample struct {
	Data        []byte // the file: a raw deflate stream
	Boards      int64  // number of boards for which it has an answer
	Afterstates int64
	// Answered is the share of the boards in other games that the sample answers: first for games of optimal play,
	// then for games with nearly optimal moves mixed in.
	Answered [2]float64
	// LargestError is the largest difference between a value in the sample and the value in the
	// full table, over the answered boards.
	LargestError float64
}

// With probability 1/strays a game plays a random move among the moves whose chance is at most strayLoss below the
// best, so that the sample also contains boards that near-optimal players meet.
const (
	strays    = 8
	strayLoss = 0.01
)

// Sample plays games by the table of an ending and counts the boards that occur. It keeps all allowed afterstates of
// the most frequent boards, so the sample has either all moves of a board or no answer. Equal options give equal
// bytes.
func (t *Table) Sample(ctx context.Context, o SampleOptions) (s Sample, err error) {
	var met []metBoard
	err = t.play(ctx, o.Games, o.Seed, strays, func(l *storedLayer, sum int, boards []word) error {
		for i, w := range boards {
			boards[i] = t.g.canonical(w)
		}
		slices.Sort(boards)
		for from := 0; from < len(boards); {
			to := from + 1
			for to < len(boards) && boards[to] == boards[from] {
				to++
			}
			if to-from > 1 { // boards that occur once would take too much memory
				m := metBoard{count: int32(to - from), sum: int32(sum)}
				for _, move := range t.options(l, boards[from]) {
					if move.stored {
						m.values[m.n], m.keys[m.n] = float32(move.value), move.key
						m.n++
					}
				}
				met = append(met, m)
			}
			from = to
		}
		return nil
	})
	if err != nil {
		return s, err
	}
	slices.SortStableFunc(met, func(a, b metBoard) int { return cmp.Compare(b.count, a.count) })
	n := sort.Search(len(met), func(n int) bool { // the largest number of boards that fits into o.Size
		data, _, e := t.encode(met[:n+1])
		err = errors.Join(err, e)
		return int64(len(data)) > o.Size
	})
	s.Boards = int64(n)
	var e error
	s.Data, s.Afterstates, e = t.encode(met[:n])
	if err = errors.Join(err, e); err != nil {
		return s, err
	}
	small, err := openSample(s.Data)
	if err != nil {
		return s, err
	}
	for i, one := range []uint64{0, strays} {
		if s.Answered[i], err = t.measure(ctx, small, o, one, &s.LargestError); err != nil {
			return s, err
		}
	}
	return s, nil
}

// metBoard is a board that occurred in games, with the afterstates of its allowed moves that do not make the goal.
type metBoard struct {
	count, sum int32
	n          int
	keys       [4]uint32
	values     [4]float32
}

// option is an allowed move.
type option struct {
	after  word
	value  float64
	key    uint32
	stored bool // false if the move makes the goal
}

// options returns the allowed moves of a board, whose layer is l. It returns nil if l does not
// contain all their afterstates.
func (t *Table) options(l *storedLayer, w word) (all []option) {
	goal := ones * word(t.directory.Problem.goal())
	var after [4]bitboard.Board
	bitboard.Board(w).Slides(&after)
	for _, a := range after {
		a := word(a)
		if a == w || !t.g.allows(w, a) {
			continue
		}
		o := option{after: a, value: 1}
		if has(a, goal) == 0 {
			o.key, o.stored = t.g.key(t.g.canonical(a)), true
			at, ok := l.keys.find(o.key)
			if !ok {
				return nil // no game reaches the board, or the sample does not contain it
			}
			o.value = valueAt(l.values, at, t.Width)
		}
		all = append(all, o)
	}
	return all
}

// playing is a game in progress.
type playing struct {
	board  word
	random rand.PCG
}

// spawn adds a random tile, a 4 with probability p4.
func (g *playing) spawn(p4 float64) {
	u := g.random.Uint64()
	tile := uint8(1)
	if u&(1<<32-1) < uint64(p4*(1<<32)) {
		tile = 2
	}
	b := bitboard.Board(g.board)
	g.board = word(b.PlaceNth(int(u>>32*uint64(b.Empty())>>32), tile))
}

// move plays the best move, or with probability 1/strays a nearly optimal one. ok is false at the end of the game.
func (g *playing) move(options []option, strays uint64) (ok bool) {
	best := 0.0
	for _, o := range options {
		best = max(best, o.value)
	}
	loss := 0.0
	if strays > 0 && g.random.Uint64()%strays == 0 {
		loss = strayLoss
	}
	options = slices.DeleteFunc(options, func(o option) bool { return o.value < best-loss })
	if len(options) == 0 {
		return false
	}
	o := options[0]
	if loss > 0 {
		o = options[g.random.Uint64()%uint64(len(options))]
	}
	g.board = o.after
	return o.stored
}

// play plays games to their ends by the values of the table. It plays all games together, layer by layer, so only one
// layer is in memory at a time. For each layer it calls visit with the layer, its tile sum, and the boards of all
// games on which the player is to move. With probability 1/strays a move is nearly optimal; if strays is 0, all moves
// are optimal.
func (t *Table) play(ctx context.Context, games int, seed, strays uint64, visit func(l *storedLayer, sum int, boards []word) error) error {
	p4 := t.directory.Problem.P4
	var next [3][]playing // games at the current sum, and at 2 and 4 more
	for i := range games {
		layouts := t.g.walls.layouts
		g := playing{layouts[i%len(layouts)].word(), *rand.NewPCG(seed, uint64(i))}
		g.spawn(p4)
		g.spawn(p4)
		at := &next[t.g.sum(g.board)/2-2]
		*at = append(*at, g)
	}
	for i := range t.Layers {
		if err := ctx.Err(); err != nil {
			return err
		}
		l, err := t.readLayer(i)
		if err != nil {
			return err
		}
		now, sum := next[0], 4+2*i
		next = [3][]playing{next[1], next[2], nil}
		boards := make([]word, len(now))
		going := make([]bool, len(now))
		parallel(runtime.GOMAXPROCS(0), 0, len(now), always, func(from, to int) {
			for j := from; j < to; j++ {
				boards[j] = now[j].board
				if going[j] = now[j].move(t.options(l, now[j].board), strays); going[j] {
					now[j].spawn(p4)
				}
			}
		})
		for j, g := range now {
			if going[j] {
				at := &next[(t.g.sum(g.board)-sum)/2-1]
				*at = append(*at, g)
			}
		}
		if err := visit(l, sum, boards); err != nil {
			return err
		}
	}
	return nil
}

// encode returns a compressed sample with the afterstates of the boards in met, and the number of these afterstates.
func (t *Table) encode(met []metBoard) (data []byte, afterstates int64, err error) {
	type stored struct {
		key   uint32
		value float32
	}
	layers := make([][]stored, len(t.Layers))
	for _, m := range met {
		l := &layers[m.sum/2-2]
		for i := range m.n {
			*l = append(*l, stored{m.keys[i], m.values[i]})
		}
	}
	small := &inMemory{}
	d := t.directory
	d.Width, d.Boards, d.Afterstates, d.Layers = sampleWidth, int64(len(met)), 0, nil
	for i, l := range layers {
		slices.SortFunc(l, func(a, b stored) int { return cmp.Compare(a.key, b.key) })
		l = slices.CompactFunc(l, func(a, b stored) bool { return a.key == b.key })
		keys, values := make([]uint32, len(l)), make([]float64, len(l))
		for j, s := range l {
			keys[j], values[j] = s.key, float64(s.value)
		}
		payload, highs := encodeKeys(keys)
		kr, err := write(small, record{kind: keysRecord, sum: 4 + 2*i, count: len(l), highs: highs}, payload)
		if err != nil {
			return nil, 0, err
		}
		vr, err := write(small, record{kind: valuesRecord, sum: 4 + 2*i, count: len(l)}, encodeValues(values, sampleWidth))
		if err != nil {
			return nil, 0, err
		}
		d.Layers = append(d.Layers, [2]int64{kr.at - headerSize, vr.at - headerSize})
		d.Afterstates += int64(len(l))
	}
	if err := d.write(small); err != nil {
		return nil, 0, err
	}
	var b bytes.Buffer
	z, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return nil, 0, err
	}
	_, err = z.Write(small.data)
	err = errors.Join(err, z.Close())
	return b.Bytes(), d.Afterstates, err
}

// openSample decompresses and opens the data of a Sample.
func openSample(data []byte) (*Table, error) {
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(data)))
	if err != nil {
		return nil, errors.Join(errDamaged, err)
	}
	return newTable(&inMemory{data}, sampleWidth)
}

// measure returns the share of the boards in other games that a sample of the table answers. It raises largest to the
// largest difference between a value in the table and the value in the sample.
func (t *Table) measure(ctx context.Context, small *Table, o SampleOptions, strays uint64, largest *float64) (share float64, err error) {
	answered, asked := 0, 0
	err = t.play(ctx, o.Games/10, o.Seed+1, strays, func(l *storedLayer, sum int, boards []word) error {
		have, err := small.layer(sum/2 - 2)
		if err != nil {
			return err
		}
		for _, w := range boards {
			full, part := t.options(l, w), small.options(have, w)
			if len(full) == 0 {
				continue
			}
			asked++
			if len(part) == 0 {
				continue
			}
			answered++
			for i := range full {
				*largest = max(*largest, math.Abs(full[i].value-part[i].value))
			}
		}
		return nil
	})
	return float64(answered) / float64(max(asked, 1)), err
}
