package arena

import (
	"fmt"
	"math"
	"time"

	"github.com/afterstate2048/afterstate/exchange/formats"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// Imported is the spawn rule of experiments whose games were played elsewhere and imported. Their
// tiles are in the traces. They are not played on.
const Imported = formats.Spawn

// Imported reports whether the games were imported.
func (s Setup) Imported() bool { return s.Spawn == Imported }

// Import returns an imported game for an experiment with the spawn rule Imported. Its trace has the
// moves, then the two start tiles or one byte for each cell of the start board, then the tiles. The
// score is that since the start.
func Import(g *formats.AnnotatedRecord, index uint64) (Recorded, error) {
	r, err := g.Listed()
	if err != nil {
		return Recorded{}, err
	}
	out := Recorded{Outcome: Outcome{Index: index, Score: r.Score, Largest: r.Board.Largest(), Moves: len(r.Moves), Sum: r.Board.Sum()}}
	total := int64(0) // at most 2^62, as exchange limits moves and times
	for _, ms := range g.Times {
		total += max(ms, 0)
	}
	const most = 1e12 // milliseconds that a time.Duration can hold
	out.Elapsed = time.Duration(min(total, most)) * time.Millisecond
	out.Trace = record.PackMoves(r.Moves)
	if size := r.Start.Size(); size != (board.Size{}) {
		for i := range size.Cells() {
			out.Trace = append(out.Trace, r.Start.Cell(i))
		}
	}
	for _, s := range r.Spawns {
		out.Trace = append(out.Trace, spawnByte(s))
	}
	return out, nil
}

// importedStart returns the start board of an imported game's tiles, zero if it begins with two tiles, and the
// other tiles.
func importedStart(size board.Size, tiles []byte, moves int) (start board.Board, rest []byte, err error) {
	cells := size.Cells()
	if len(tiles) != cells+moves {
		return start, tiles, nil
	}
	start = board.New(size)
	for i, e := range tiles[:cells] {
		if e > board.MaxExponent {
			return start, nil, fmt.Errorf("cell %d of the start board has exponent %d", i, e)
		}
		start.Set(i, e)
	}
	return start, tiles[cells:], nil
}

// scripted returns the spawner of a trace's tiles.
func scripted(tiles []byte) *game.Scripted {
	script := new(game.Scripted)
	for _, b := range tiles {
		script.Spawns = append(script.Spawns, game.Spawn{Cell: int(b / 2), Exponent: b%2 + 1})
	}
	return script
}

// CompareMeans compares games that have no seeds in common, by the means of their scores.
func CompareMeans(a, b []Outcome) Comparison {
	scores := func(games []Outcome) []float64 {
		all := make([]float64, len(games))
		for i := range games {
			all[i] = float64(games[i].Score)
		}
		return all
	}
	none := math.NaN()
	c := Comparison{Unpaired: true, Games: len(a), Others: len(b), WonShare: stats.Figure(none), WonCI: stats.Unknown, Goal: GoalDifference{CI: stats.Unknown, P: none}}
	difference, ci, freedom := stats.Difference(scores(a), scores(b))
	c.Difference, c.CI, c.P = stats.Figure(difference), ci, stats.ZeroTest(ci, freedom)
	c.judge()
	return c
}

// CompareToFirst compares each other player with the first one, with Holm's correction.
func (r *Results) CompareToFirst() (all []*Comparison) {
	for _, p := range r.Players[min(1, len(r.Players)):] {
		c := r.Compare(p.Games, r.Players[0].Games)
		all = append(all, &c)
	}
	Holm(all...)
	return all
}

// Compare compares two players of the results: on the same seeds, or by their means if the games
// were imported.
func (r *Results) Compare(a, b []Outcome) Comparison {
	if r.Spawn == Imported {
		return CompareMeans(a, b)
	}
	return Compare(a, b)
}
