package solve

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"

	"afterstate/board"
)

// ErrUnreached means that a board cannot come up in a game of the problem: from the standard start,
// and before the goal is made.
var ErrUnreached = errors.New("the board cannot come up in a game from the standard start")

// directory is the last record of a table.
type directory struct {
	Problem     Problem
	Width       int        // bytes of a value
	Boards      int64      // on which the player is to move, up to symmetry
	Afterstates int64      // up to symmetry
	Start       float64    // value of the start of a game
	Layers      [][2]int64 // offsets of the keys record and the values record, by tile sum from 4
}

// trailerSize is the size of what follows the directory: its offset, and the magic number.
const trailerSize = 12

func (d *directory) write(m medium) error {
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
	directory
	g       *geometry
	data    []byte
	path    string // of its file; "" in memory
	release func()
	checked []atomic.Bool // by layer
}

// newTable reads a table; release is called by Close.
func newTable(data []byte, release func()) (*Table, error) {
	t := &Table{data: data, release: release}
	var err error
	if t.directory, err = readDirectory(data); err != nil {
		return nil, err
	}
	if _, err := t.directory.Problem.normal(); err != nil || t.Width != 5 && t.Width != 8 {
		return nil, errDamaged
	}
	t.g = geometryOf(t.directory.Problem.Size)
	t.checked = make([]atomic.Bool, len(t.Layers))
	return t, nil
}

// readDirectory reads the directory at the end of a table.
func readDirectory(data []byte) (d directory, err error) {
	if len(data) < trailerSize || binary.LittleEndian.Uint32(data[len(data)-4:]) != magic {
		return d, errDamaged
	}
	_, payload, err := recordAt(data, int64(binary.LittleEndian.Uint64(data[len(data)-trailerSize:])), directoryRecord)
	if err != nil {
		return d, err
	}
	if err := json.Unmarshal(payload, &d); err != nil {
		return d, errors.Join(errDamaged, err)
	}
	return d, nil
}

// Close releases the file. The table must not be used any more.
func (t *Table) Close() {
	if t.release != nil {
		t.release()
	}
}

// Problem returns what was solved; its size has at most as many rows as columns.
func (t *Table) Problem() Problem { return t.directory.Problem }

// Boards returns the number of boards on which the player is to move, up to symmetry.
func (t *Table) Boards() int64 { return t.directory.Boards }

// Start returns the value of the start of a game: two start tiles under the problem's spawn rule.
func (t *Table) Start() float64 { return t.directory.Start }

// Bytes returns the size of the table.
func (t *Table) Bytes() int64 { return int64(len(t.data)) }

// recordAt returns the header and the payload at an offset.
func recordAt(data []byte, at int64, want kind) (r record, payload []byte, err error) {
	if at < 0 || at > int64(len(data)) {
		return r, nil, errDamaged
	}
	r, err = readHeader(data[at:], at)
	if err != nil || r.kind != want || r.length < 0 || r.length > int64(len(data))-r.at {
		return r, nil, errDamaged
	}
	payload = data[r.at : r.at+r.length]
	if want == directoryRecord && !r.sound(payload) {
		return r, nil, errDamaged
	}
	return r, payload, nil
}

// afterstate returns the value of an afterstate.
func (t *Table) afterstate(w word) (float64, error) {
	if goal := t.directory.Problem.goal(); goal != 0 && has(w, ones*word(goal)) != 0 {
		return 1, nil
	}
	sum := t.g.sum(w)
	i := sum/2 - 2
	if i < 0 || i >= len(t.Layers) {
		return 0, ErrUnreached
	}
	list, values, err := t.layer(i)
	if err != nil {
		return 0, err
	}
	at, ok := list.find(t.g.key(t.g.canonical(w)))
	if !ok {
		return 0, ErrUnreached
	}
	return valueAt(values, at, t.Width), nil
}

// layer returns the keys and values of a layer. It compares their checksums on the first call.
func (t *Table) layer(i int) (list keyList, values []byte, err error) {
	sum := 4 + 2*i
	kr, keys, err := recordAt(t.data, t.Layers[i][0], keysRecord)
	if err != nil {
		return list, nil, t.damaged()
	}
	vr, values, err := recordAt(t.data, t.Layers[i][1], valuesRecord)
	if err != nil {
		return list, nil, t.damaged()
	}
	list, err = kr.keyList(keys)
	if err != nil || kr.sum != sum || vr.sum != sum || len(values) != kr.count*t.Width {
		return list, nil, t.damaged()
	}
	if !t.checked[i].Load() {
		if !kr.sound(keys) || !vr.sound(values) {
			return list, nil, t.damaged()
		}
		t.checked[i].Store(true)
	}
	return list, values, nil
}

// check compares the checksums of all layers.
func (t *Table) check() error {
	for i := range t.Layers {
		if _, _, err := t.layer(i); err != nil {
			return err
		}
	}
	return nil
}

func (t *Table) damaged() error {
	return &DamagedError{Path: t.path, Problem: t.directory.Problem}
}

// Move is the exact value of one move.
type Move struct {
	Legal bool
	// Value is the reward of the move and the expected score after it under optimal play, or the
	// probability of the goal.
	Value float64
}

// Moves returns the exact value of each move on a board, by direction. It fails with ErrUnreached
// if the table does not have the board, and with a *DamagedError.
func (t *Table) Moves(b *board.Board) (moves [4]Move, err error) {
	if upright(b.Size()) != t.directory.Problem.Size {
		return moves, fmt.Errorf("the table is for %v boards, this one is %v", t.directory.Problem.Size, b.Size())
	}
	if b.Largest() > 15 { // no word holds it
		return moves, ErrUnreached
	}
	goal := t.directory.Problem.goal()
	for d := range moves {
		after, reward, moved := b.Slide(board.Direction(d))
		if !moved {
			continue
		}
		v, err := t.afterstate(t.g.pack(&after))
		if err != nil {
			return [4]Move{}, err
		}
		if goal == 0 {
			v += float64(reward)
		}
		moves[d] = Move{true, v}
	}
	return moves, nil
}

// Value returns the value of a board under optimal play: that of its best move, 0 without a legal
// move. A board with the goal has the value 1.
func (t *Table) Value(b *board.Board) (float64, error) {
	if goal := t.directory.Problem.goal(); goal != 0 && b.Largest() >= goal {
		return 1, nil
	}
	moves, err := t.Moves(b)
	best := 0.0
	for _, m := range moves {
		best = max(best, m.Value)
	}
	return best, err
}
