package exchange

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"afterstate/board"
	"afterstate/game"
)

const (
	rplBytes = 25
	rateUnit = 4e9
)

// rplSentinel is what the last record of a .rpl file has after its board.
var rplSentinel = [5]uint32{88, 666666666, 233333333, 314159265, 987654321}

// tableDirections are the directions by their numbers in .rpl files.
var tableDirections = [4]board.Direction{board.Left, board.Right, board.Up, board.Down}

// tableNumbers is the inverse of tableDirections.
var tableNumbers = [4]int{board.Up: 2, board.Right: 1, board.Down: 3, board.Left: 0}

// fromNibbles reads a board of four bits a cell, the top left cell in the highest ones.
func fromNibbles(word uint64) board.Board {
	b := board.New(board.Size{Rows: 4, Cols: 4})
	for i := range 16 {
		b.Set(i, uint8(word>>(60-4*i)&15))
	}
	return b
}

// toNibbles is the inverse of fromNibbles. Tiles above 32768 become tiles of 32768, as in the
// program itself; whole is false then.
func toNibbles(b *board.Board) (word uint64, whole bool) {
	whole = true
	for i := range 16 {
		e := b.Cell(i)
		if e > 15 {
			e, whole = 15, false
		}
		word = word<<4 | uint64(e)
	}
	return word, whole
}

// rplRecord is a record of a .rpl file.
type rplRecord struct {
	board  board.Board
	change byte
	rates  [4]uint32
}

func decodeRPL(data []byte) (r rplRecord) {
	r.board = fromNibbles(binary.LittleEndian.Uint64(data))
	r.change = data[8]
	for i := range r.rates {
		r.rates[i] = binary.LittleEndian.Uint32(data[9+4*i:])
	}
	return r
}

func (r *rplRecord) sentinel() bool {
	return uint32(r.change) == rplSentinel[0] && [4]uint32(rplSentinel[1:]) == r.rates
}

func (r *rplRecord) move() board.Direction { return tableDirections[r.change>>5&3] }

// spawn returns the new tile; its position counts from the lowest nibble.
func (r *rplRecord) spawn() game.Spawn {
	return game.Spawn{Cell: 15 - int(r.change>>1&15), Exponent: r.change&1 + 1}
}

// looksRPL reports whether a first record leads to a second one, or is followed by the sentinel.
func looksRPL(head []byte) bool {
	if len(head) < rplBytes {
		return false
	}
	first := decodeRPL(head)
	if first.sentinel() {
		return len(head) == rplBytes
	}
	if len(head) < 2*rplBytes || first.change&0x80 != 0 {
		return false
	}
	second := decodeRPL(head[rplBytes:])
	if second.sentinel() {
		return true
	}
	b := fromBoard(first.board)
	return b.move(first.move(), first.spawn()) == nil && b.now == second.board
}

func readRPL(r *bufio.Reader) (*Game, error) {
	var b *builder
	some := false
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
		if b == nil {
			b = fromBoard(next.board)
		}
		if b.now != next.board {
			return nil, fmt.Errorf("after move %d: the file has board %v, and the moves lead to %v", b.moves(), next.board, b.now)
		}
		if next.change&0x80 != 0 {
			return nil, b.wrong(fmt.Errorf("direction and tile are %d: want less than 128", next.change))
		}
		if err := b.move(next.move(), next.spawn()); err != nil {
			return nil, err
		}
		var rates [4]float64
		for i, x := range next.rates {
			rates[tableDirections[i]] = float64(x) / rateUnit
			some = some || x > 0
		}
		b.g.Rates = append(b.g.Rates, rates)
	}
	if b == nil {
		return nil, errors.New("the game has no move")
	}
	if _, err := r.Peek(1); !errors.Is(err, io.EOF) {
		return nil, errors.New("data follow the closing record")
	}
	if !some {
		b.g.Rates = nil
	}
	return b.end(), nil
}

func writeRPL(g *Game) (out []byte, err error) {
	put := func(b *board.Board, change byte, rates [4]uint32) error {
		word, whole := toNibbles(b)
		if !whole {
			return fmt.Errorf("move %d: tile %d: rpl holds tiles up to 32768", len(out)/rplBytes+1, board.Tile(b.Largest()))
		}
		out = append(binary.LittleEndian.AppendUint64(out, word), change)
		for _, x := range rates {
			out = binary.LittleEndian.AppendUint32(out, x)
		}
		return nil
	}
	err = g.each(func(p *position) error {
		var rates [4]uint32
		if g.Rates != nil {
			for i, d := range tableDirections {
				rates[i] = uint32(math.Round(max(0, min(math.MaxUint32, g.Rates[p.number][d]*rateUnit))))
			}
		}
		return put(&p.board, byte(tableNumbers[p.move]<<5|(15-p.spawn.Cell)<<1|int(p.spawn.Exponent-1)), rates)
	})
	switch {
	case err != nil:
		return nil, err
	case len(g.Moves) == 0:
		return nil, errors.New("rpl holds games with at least one move")
	}
	err = put(&g.Board, byte(rplSentinel[0]), [4]uint32(rplSentinel[1:]))
	return out, err
}
