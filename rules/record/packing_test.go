package record_test

import (
	"math"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/record"
)

func TestPackMoves(t *testing.T) {
	moves := []board.Direction{board.Up, board.Right, board.Down, board.Left, board.Right}
	packed := record.PackMoves(moves)
	if want := []byte{0b11_10_01_00, 0b01}; !slices.Equal(packed, want) {
		t.Errorf("packed %b: want %b", packed, want)
	}
	if again, err := record.UnpackMoves(packed, 5); err != nil || !slices.Equal(again, moves) {
		t.Errorf("unpacked %v, %v", again, err)
	}
	if none, err := record.UnpackMoves(nil, 0); err != nil || len(none) != 0 || len(record.PackMoves(nil)) != 0 {
		t.Errorf("no moves: %v, %v", none, err)
	}
	for _, count := range []int{-1, 0, 4, 9, math.MaxInt, math.MinInt} {
		if _, err := record.UnpackMoves(packed, count); err == nil {
			t.Errorf("2 bytes are taken for %d moves", count)
		}
	}
	if _, err := record.UnpackMoves([]byte{0, 0b100}, 5); err == nil {
		t.Error("bits behind the last move are taken")
	}
	defer func() {
		if recover() == nil {
			t.Error("direction 4 is packed")
		}
	}()
	record.PackMoves([]board.Direction{4})
}
