package formats

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

const (
	rpl1Prefix = "REPLAY_v1RPL_B64_"
	rpl1Magic  = "RPL1"
)

// Flags and record tags of RPL1.
const (
	rpl1HasTime  = 1 << 0
	rpl1Extended = 1 << 3 // each start tile is stored as a varint
	rpl1TagUndo  = 0x80
	rpl1TagUndoN = 0x81
	rpl1TagBoard = 0x82
	rpl1TagExt   = 0x83
	rpl1TagEnd   = 0x84
	rpl1TagMove  = 0x85 // a move on a board of more than 16 cells
	rpl1ExtRules = 2
	rpl1ExtSpawn = 8
	rpl1NoTime   = 1<<32 - 1
)

func looksRPL1(head []byte) bool {
	return bytes.HasPrefix(trim(head), []byte(rpl1Prefix)) || bytes.HasPrefix(head, []byte(rpl1Magic))
}

func readRPL1(r *bufio.Reader, yield func(*AnnotatedRecord, error) bool) {
	if head, err := r.Peek(len(rpl1Magic)); err == nil && string(head) == rpl1Magic {
		whole(MaxLine, decodeRPL1)(r, yield)
		return
	}
	perLine(func(line []byte) (*AnnotatedRecord, error) {
		text, ok := strings.CutPrefix(string(trim(line)), rpl1Prefix)
		if !ok {
			return nil, fmt.Errorf("must be a line that begins with %s", rpl1Prefix)
		}
		data, err := base64.StdEncoding.Strict().DecodeString(text)
		if err != nil {
			return nil, fmt.Errorf("must be base64 after %s: %w", rpl1Prefix, err)
		}
		return decodeRPL1(data)
	})(r, yield)
}

var errShort = errors.New("the data end within a record")

// rpl1Reader decodes the records of one game.
type rpl1Reader struct {
	data    []byte
	b       *builder
	pending int64 // time of undone moves and of undoing them, to be added to the next move
	undone  int
	end     bool
	exts    map[uint64]bool
	err     error // set if the data ended within a record
}

// cut returns the next n bytes. If there are fewer it sets r.err.
func (r *rpl1Reader) cut(n uint64) []byte {
	if n > uint64(len(r.data)) {
		r.err, n = errShort, 0
	}
	out := r.data[:n]
	r.data = r.data[n:]
	return out
}

func (r *rpl1Reader) byte() byte {
	if c := r.cut(1); len(c) > 0 {
		return c[0]
	}
	return 0
}

func (r *rpl1Reader) number() uint64 {
	x, n := binary.Uvarint(r.data)
	if n <= 0 || x >= 1<<56 {
		r.err = errShort
		return 0
	}
	r.data = r.data[n:]
	return x
}

func decodeRPL1(data []byte) (*AnnotatedRecord, error) {
	if len(data) < 11 || string(data[:4]) != rpl1Magic {
		return nil, errors.New("must begin with RPL1 and have at least 11 bytes")
	}
	body := data[:len(data)-4]
	if got, want := crc32.ChecksumIEEE(body), binary.LittleEndian.Uint32(data[len(data)-4:]); got != want {
		return nil, fmt.Errorf("the stored checksum is %08x, but the data have the checksum %08x", want, got)
	}
	size := board.Size{Rows: int(body[4] >> 4), Cols: int(body[4] & 15)}
	if !size.Valid() {
		return nil, fmt.Errorf("the board is %v: must be %s", size, allSizes)
	}
	r := &rpl1Reader{data: body[7:], b: fromBoard(board.New(size)), exts: map[uint64]bool{}}
	flags, count := body[5], int(body[6])
	if flags&rpl1HasTime != 0 {
		r.number()
	}
	if err := r.start(count, flags&rpl1Extended != 0); err != nil {
		return nil, err
	}
	for len(r.data) > 0 {
		if err := r.record(); err != nil {
			return nil, err
		}
	}
	lost := &r.b.g.Lost
	lose(lost, flags&rpl1HasTime != 0, Loss{What: "time of day"})
	lose(lost, r.undone > 0, Loss{"undone moves", r.undone})
	lose(lost, len(r.exts) > 0, Loss{"extensions", len(r.exts)})
	return r.b.end()
}

// start reads count start tiles. If there are not exactly two, they form the start board of the game.
func (r *rpl1Reader) start(count int, extended bool) error {
	for range count {
		var s game.Spawn
		if extended {
			x := r.number()
			s = game.Spawn{Cell: int(x >> 1 & 0xff), Exponent: uint8(x&1) + 1}
		} else {
			c := r.byte()
			s = game.Spawn{Cell: int(c & 15), Exponent: c>>4&1 + 1}
		}
		if r.err != nil {
			return r.err
		}
		if err := r.b.place(s); err != nil {
			return err
		}
	}
	return nil
}

// record reads one record and applies it.
func (r *rpl1Reader) record() error {
	if r.end {
		return errors.New("unexpected data after the end of the game")
	}
	var do func() error
	switch tag := r.byte(); {
	case tag < 0x80:
		ms := r.number()
		do = func() error {
			return r.move(board.Direction(tag&3), game.Spawn{Cell: int(tag >> 2 & 15), Exponent: tag>>6&1 + 1}, ms)
		}
	case tag == rpl1TagMove:
		dir, cell, four, ms := r.byte(), r.number(), r.byte(), r.number()
		do = func() error { return r.longMove(dir, cell, four, ms) }
	case tag == rpl1TagUndo:
		ms := r.number()
		do = func() error { return r.undo(1, ms) }
	case tag == rpl1TagUndoN:
		count, ms := r.number(), r.number()
		do = func() error { return r.undo(count, ms) }
	case tag == rpl1TagBoard:
		packed := r.cut(uint64(r.b.now.Size().Cells()*5+7) / 8)
		do = func() error { return r.checkBoard(packed) }
	case tag == rpl1TagExt:
		kind := r.number()
		payload := string(r.cut(r.number()))
		do = func() error { return r.extension(kind, payload) }
	case tag == rpl1TagEnd:
		r.end = true
		return nil
	default:
		return fmt.Errorf("after move %d: unknown record type %d", r.b.moves(), tag)
	}
	if r.err != nil {
		return r.err
	}
	return do()
}

func (r *rpl1Reader) longMove(dir byte, cell uint64, four byte, ms uint64) error {
	switch {
	case dir > 3:
		return fmt.Errorf("move %d: direction %d: must be from 0 to 3", r.b.moves()+1, dir)
	case four > 1 || cell > 255:
		return fmt.Errorf("move %d: tile %d on cell %d: must be tile 0 (a 2) or 1 (a 4) on a cell of the board", r.b.moves()+1, four, cell)
	}
	return r.move(board.Direction(dir), game.Spawn{Cell: int(cell), Exponent: four + 1}, ms)
}

func (r *rpl1Reader) move(d board.Direction, s game.Spawn, ms uint64) error {
	if err := r.b.move(d, s); err != nil {
		return err
	}
	t := int64(ms) + r.pending
	if ms == rpl1NoTime {
		t = record.UnknownTime
	}
	r.pending = 0
	return r.b.timed(t)
}

func (r *rpl1Reader) undo(count, ms uint64) error {
	if err := r.b.undo(int(min(count, MaxMoves+1))); err != nil {
		return err
	}
	left := r.b.g.Times[r.b.moves():]
	for _, t := range append([]int64{int64(ms)}, left...) {
		if t != record.UnknownTime && t != rpl1NoTime {
			r.pending = min(r.pending+t, record.MaxTime+1) // limited to prevent an overflow; timed rejects this limit
		}
	}
	r.b.g.Times = r.b.g.Times[:r.b.moves()]
	r.undone += int(count)
	return nil
}

// checkBoard compares the current board with packed, a board in the file with five bits per cell.
func (r *rpl1Reader) checkBoard(packed []byte) error {
	size := r.b.now.Size()
	for i := range size.Cells() {
		code := 0
		for bit := range 5 {
			at := i*5 + bit
			code |= int(packed[at/8]>>(at%8)&1) << bit
		}
		if code != int(r.b.now.Cell(i)) {
			return fmt.Errorf("after move %d: the file has tile %d on %s, but the moves lead to %v",
				r.b.moves(), board.Tile(uint8(code)), game.CellName(size, i), r.b.now)
		}
	}
	return nil
}

func (r *rpl1Reader) extension(kind uint64, payload string) error {
	switch {
	case kind == rpl1ExtRules && payload != "pow2":
		return fmt.Errorf("the rules are %.20q: must be pow2, the rules of 2048", payload)
	case kind == rpl1ExtSpawn:
		return fmt.Errorf("move %d: the new tile is neither 2 nor 4", r.b.moves()+1)
	case kind != rpl1ExtRules:
		r.exts[kind] = true
	}
	return nil
}

func writeRPL1(g *AnnotatedRecord) ([]byte, error) {
	size := g.Board.Size()
	extended := size.Cells() > 16
	out := append([]byte(rpl1Magic), byte(size.Rows<<4|size.Cols), 0, 2)
	if extended {
		out[5] |= rpl1Extended
	}
	tiles := 0
	err := g.each(func(s game.Spawn) {
		if four := s.Exponent - 1; extended {
			out = binary.AppendUvarint(out, uint64(s.Cell)<<1|uint64(four))
		} else {
			out = append(out, byte(s.Cell)|four<<4)
		}
		if tiles++; tiles == 2 {
			out = append(append(out, rpl1TagExt, rpl1ExtRules, 4), "pow2"...)
		}
	}, func(p *position) error {
		four := p.Spawn.Exponent - 1
		if p.Spawn.Cell < 16 {
			out = append(out, byte(p.Move)|byte(p.Spawn.Cell)<<2|four<<6)
		} else {
			out = append(out, rpl1TagMove, byte(p.Move), byte(p.Spawn.Cell), four)
		}
		out = binary.AppendUvarint(out, rpl1Time(g.Times, p.number))
		return nil
	})
	out = append(out, rpl1TagEnd)
	out = binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(out))
	return []byte(rpl1Prefix + base64.StdEncoding.EncodeToString(out) + "\n"), err
}

// rpl1Time returns the time of a move in the form that the file stores. An unknown time is rpl1NoTime. If
// the game has no times at all, the time is 0: replay viewers pause for the time of each move.
func rpl1Time(times []int64, move int) uint64 {
	switch {
	case times == nil:
		return 0
	case times[move] < 0:
		return rpl1NoTime
	}
	return uint64(times[move])
}
