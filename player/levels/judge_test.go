package levels

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// first and late are boards at the start and in the middle of a game.
const (
	first = "0,0,0,0/0,2,0,0/0,0,0,0/0,0,2,0"
	late  = "4,2,2,2/4,64,8,8/32,128,256,4/4,4,8,2"
	// blunder is a board on which left merges two 128s, and down does not.
	blunder = "16,2,128,32/4,16,64,128/2,8,16,32/0,4,8,16"
)

func parse(t testing.TB, text string) board.Board {
	t.Helper()
	return must.Get(board.Parse(text))(t)
}

func at(t testing.TB, level string, o Options) *Judge {
	t.Helper()
	return must.Get(NewJudge(must.Get(Parse(level, bitboard.Size))(t), o))(t)
}

// The result does not depend on threads, nor on the boards before.
func TestJudgeThreads(t *testing.T) {
	one, three := at(t, "3000", Options{Threads: 1, Playouts: 50}), at(t, "3000", Options{Threads: 3, Playouts: 50})
	must.Get(three.Points(t.Context(), parse(t, first)))(t)
	b := parse(t, late)
	must.Equal(t, must.Get(one.Points(t.Context(), b))(t), must.Get(three.Points(t.Context(), b))(t), "points by one thread")
}

// A level makes a tile that is on the board, and none that is out of its reach.
func TestChances(t *testing.T) {
	j := at(t, "1000", Options{Threads: 2})
	moves := [2]board.Direction{board.Up, board.Left}
	for exponent, want := range map[uint8]float64{8: 1, 15: 0} {
		chances, differ, err := j.Chances(t.Context(), parse(t, late), moves, exponent)
		if err != nil || differ || chances != [2]float64{want, want} {
			t.Errorf("%d: %v %v %v, want %v", board.Tile(exponent), chances, differ, err, want)
		}
	}
	moves[0] = board.Down // the 128s no longer meet
	chances, differ, err := j.Chances(t.Context(), parse(t, blunder), moves, 8)
	if err != nil || !differ || chances[0] > chances[1]-0.1 {
		t.Errorf("%v %v %v", chances, differ, err)
	}
}

func TestJudgeErrors(t *testing.T) {
	for text, want := range map[string]string{
		"2,2/0,0":                                 "the level is for 4x4 boards, but this board is 2x2",
		"65536,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0":     "levels know tiles up to 32768, and the board has a 65536",
		"32768,32768,2,0/0,0,0,0/0,0,0,0/0,0,0,0": "levels know tiles up to 32768",
	} {
		_, err := at(t, "3000", Options{Playouts: 2}).Points(t.Context(), parse(t, text))
		must.Contains(t, fmt.Sprint(err), want, text)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := at(t, "3000", Options{}).Points(ctx, parse(t, first)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// BenchmarkPoints judges one board on one thread.
func BenchmarkPoints(b *testing.B) {
	for _, level := range []string{"3000", "20000"} {
		b.Run(level, func(b *testing.B) {
			j, start := at(b, level, Options{Threads: 1}), parse(b, late)
			for b.Loop() {
				must.Get(j.Points(b.Context(), start))(b)
			}
		})
	}
}
