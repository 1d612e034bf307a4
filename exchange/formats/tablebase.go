package formats

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

const (
	rplBytes = 25
	rateUnit = 4e9
)

// tableDirections lists the directions in the order of their numbers in .rpl files.
var tableDirections = [4]board.Direction{board.Left, board.Right, board.Up, board.Down}

// rplRecord is a record of a .rpl file. Files store these fields in this order, little-endian.
type rplRecord struct {
	Board  uint64 // four bits per cell, the top left cell in the highest bits
	Change byte
	Rates  [4]uint32
}

// rplSentinel is the last record of every .rpl file. Only its board differs between files.
var rplSentinel = rplRecord{Change: 88, Rates: [4]uint32{666666666, 233333333, 314159265, 987654321}}

// decodeRPL decodes a record. It does not use binary.Decode, because that would make the web page's engine larger.
func decodeRPL(data []byte) (r rplRecord) {
	r.Board, r.Change = binary.LittleEndian.Uint64(data), data[8]
	for i := range r.Rates {
		r.Rates[i] = binary.LittleEndian.Uint32(data[9+4*i:])
	}
	return r
}

func (r *rplRecord) board() board.Board {
	b := board.New(board.Size{Rows: 4, Cols: 4})
	for i := range 16 {
		b.Set(i, uint8(r.Board>>(60-4*i)&15))
	}
	return b
}

func (r rplRecord) sentinel() bool {
	r.Board = 0
	return r == rplSentinel
}

func (r *rplRecord) move() board.Direction { return tableDirections[r.Change>>5&3] }

// spawn returns the new tile. In the file its position counts from the lowest nibble of the board.
func (r *rplRecord) spawn() game.Spawn {
	return game.Spawn{Cell: 15 - int(r.Change>>1&15), Exponent: r.Change&1 + 1}
}

// looksRPL reports whether the first record leads to the board of the second, or the second is the sentinel. A file
// with nothing but the sentinel matches too.
func looksRPL(head []byte) bool {
	if len(head) < rplBytes {
		return false
	}
	first := decodeRPL(head)
	if first.sentinel() {
		return len(head) == rplBytes
	}
	if len(head) < 2*rplBytes || first.Change&0x80 != 0 {
		return false
	}
	second := decodeRPL(head[rplBytes:])
	if second.sentinel() {
		return true
	}
	b := fromBoard(first.board())
	return b.move(first.move(), first.spawn()) == nil && b.now == second.board()
}

func readRPL(r *bufio.Reader) (*AnnotatedRecord, error) {
	var b *builder
	found := false
	for data := make([]byte, rplBytes); ; {
		if _, err := io.ReadFull(r, data); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, errors.New("the file ends before its closing record")
		} else if err != nil {
			return nil, err
		}
		next := decodeRPL(data)
		if next.sentinel() {
			break
		}
		at := next.board()
		if b == nil {
			b = fromBoard(at)
		}
		if b.now != at {
			return nil, fmt.Errorf("after move %d: the file has board %v, but the moves lead to %v", b.moves(), at, b.now)
		}
		if next.Change&0x80 != 0 {
			return nil, b.wrong(fmt.Errorf("the byte for direction and tile is %d: must be less than 128", next.Change))
		}
		if err := b.move(next.move(), next.spawn()); err != nil {
			return nil, err
		}
		var rates [4]float64
		for i, x := range next.Rates {
			rates[tableDirections[i]] = float64(x) / rateUnit
			found = found || x > 0
		}
		b.g.Rates = append(b.g.Rates, rates)
	}
	if b == nil {
		return nil, errors.New("the game has no move")
	}
	if _, err := r.Peek(1); !errors.Is(err, io.EOF) {
		return nil, errors.New("unexpected data after the closing record")
	}
	if !found {
		b.g.Rates = nil
	}
	return b.end()
}

func writeRPL(g *AnnotatedRecord) (out []byte, err error) {
	put := func(b *board.Board, r rplRecord) (err error) {
		if b.Largest() > 15 {
			return fmt.Errorf("move %d: tile %d: rpl holds tiles up to 32768", len(out)/rplBytes+1, board.Tile(b.Largest()))
		}
		for i := range 16 {
			r.Board = r.Board<<4 | uint64(b.Cell(i))
		}
		out, err = binary.Append(out, binary.LittleEndian, r)
		return err
	}
	err = g.each(nil, func(p *position) error {
		r := rplRecord{Change: byte(slices.Index(tableDirections[:], p.Move)<<5 | (15-p.Spawn.Cell)<<1 | int(p.Spawn.Exponent-1))}
		if g.Rates != nil {
			for i, d := range tableDirections {
				r.Rates[i] = uint32(math.Round(max(0, min(math.MaxUint32, g.Rates[p.number][d]*rateUnit))))
			}
		}
		return put(&p.board, r)
	})
	switch {
	case err != nil:
		return nil, err
	case len(g.Moves) == 0:
		return nil, errors.New("rpl cannot hold a game without moves")
	}
	err = put(&g.Board, rplSentinel)
	return out, err
}
