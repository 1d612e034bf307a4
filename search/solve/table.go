package solve

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// ErrUnreached means that a board cannot occur in a game of the problem: from the standard start,
// and before the goal is made. For a sample it can also mean that the sample does not contain the
// board.
var ErrUnreached = errors.New("the board cannot occur in a game from the standard start")

// Directory is the last record of a table.
type Directory struct {
	Problem     Problem // in its normal form: at most as many rows as columns
	Width       int     // size of a value in bytes
	Boards      int64   // number of boards on which the player is to move, up to symmetry
	Afterstates int64   // number of afterstates, up to symmetry
	// Start is the value of the start of a game: two start tiles under the problem's spawn rule.
	// For an ending it is the mean value of the boards with two 2s on free cells of the first
	// layout, and Best is the highest of these values.
	Start, Best float64
	Layers      [][2]int64 // offsets of the keys record and values record of each layer, from the tile sum 4 on
}

// trailerSize is the size of the trailer after the directory, in bytes: the offset of the directory and
// the magic number.
const trailerSize = 12

func (d *Directory) write(m medium) error {
	payload, err := json.Marshal(d)
	if err != nil {
		return err
	}
	trailer := binary.LittleEndian.AppendUint64(nil, uint64(m.size()))
	if _, err := write(m, record{kind: directoryRecord}, payload); err != nil {
		return err
	}
	_, err = m.Write(binary.LittleEndian.AppendUint32(trailer, magic))
	return err
}

// Table holds the value of every afterstate of a problem. It is safe for concurrent use.
type Table struct {
	Directory
	Path   string // path of its file; "" if the table is in memory
	g      *geometry
	m      medium
	layers []atomic.Pointer[storedLayer] // nil for layers that are not in memory
	keep   bool                          // keep layers in memory once they are read
}

// storedLayer holds the keys and values of one layer of a table.
type storedLayer struct {
	keys   keyList
	values []byte
}

// newTable opens a table whose stored values have the given width in bytes. It reads only the
// directory.
func newTable(m medium, width int) (_ *Table, err error) {
	t := &Table{m: m, keep: true}
	if t.Directory, err = readDirectory(m); err != nil {
		return nil, err
	}
	if _, err := t.Problem.normal(); err != nil || t.Width != width {
		return nil, errDamaged
	}
	t.g = geometryOf(&t.Problem)
	t.layers = make([]atomic.Pointer[storedLayer], len(t.Layers))
	return t, nil
}

// readDirectory reads the directory at the end of a table.
func readDirectory(m medium) (d Directory, err error) {
	trailer, err := m.bytes(m.size()-trailerSize, trailerSize)
	if err != nil {
		return d, err
	}
	if binary.LittleEndian.Uint32(trailer[8:]) != magic {
		return d, errDamaged
	}
	_, payload, err := recordAt(m, int64(binary.LittleEndian.Uint64(trailer)), directoryRecord)
	if err != nil {
		return d, err
	}
	if err := json.Unmarshal(payload, &d); err != nil {
		return d, errors.Join(errDamaged, err)
	}
	return d, nil
}

// Close closes the file. The table must not be used afterwards.
func (t *Table) Close() { release(t.m) }

// Bytes returns the size of the table.
func (t *Table) Bytes() int64 { return t.m.size() }

// recordAt reads the record at an offset and checks its kind and its checksum.
func recordAt(m medium, at int64, want kind) (r record, payload []byte, err error) {
	r, err = readHeader(m, at)
	if err == nil && r.kind != want {
		err = errDamaged
	}
	if err != nil {
		return r, nil, err
	}
	payload, err = read(m, &r)
	return r, payload, err
}

// afterstate returns the value of an afterstate.
func (t *Table) afterstate(w word) (float64, error) {
	if goal := t.Problem.goal(); goal != 0 && has(w, ones*word(goal)) != 0 {
		return 1, nil
	}
	sum := t.g.sum(w)
	i := sum/2 - 2
	if i < 0 || i >= len(t.Layers) {
		return 0, ErrUnreached
	}
	l, err := t.layer(i)
	if err != nil {
		return 0, err
	}
	at, ok := l.keys.find(t.g.key(t.g.canonical(w)))
	if !ok {
		return 0, ErrUnreached
	}
	return valueAt(l.values, at, t.Width), nil
}

// layer returns a layer. When it reads the layer from the file, it checks the checksums. The file is not mapped into
// memory, so if the file changes, a lookup returns either the correct value or an error.
func (t *Table) layer(i int) (*storedLayer, error) {
	if l := t.layers[i].Load(); l != nil {
		return l, nil
	}
	l, err := t.readLayer(i)
	if err != nil {
		return nil, err
	}
	if t.keep {
		t.layers[i].Store(l)
	}
	return l, nil
}

func (t *Table) readLayer(i int) (l *storedLayer, err error) {
	defer func() {
		if errors.Is(err, errDamaged) {
			err = &DamagedError{Path: t.Path, Problem: t.Problem}
		}
	}()
	kr, keys, err := recordAt(t.m, t.Layers[i][0], keysRecord)
	if err != nil {
		return nil, err
	}
	vr, values, err := recordAt(t.m, t.Layers[i][1], valuesRecord)
	if err != nil {
		return nil, err
	}
	list, err := kr.keyList(keys)
	if sum := 4 + 2*i; err != nil || kr.sum != sum || vr.sum != sum || len(values) != kr.count*t.Width {
		return nil, errDamaged
	}
	return &storedLayer{list, values}, nil
}

// check reads and checks all layers in the file, including layers that are also in memory.
func (t *Table) check() error {
	for i := range t.Layers {
		if _, err := t.readLayer(i); err != nil {
			return err
		}
	}
	return nil
}

// Moves returns the exact value of each move on a board, by direction: the reward plus the expected score after the
// move under optimal play, or if the problem has a goal, the probability of making it. It fails with ErrUnreached if
// the table does not contain the board, and with a *DamagedError if the table is damaged.
func (t *Table) Moves(b *board.Board) (moves [4]search.MoveValue, err error) {
	if t.g.walls != nil {
		return t.endingMoves(b)
	}
	if b.Size().Upright() != t.Problem.Size {
		return moves, fmt.Errorf("the table is for %v boards, this one is %v", t.Problem.Size, b.Size())
	}
	if b.Largest() > 15 { // the board does not fit into a word
		return moves, ErrUnreached
	}
	goal := t.Problem.goal()
	for d := range moves {
		after, reward, moved := b.Slide(board.Direction(d))
		if !moved {
			continue
		}
		v, err := t.afterstate(t.g.pack(&after))
		if err != nil {
			return [4]search.MoveValue{}, err
		}
		if goal == 0 {
			v += float64(reward)
		}
		moves[d] = search.MoveValue{Legal: true, Value: v}
	}
	return moves, nil
}

// Made reports whether the goal has been made on a board.
func (t *Table) Made(b *board.Board) bool {
	goal := t.Problem.goal()
	if e := t.g.walls; e != nil {
		_, made, _ := wallsOf(b, goal, e.layouts[0].Walls())
		return made
	}
	return goal != 0 && b.Largest() >= goal
}

// Value returns the value of a board under optimal play: the value of its best move, or 0 if no
// move is legal. A board that has the goal has the value 1.
func (t *Table) Value(b *board.Board) (float64, error) {
	if t.Made(b) {
		return 1, nil
	}
	moves, err := t.Moves(b)
	best, _ := Best(&moves)
	return best, err
}
