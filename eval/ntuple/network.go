package ntuple

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// Table holds the weights of a pattern of six cells. A 24-bit index needs no bounds check.
type Table = [1 << 24]float32

// Head describes a network without its weights.
type Head struct {
	Layout
	// Bias is added to every sum, in points. Optimistic initialization sets it and leaves all
	// weights zero, which has the same effect as spreading it over the weights.
	Bias float32 `json:"bias,omitempty"`
	// Downgrade, an exponent from 8 to 15, enables tile downgrading: a board with a tile of
	// 2^Downgrade or more is evaluated as the board that DowngradeBoard returns. 0 means never.
	Downgrade uint8 `json:"downgrade,omitempty"`
}

// Validate returns an error that names the invalid values.
func (h *Head) Validate() error {
	if e := h.Downgrade; e != 0 && (e < 8 || e > bitboard.MaxExponent) {
		return errors.Join(h.Layout.Validate(), fmt.Errorf("downgrading from 2^%d: the exponent must be from 8 to %d", e, bitboard.MaxExponent))
	}
	return h.Layout.Validate()
}

// Network is a layout with weights. Any number of goroutines may read values, even while trainers
// write weights.
type Network struct {
	Head
	reader  *reader
	weights Store[float32]
	int16   *int16Form  // if not nil, used in place of weights
	sparse  *sparseForm // if not nil, used in place of weights
	merged  *merged     // if not nil, values are computed from it
	flat    bool        // stages do not inherit weights from earlier stages
	free    []func()
	unused  *[]func() // after CloseUnused, holds the functions of free; a finalizer calls them
}

// New returns a network whose weights are all zero. The caller closes it.
func New(l Layout) (*Network, error) {
	n, err := empty(Head{Layout: l})
	if err != nil {
		return nil, err
	}
	store, free, err := NewStore[float32](&l)
	if err != nil {
		return nil, err
	}
	n.weights, n.flat, n.free = store, l.Walls > 0, []func(){free}
	return n, nil
}

// empty returns a network without weights, which the caller adds.
func empty(h Head) (*Network, error) {
	if err := h.Layout.Validate(); err != nil {
		return nil, err
	}
	n := &Network{Head: h, flat: true, reader: newReader(&h.Layout)}
	n.Stages = slices.Clone(h.stages())
	return n, nil
}

// Close releases the tables. The network must not be used afterwards.
func (n *Network) Close() {
	for _, free := range n.free {
		free()
	}
	*n = Network{}
}

// CloseUnused, called in place of Close, lets the garbage collector release the tables once neither
// the network nor a network returned by WithDowngrade is in use. Use it for networks whose users
// are not known.
func (n *Network) CloseUnused() {
	if n.unused != nil {
		return
	}
	all := n.free
	n.unused, n.free = &all, nil
	runtime.SetFinalizer(n.unused, func(all *[]func()) {
		for _, free := range *all {
			free()
		}
	})
}

// Stage returns the index of the stage of b, which must be a result of DowngradeBoard.
func (n *Network) Stage(b bitboard.Board) int {
	s := len(n.Stages) - 1
	for s > 0 && !n.Stages[s].Holds(b) {
		s--
	}
	return s
}

// DowngradeBoard returns the board that the network reads in place of b; see bitboard.Downgrade.
// Trainers and searches follow one rule when they choose a move for b: they evaluate the afterstates
// of b itself, each of which the network downgrades separately, and they add the rewards of the same
// moves on DowngradeBoard(b).
func (n *Network) DowngradeBoard(b bitboard.Board) bitboard.Board {
	switch {
	case n.Walls > 0:
		return endings.View(b)
	case n.Downgrade != 0 && b.HasTile(n.Downgrade):
		return b.Downgrade(viewMoves, n.Downgrade)
	}
	return b
}

// DowngradeAfterSpawn returns DowngradeBoard's view of b with a new tile of 2^exponent (a 2 or a 4), but without this
// tile. gap is the exponent of the lowest gap that was closed, or 0 (see bitboard.Board.Lower). For an ending network
// it returns b and 0.
func (n *Network) DowngradeAfterSpawn(b bitboard.Board, exponent uint8) (view bitboard.Board, gap uint8) {
	if n.Downgrade != 0 && n.Walls == 0 && b.HasTile(n.Downgrade) {
		return b.Lower(4*viewMoves+1<<exponent, n.Downgrade)
	}
	return b, 0
}

// viewMoves is the parameter moves of bitboard.Downgrade: the number of moves, each followed by a spawn, for which
// a downgraded board is equivalent to the board itself.
const viewMoves = 2

// WithDowngrade returns a network with the same weights that downgrades boards with a tile of
// 2^minimum or more, or no boards if minimum is 0. The returned network must not be used after n is
// closed, and need not be closed.
func (n *Network) WithDowngrade(minimum uint8) *Network {
	if minimum == n.Downgrade {
		return n
	}
	c := *n
	c.Downgrade, c.free = minimum, nil
	return &c
}

// Table returns the weights of one pattern in a stage, in the order of Pattern.Index.
// Trainers write them with StoreWeight.
func (n *Network) Table(stage, pattern int) []float32 { return n.weights.Tables[stage][pattern] }

// Indices computes the table indices of a board, one entry of dst for each pattern.
func (n *Network) Indices(dst []SymIndices, b bitboard.Board) {
	n.reader.read(dst, n.DowngradeBoard(b))
}

// Value returns the value of an afterstate: the expected score still to come, in points, without the
// reward of the move that led to it.
func (n *Network) Value(b bitboard.Board) float32 {
	if n.merged != nil {
		return n.points(n.merged.sum(n.DowngradeBoard(b)))
	}
	if len(n.Patterns) > 8 {
		var dst [MaxPatterns]SymIndices
		return n.valueBy(dst[:], b)
	}
	var dst [8]SymIndices
	return n.valueBy(dst[:], b)
}

func (n *Network) valueBy(dst []SymIndices, b bitboard.Board) float32 {
	at := dst[:len(n.Patterns)]
	b = n.DowngradeBoard(b)
	n.reader.read(at, b)
	stage := n.Stage(b)
	if n.sparse != nil {
		n.sparse.locate(stage, at)
		return n.sumSparse(stage, at)
	}
	return n.Sum(stage, at)
}

// Sum returns the value of a board in this stage, given its table indices. Additions have a fixed
// order, so that all implementations return the same value, bit for bit.
func (n *Network) Sum(stage int, at []SymIndices) float32 {
	switch {
	case n.int16 != nil:
		return n.sumInt16(stage, at)
	case n.sparse != nil:
		at = slices.Clone(at)
		n.sparse.locate(stage, at)
		return n.sumSparse(stage, at)
	case stage > 0 && !n.flat:
		return n.sumStaged(stage, at) + n.Bias
	case n.reader.fast:
		return sum(&at[0], n.weights.Pointers(stage), len(n.Patterns)) + n.Bias
	}
	return sumTables(n.weights.Tables[stage], at) + n.Bias
}

// sumTables is the reference implementation in Go for the kernel sum.
func sumTables(tables [][]float32, at []SymIndices) (sum float32) {
	for p, t := range tables {
		if i := &at[p]; len(t) == 1<<24 {
			sum += eight((*Table)(t), i)
		} else {
			sum += ((LoadWeight(&t[i[0]]) + LoadWeight(&t[i[1]])) + (LoadWeight(&t[i[2]]) + LoadWeight(&t[i[3]]))) +
				((LoadWeight(&t[i[4]]) + LoadWeight(&t[i[5]])) + (LoadWeight(&t[i[6]]) + LoadWeight(&t[i[7]])))
		}
	}
	return sum
}

// eight returns the sum of the eight weights of one pattern of six cells.
func eight(t *Table, i *SymIndices) float32 {
	const m = 1<<24 - 1
	return ((LoadWeight(&t[i[0]&m]) + LoadWeight(&t[i[1]&m])) + (LoadWeight(&t[i[2]&m]) + LoadWeight(&t[i[3]&m]))) +
		((LoadWeight(&t[i[4]&m]) + LoadWeight(&t[i[5]&m])) + (LoadWeight(&t[i[6]&m]) + LoadWeight(&t[i[7]&m])))
}

// Add adds step to every weight at these indices, one after another: a weight that occurs twice
// takes two steps. Only trainers call it.
func (n *Network) Add(stage int, at []SymIndices, step float32) {
	n.Promote(stage, at)
	if n.reader.fast {
		add(&at[0], n.weights.Pointers(stage), len(n.Patterns), step)
		return
	}
	addTables(n.weights.Tables[stage], at, step)
}

// addTables is the reference implementation in Go for the kernel add.
func addTables(tables [][]float32, at []SymIndices, step float32) {
	for p, t := range tables {
		for _, i := range at[p] {
			StoreWeight(&t[i], LoadWeight(&t[i])+step)
		}
	}
}

// HasKernel reports whether the assembly kernels are used. Trainers use their own kernels only if it
// returns true.
func (n *Network) HasKernel() bool { return n.reader.fast }

// DisableKernel switches to the reference implementations in Go, for tests that compare them with
// the kernels.
func (n *Network) DisableKernel() { n.reader.fast = false }

// TablePointers returns the address of a stage's array of table pointers, one per pattern, for
// kernels.
func (n *Network) TablePointers(stage int) **float32 { return n.weights.Pointers(stage) }

// Checksum returns the CRC-32C of all weights. It is the same on every machine.
func (n *Network) Checksum() (sum uint32) {
	for _, tables := range n.weights.Tables {
		sum = checksum(sum, pieces(tables))
	}
	return sum
}

// Copy returns a copy of the network. Its weights are on huge pages, and a trainer may write them.
// The caller closes it.
func (n *Network) Copy() (*Network, error) {
	c, err := New(n.Layout)
	if err != nil {
		return nil, err
	}
	c.Bias, c.Downgrade = n.Bias, n.Downgrade
	for stage, tables := range n.weights.Tables {
		for p, t := range tables {
			CopyWritten(c.weights.Tables[stage][p], t)
		}
	}
	return c, nil
}

// CopyWritten copies from into to, which must contain only zeros. It skips parts of from that
// contain only zeros: pages of to that are never written take no memory.
func CopyWritten[T word](to, from []T) {
	const part = 512
	for at := 0; at < len(from); at += part {
		if p := from[at:min(at+part, len(from))]; slices.ContainsFunc(p, func(x T) bool { return x != 0 }) {
			copy(to[at:], p)
		}
	}
}

// A zero weight of a later stage has not been learned yet. It is read as the weight of the stage
// before, and starts from that value when it is first updated.

// weight returns the value of one weight in a stage: the stage's own weight, or the weight of the
// nearest earlier stage that has learned it. It is 0 if no stage has.
func (n *Network) weight(stage, pattern int, index uint32) float32 {
	for s := stage; s >= 0; s-- {
		if w := LoadWeight(&n.weights.Tables[s][pattern][index]); w != 0 {
			return w
		}
	}
	return 0
}

// sumStaged does what sumTables does, for stages after the first.
func (n *Network) sumStaged(stage int, at []SymIndices) (sum float32) {
	for p := range at {
		var w [8]float32
		for s, i := range at[p] {
			w[s] = n.weight(stage, p, i)
		}
		sum += ((w[0] + w[1]) + (w[2] + w[3])) + ((w[4] + w[5]) + (w[6] + w[7]))
	}
	return sum
}

// Promote sets those weights at the given indices that the stage has not learned yet to the values
// that they inherit from earlier stages (weight promotion, Jaśkowski 2018, one weight at a time).
// Trainers call it before they write.
func (n *Network) Promote(stage int, at []SymIndices) {
	if stage == 0 || n.flat {
		return
	}
	for p := range at {
		for _, i := range at[p] {
			if t := n.weights.Tables[stage][p]; LoadWeight(&t[i]) == 0 {
				StoreWeight(&t[i], n.weight(stage, p, i))
			}
		}
	}
}

// Store contains a word for each weight of a network.
type Store[W word] struct {
	Tables [][][]W // indexed by stage and pattern
	begins [][]*W  // addresses of the tables, for the kernels
}

// NewStore allocates memory for the weights of a layout, all zero. The caller calls free to release
// it.
func NewStore[W word](l *Layout) (s Store[W], free func(), err error) {
	var all []func()
	free = func() {
		for _, f := range all {
			f()
		}
	}
	begins, size := l.Spread()
	for range l.StageCount() {
		words, f, err := Allocate[W](size)
		if err != nil {
			free()
			return Store[W]{}, nil, fmt.Errorf("memory for %d weights: %w", l.Entries(), err)
		}
		all = append(all, f)
		s.add(l, words, begins)
	}
	return s, free, nil
}

// add appends a stage whose tables are in words, at the offsets begins.
func (s *Store[W]) add(l *Layout, words []W, begins []int) {
	var tables [][]W
	var addresses []*W
	for p, at := range begins {
		end := at + l.Patterns[p].Entries()
		t := words[at:end:end]
		tables, addresses = append(tables, t), append(addresses, &t[0])
	}
	s.Tables, s.begins = append(s.Tables, tables), append(s.begins, addresses)
}

// Pointers returns the address of a stage's array of table pointers, one per pattern, for kernels.
func (s *Store[W]) Pointers(stage int) **W { return &s.begins[stage][0] }
