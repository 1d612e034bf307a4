package search

import (
	"context"
	"errors"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Counts of an implementation of the rules that shares nothing with this one.
func TestPerft(t *testing.T) {
	for _, c := range []struct {
		board  string
		leaves []uint64 // after 1, 2, ... rounds
	}{
		{"2,0/0,2", []uint64{16, 208, 1792, 12160, 60608, 283008}},
		{"2,0,0/0,4,2", []uint64{24, 376, 6106, 84092}},
		{"2,2,0/0,4,8/2,0,0", []uint64{40, 1292, 38852}},
		{"2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2", []uint64{112, 11536, 1124032}},
		{"2,4/4,2", []uint64{0, 0}},
	} {
		b := must.Get(board.Parse(c.board))(t)
		for i, want := range append([]uint64{1}, c.leaves...) {
			if got, err := Perft(t.Context(), &b, i); got != want || err != nil {
				t.Errorf("%s after %d rounds: %d, %v; want %d", c.board, i, got, err, want)
			}
		}
	}
}

func TestPerftStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := board.New(board.Size{Rows: 6, Cols: 6})
	b.Set(0, 1)
	if _, err := Perft(ctx, &b, 12); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want that of the context", err)
	}
}
