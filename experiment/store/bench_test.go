package store

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// A game of greedy has some 260 moves.
func BenchmarkKeep(b *testing.B) {
	for _, batch := range []int{1, 100, 4000} {
		b.Run(fmt.Sprint(batch), func(b *testing.B) {
			s := opened(b, filepath.Join(b.TempDir(), "x.db"))
			e := testExperiment("a", "greedy")
			if err := s.Create(b.Context(), e); err != nil {
				b.Fatal(err)
			}
			games := make([]arena.Recorded, batch)
			for i := range games {
				games[i] = made(1, uint64(i), false)
				games[i].Trace = make([]byte, 65)
				games[i].Forfeit.Reason = ""
			}
			next := uint64(0)
			for b.Loop() {
				for i := range games {
					games[i].Index = next
					next++
				}
				if _, err := s.Keep(b.Context(), e, &e.Players[0], games); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(next), "ns/game")
		})
	}
}

// Reports read all games of a player.
func BenchmarkGames(b *testing.B) {
	s := opened(b, filepath.Join(b.TempDir(), "x.db"))
	e := testExperiment("a", "greedy")
	if err := s.Create(b.Context(), e); err != nil {
		b.Fatal(err)
	}
	games := make([]arena.Recorded, 100_000)
	for i := range games {
		games[i] = made(1, uint64(i), false)
		games[i].Trace, games[i].Forfeit.Reason = make([]byte, 65), ""
	}
	if _, err := s.Keep(b.Context(), e, &e.Players[0], games); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if all, err := s.Games(b.Context(), e, &e.Players[0]); err != nil || len(all) != len(games) {
			b.Fatal(len(all), err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(games)), "ns/game")
}
