package exchange_test

import (
	"math"
	"slices"
	"testing"

	"afterstate/board"
	"afterstate/exchange"
)

// Times of 2048verse are rounded down to the steps of the format, over its whole range.
func TestVerseTimes(t *testing.T) {
	f := exchange.Named("2048verse")
	g := random(t, 1, kind{size: board.Size{Rows: 4, Cols: 4}, moves: 12})
	for last, ms := int64(0), int64(1); ms < 5e6; ms = ms*5/4 + 1 {
		g.Times[0] = ms
		data, _ := write(t, f, g)
		again, err := readAll(data, nil)
		if err != nil {
			t.Fatal(err)
		}
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
	g.Times = []int64{5, exchange.UnknownTime, math.MaxUint32 - 1}
	data, _ := write(t, exchange.Named("rpl1"), g)
	again, err := readAll(data, nil)
	if err != nil || !slices.Equal(again[0].Times, g.Times) {
		t.Errorf("%v, %v", again[0].Times, err)
	}
}
