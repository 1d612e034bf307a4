package bitboard_test

import (
	"testing"

	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// benchBoards are the boards that package board's benchmarks use, so that results can be compared.
func benchBoards() (boards [1024]bitboard.Board) {
	state := uint64(1)
	for i := range boards {
		for c := range 16 {
			state = state*6364136223846793005 + 1442695040888963407
			if x := state >> 33; x%3 != 0 {
				boards[i] |= bitboard.Board(1+x>>8%7) << (4 * c)
			}
		}
	}
	return boards
}

func BenchmarkSlide(b *testing.B) {
	boards := benchBoards()
	var total int32
	i := 0
	for b.Loop() {
		_, reward, _ := boards[i&1023].Slide(board.Direction(i>>10) & 3)
		total += reward
		i++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mslides/s")
	_ = total
}

// BenchmarkAfterstates makes four slides at once; compare a quarter of its time with BenchmarkSlide.
func BenchmarkAfterstates(b *testing.B) {
	boards := benchBoards()
	var out [4]bitboard.Afterstate
	i := 0
	for b.Loop() {
		boards[i&1023].Afterstates(&out)
		i++
	}
	b.ReportMetric(4*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mslides/s")
}

func BenchmarkCanonical(b *testing.B) {
	boards := benchBoards()
	var minimum bitboard.Board
	i := 0
	for b.Loop() {
		minimum ^= boards[i&1023].Canonical()
		i++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mboards/s")
	_ = minimum
}
