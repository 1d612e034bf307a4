package ntuple

import (
	"fmt"
	"hash/crc32"
	"slices"

	"afterstate/bitboard"
	"afterstate/ntuple/shared"
)

// Table is the weights of a pattern of six cells. An index of 24 bits needs no
// bounds check.
type Table = [1 << 24]float32

// Network is patterns with weights. Reading its values is safe from any number of
// goroutines while no other than a trainer writes.
type Network struct {
	Layout
	// Bias is added to every sum. An optimistic network begins with all weights zero
	// and the hoped-for score here, which is the same as a share of it in every weight.
	Bias float32
	// Hopes makes stages after the first optimistic too: a board of stage i that only
	// names weights that no stage has seen is worth Hopes[i] above Bias. Without it
	// combinations of large tiles that were never made read as zero among large
	// weights, and a player shuns making them. Missing ones are 0.
	Hopes []float32
	// Downgrade, from 8 to 15, makes the network read boards with a tile of
	// 2^Downgrade or more as View shows them, so that it has to know smaller tiles only.
	// 0: as they are.
	Downgrade uint8
	reader    *reader
	// weights[i] is stage i: the tables of all patterns, one after another.
	weights [][]float32
	tables  [][][]float32 // the same, by stage and pattern
	begins  [][]*float32  // where they begin
	short   *short        // in place of weights, if not nil
	flat    bool          // no stage has untouched weights that an earlier one knows
	free    []func()
}

// New is a network whose weights are all zero.
func New(l Layout) (*Network, error) {
	return build(l, func(n int) ([]float32, func(), error) { return Allocate[float32](n) })
}

// build makes a network on weights that a function provides, stage by stage.
func build(l Layout, provide func(n int) ([]float32, func(), error)) (*Network, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	n := &Network{Layout: l, reader: newReader(&l)}
	n.Stages = slices.Clone(l.stages())
	for range n.StageCount() {
		words, free, err := provide(l.Entries())
		if err != nil {
			n.Close()
			return nil, fmt.Errorf("memory for %d weights: %w", l.Entries(), err)
		}
		n.free = append(n.free, free)
		n.add(words)
	}
	return n, nil
}

// add takes the weights of one more stage.
func (n *Network) add(words []float32) {
	n.weights = append(n.weights, words)
	var tables [][]float32
	var begins []*float32
	for _, p := range n.Patterns {
		t := words[:p.Entries():p.Entries()]
		words = words[len(t):]
		tables = append(tables, t)
		begins = append(begins, &t[0])
	}
	n.tables = append(n.tables, tables)
	n.begins = append(n.begins, begins)
}

// Close gives large tables back. The network must not be used after it.
func (n *Network) Close() {
	for _, free := range n.free {
		free()
	}
	*n = Network{}
}

// Stage is the number of the stage that a board belongs to, as it is viewed.
func (n *Network) Stage(b bitboard.Board) int {
	s := len(n.Stages) - 1
	for s > 0 && !n.Stages[s].Holds(b) {
		s--
	}
	return s
}

// View is the board that the network reads in place of one; bitboard.Downgrade describes
// how it is made. Trainers and searches follow one rule at every board that they choose a
// move for: the boards after the moves are those of the board itself, which the network
// views anew, and the rewards are those of the same moves on View of the board.
func (n *Network) View(b bitboard.Board) bitboard.Board {
	if n.Downgrade != 0 && b.Reaches(n.Downgrade) {
		return b.Downgrade(viewMoves, n.Downgrade)
	}
	return b
}

// ViewSpawn returns what View makes of a board on which a tile of 2^exponent, a 2 or a 4,
// spawns, without that tile, and the lowest gap that was closed as bitboard.Lower returns it.
func (n *Network) ViewSpawn(b bitboard.Board, exponent uint8) (view bitboard.Board, gap uint8) {
	if n.Downgrade != 0 && b.Reaches(n.Downgrade) {
		return b.Lower(4*viewMoves+1<<exponent, n.Downgrade)
	}
	return b, 0
}

// viewMoves is for how many moves a view is like the board: one, and its spawn.
const viewMoves = 2

// Viewing returns a network with the same weights that views boards from 2^least on, or
// none if least is 0. It must not be used after n is closed, and need not be closed.
func (n *Network) Viewing(least uint8) *Network {
	if least == n.Downgrade {
		return n
	}
	c := *n
	c.Downgrade, c.free = least, nil
	return &c
}

// Weights are those of a stage: the tables of all patterns, one after another.
// A trainer writes them; see package shared for how.
func (n *Network) Weights(stage int) []float32 { return n.weights[stage] }

// Table is the weights of one pattern in a stage.
func (n *Network) Table(stage, pattern int) []float32 { return n.tables[stage][pattern] }

// Indices says where the patterns read their tables on a board: dst has one octet
// a pattern.
func (n *Network) Indices(dst []Octet, b bitboard.Board) { n.reader.read(dst, n.View(b)) }

// Value is what the network expects of an afterstate: the score still to come,
// without the reward of the move that led to it.
func (n *Network) Value(b bitboard.Board) float32 {
	if len(n.Patterns) > 8 {
		var dst [MaxPatterns]Octet
		return n.valueBy(dst[:], b)
	}
	var dst [8]Octet
	return n.valueBy(dst[:], b)
}

func (n *Network) valueBy(dst []Octet, b bitboard.Board) float32 {
	at := dst[:len(n.Patterns)]
	b = n.View(b)
	n.reader.read(at, b)
	return n.Sum(n.Stage(b), at)
}

// Sum is the value of a board in a stage with these indices. The order of adding is
// fixed, so that every way to find the indices gives the same value to the bit.
func (n *Network) Sum(stage int, at []Octet) float32 {
	switch {
	case n.short != nil:
		return n.sumShort(stage, at)
	case stage > 0 && !n.flat:
		return n.sumStaged(stage, at) + n.Bias
	case n.reader.fast:
		return sum(&at[0], &n.begins[stage][0], len(n.Patterns)) + n.Bias
	}
	return sumTables(n.tables[stage], at) + n.Bias
}

// sumTables is the twin of the kernel's sum.
func sumTables(tables [][]float32, at []Octet) (sum float32) {
	for p, t := range tables {
		if i := &at[p]; len(t) == 1<<24 {
			sum += eight((*Table)(t), i)
		} else {
			sum += ((shared.Load(&t[i[0]]) + shared.Load(&t[i[1]])) + (shared.Load(&t[i[2]]) + shared.Load(&t[i[3]]))) +
				((shared.Load(&t[i[4]]) + shared.Load(&t[i[5]])) + (shared.Load(&t[i[6]]) + shared.Load(&t[i[7]])))
		}
	}
	return sum
}

// eight adds up one pattern of six cells.
func eight(t *Table, i *Octet) float32 {
	const m = 1<<24 - 1
	return ((shared.Load(&t[i[0]&m]) + shared.Load(&t[i[1]&m])) + (shared.Load(&t[i[2]&m]) + shared.Load(&t[i[3]&m]))) +
		((shared.Load(&t[i[4]&m]) + shared.Load(&t[i[5]&m])) + (shared.Load(&t[i[6]&m]) + shared.Load(&t[i[7]&m])))
}

// Add adds a step to every weight that these indices name, one after another: a
// weight that is named twice takes two steps. It is what trainers do.
func (n *Network) Add(stage int, at []Octet, step float32) {
	n.Promote(stage, at)
	if n.reader.fast {
		add(&at[0], &n.begins[stage][0], len(n.Patterns), step)
		return
	}
	addTables(n.tables[stage], at, step)
}

// addTables is the twin of the kernel's add.
func addTables(tables [][]float32, at []Octet, step float32) {
	for p, t := range tables {
		for _, i := range at[p] {
			shared.Store(&t[i], shared.Load(&t[i])+step)
		}
	}
}

// general is Value by the plain twin.
func (n *Network) general(b bitboard.Board) float32 {
	at := make([]Octet, len(n.Patterns))
	b = n.View(b)
	n.reader.general(at, b)
	return n.sumStaged(n.Stage(b), at) + n.Bias
}

// Kernel reports whether machine code does the work that has a twin in Go. Trainers
// with machine code of their own go by it.
func (n *Network) Kernel() bool { return n.reader.fast }

// WithoutKernel makes the twin in Go do all work, for proofs that both are equal.
func (n *Network) WithoutKernel() { n.reader.fast = false }

// Begins points at pointers to the tables of a stage, one a pattern, for machine
// code.
func (n *Network) Begins(stage int) **float32 { return &n.begins[stage][0] }

// Checksum is a CRC-32C of all weights, the same on every machine: a signature of
// what was learned.
func (n *Network) Checksum() (sum uint32) {
	for _, w := range n.weights {
		sum = crc32.Update(sum, castagnoli, raw(w))
	}
	return sum
}
