package formats_test

import (
	"encoding/binary"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/exchange/formats"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/record"
)

// Times of 2048verse are rounded down to the steps of the format, over its whole range.
func TestVerseTimes(t *testing.T) {
	f := formats.Named("2048verse")
	g := random(t, 1, kind{size: board.Size{Rows: 4, Cols: 4}, moves: 12})
	for last, ms := int64(0), int64(1); ms < 5e6; ms = ms*5/4 + 1 {
		g.Times[0] = ms
		data, _ := write(t, f, g)
		again := must.Get(readAll(data, nil))(t)
		got := again[0].Times[0]
		if got > ms || got < last || ms < 4e6 && float64(ms-got) > max(0, 0.02*float64(ms)+1) {
			t.Errorf("%d ms is read as %d", ms, got)
		}
		last = got
	}
}

// Times that are not known are written as 0 only where no time is known.
func TestUnknownTimes(t *testing.T) {
	g := random(t, 1, kind{size: board.Size{Rows: 4, Cols: 4}, moves: 3})
	g.Times = []int64{5, record.UnknownTime, math.MaxUint32 - 1}
	data, _ := write(t, formats.Named("rpl1"), g)
	again, err := readAll(data, nil)
	if err != nil || !slices.Equal(again[0].Times, g.Times) {
		t.Errorf("%v, %v", again[0].Times, err)
	}
}

// Undone moves add their time to the next move. The sum stays a time that every format can hold.
func TestHugeTimes(t *testing.T) {
	body := []byte{0x44, 0, 2, 0, 1}
	huge := binary.AppendUvarint(nil, 1<<56-1)
	move := byte(board.Down) | 4<<2
	for range 130 { // the sum passes 2^63
		body = append(append(body, move), huge...)
		body = append(append(body, 0x80), huge...)
	}
	body = append(body, move, 0)
	data := append([]byte("RPL1"), body...)
	data = append(data, little(uint64(crc(data)), 4)...)
	if games, err := readAll(data, nil); err == nil || !strings.Contains(err.Error(), "must be at most") {
		t.Errorf("%v, %v", games, err)
	}
	g := random(t, 1, kind{size: board.Size{Rows: 4, Cols: 4}, moves: 3})
	g.Times = []int64{record.MaxTime, 1, record.MaxTime}
	for _, name := range []string{"rpl1", "csv", "csv-moves", "framework"} {
		data, _ := write(t, formats.Named(name), g)
		again, err := readAll(data, nil)
		if err != nil || !slices.Equal(again[0].Times, g.Times) {
			t.Errorf("%s: %v", name, err)
		}
		g.Times[1]++
	}
}

// A game with too few times is refused, not written in part.
func TestTimesAndMovesDiffer(t *testing.T) {
	g := random(t, 1, kind{size: board.Size{Rows: 4, Cols: 4}, moves: 3})
	g.Times = g.Times[:2]
	if err := formats.NewWriter(io.Discard, formats.Named("csv")).Write(g); err == nil {
		t.Error("2 times for 3 moves are written")
	}
}

// A name with a line end is one line of a table.
func TestNameInTable(t *testing.T) {
	g := random(t, 1, kind{size: board.Size{Rows: 4, Cols: 4}, moves: 3})
	g.Player = "a\r\nb\nc"
	for _, name := range []string{"csv", "csv-moves"} {
		data, _ := write(t, formats.Named(name), g)
		if again, err := readAll(data, nil); err != nil || again[0].Player != "a b c" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
