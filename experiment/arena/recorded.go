package arena

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
	"github.com/afterstate2048/afterstate/search/solve"
)

// Recorded is the outcome of a game together with its moves.
type Recorded struct {
	Outcome
	// Trace holds the moves in two bits each, as record.PackMoves writes them. If spawns do not
	// follow from the seed, they are stored after the moves, one byte each, start tiles first:
	// twice the cell, plus 1 for a 4.
	Trace []byte
}

// traceOf returns the trace of the game g. moves must be the moves of g; g stores them too, but scattered in
// memory. random reports whether spawns follow from the seed.
func traceOf(moves []board.Direction, g *game.Game, random bool) []byte {
	trace := record.PackMoves(moves)
	if random {
		return trace
	}
	if _, from := g.StartBoard(); !from {
		for _, tile := range g.Start() {
			trace = append(trace, spawnByte(tile))
		}
	}
	for i := range moves {
		trace = append(trace, spawnByte(g.Step(i).Spawn))
	}
	return trace
}

func spawnByte(s game.Spawn) byte { return byte(2*s.Cell) + s.Exponent - 1 }

// Replay plays the recorded game again. An error means that the trace breaks a rule or leads to
// another outcome.
func (r *Recorded) Replay(s Setup) (*game.Game, error) {
	g, err := r.replay(s)
	if err != nil {
		return nil, fmt.Errorf("game %d of seed %d: the record cannot be replayed: %w", r.Index, r.Seed, err)
	}
	return g, nil
}

func (r *Recorded) replay(s Setup) (*game.Game, error) {
	packed, tiles, err := r.split()
	if err != nil {
		return nil, err
	}
	moves, err := record.UnpackMoves(packed, r.Moves)
	if err != nil {
		return nil, err
	}
	o := game.Options{Size: s.Size}
	if s.Starts != nil {
		o.Board = s.Starts.Of(r.Index).Board
	}
	if p4, random := s.RandomSpawns(); random {
		o.Spawner = game.NewRandom(r.Seed, r.Index, p4)
	} else {
		o.Spawner = scripted(tiles)
	}
	g, err := game.New(o)
	if err != nil {
		return nil, err
	}
	for i, d := range moves {
		if err := g.Move(d); err != nil {
			return nil, fmt.Errorf("move %d (%v): %w", i+1, d, err)
		}
	}
	if b := g.Board(); g.Score() != r.Score || b.Largest() != r.Largest {
		return nil, errors.New("replaying gives " + outcome(g.Score(), b.Largest()) + ", but the record has " + outcome(r.Score, r.Largest))
	}
	return g, nil
}

// split returns the two parts of the trace: the packed moves, and the spawned tiles.
func (r *Recorded) split() (moves, tiles []byte, err error) {
	if r.Moves < 0 || r.Moves > 4*len(r.Trace) { // Moves may come from another machine, and may be wrong
		return nil, nil, fmt.Errorf("%d bytes do not hold %d moves", len(r.Trace), r.Moves)
	}
	packed := (r.Moves + 3) / 4
	return r.Trace[:packed], r.Trace[packed:], nil
}

func outcome(score int64, largest uint8) string {
	return fmt.Sprintf("score %d and largest tile %d", score, board.Tile(largest))
}

// Meta returns the metadata for the record of a game with this setup.
func (s Setup) Meta(index uint64, player string) record.Meta {
	m := record.Meta{Spawn: s.Spawn, Seed: s.Seed, Game: index, Player: player}
	if p4, random := s.RandomSpawns(); random {
		m.Spawn, m.P4 = record.Random, p4
	}
	return m
}

// scripted returns a spawner that repeats the tiles of a trace.
func scripted(tiles []byte) *game.Scripted {
	script := new(game.Scripted)
	for _, b := range tiles {
		script.Spawns = append(script.Spawns, game.Spawn{Cell: int(b / 2), Exponent: b%2 + 1})
	}
	return script
}

// CompareToFirst compares each of the other players with the first one, with Holm's correction.
func (r *Results) CompareToFirst() (all []*Comparison) {
	for i := 1; i < len(r.Players); i++ {
		c := r.Compare(i, 0)
		all = append(all, &c)
	}
	Holm(all...)
	return all
}

// Compare compares two players in the results, given by their indices.
func (r *Results) Compare(a, b int) Comparison {
	return Compare(r.Players[a].Games, r.Players[b].Games)
}

// Regret sums up how much the moves of a game lose compared with the best moves, by exact values.
type Regret struct {
	Lost   float64 // expected points (in an ending: chance of the goal) that all judged moves lose together
	Judged int     // number of judged moves
	Best   int     // number of judged moves that lose nothing
	Left   bool    // judging ended early, at a move that leaves the ending
}

// rounding is the relative difference of values below which moves count as equal.
const rounding = 1e-9

// Judge judges the game's moves by exact values, and sets its Regret. In an ending, the table covers only
// boards whose walls, the large tiles, are in certain cells. There it judges moves until the goal is made, or
// until a move shifts the walls in a way that the ending does not allow; this move is not judged.
func (r *Recorded) Judge(s Setup, table *solve.Table) error {
	g, err := r.Replay(s)
	if err != nil {
		return err
	}
	boards := make([]board.Board, g.Moves())
	moves := g.Steps()
	for i := range slices.Backward(boards) {
		g.Undo()
		boards[i] = g.Board()
	}
	r.Regret = Regret{}
	ending := table.Problem.Walls != ""
	for i := range boards {
		if table.Made(&boards[i]) {
			break
		}
		values, err := table.Moves(&boards[i])
		if err != nil {
			return fmt.Errorf("board %v: %w", boards[i], err)
		}
		best, _ := solve.Best(&values)
		lost := best - values[moves[i].Move].Value
		if math.IsNaN(lost) {
			r.Regret.Left = true
			break
		}
		r.Regret.Judged++
		if lost <= rounding*best || ending && lost <= solve.EndingRounding {
			r.Regret.Best++
			continue
		}
		r.Regret.Lost += lost
	}
	return nil
}

// Optimum returns the expected score of optimal play over a number of games, or in an ending its
// chance of the goal: the mean of the exact values of the start boards, or without start boards the
// value of the standard start. It fails if the table does not contain a start board, if it was
// solved for other spawns, starts or ends of games, or if the value of every start board is 0.
func (s *Setup) Optimum(table *solve.Table, games int) (float64, error) {
	p := table.Problem
	if p4, random := s.RandomSpawns(); !random || p.P4 != p4 || p.Walls == "" && s.Stop != (game.Stop{}) || p.Walls != "" && s.Starts == nil {
		return 0, errors.New("the exact values are for games that have other spawns, or start or end in another way")
	}
	if s.Starts == nil {
		return table.Start, nil
	}
	starts := s.Starts.Boards
	var sum float64
	for i := range starts {
		v, err := table.Value(&starts[i].Board)
		if err != nil {
			return 0, fmt.Errorf("start board %d, %v: %w", i+1, starts[i].Board, err)
		}
		plays := games / len(starts)
		if i < games%len(starts) {
			plays++
		}
		sum += v * float64(plays)
	}
	if sum == 0 {
		return 0, errors.New("the exact value of every start board is 0: there is nothing to judge")
	}
	return sum / float64(games), nil
}

// JudgedBy sets Optimal and Ending for moves that were judged by the exact values of a table.
func (r *Results) JudgedBy(table *solve.Table) (err error) {
	if p := table.Problem; p.Walls != "" {
		r.Ending = p
	}
	r.Optimal, err = r.Optimum(table, r.Games)
	return err
}

// regret returns how much the moves of a player's games lose; nil if they were not judged.
func regret(games []Outcome, optimal float64, unit protocol.Unit) *protocol.Regret {
	if optimal == 0 {
		return nil
	}
	lost := make([]float64, len(games))
	var sum float64
	best := 0
	r := &protocol.Regret{Unit: unit}
	for i, g := range games {
		lost[i] = g.Regret.Lost
		sum += lost[i]
		best += g.Regret.Best
		r.Judged += int64(g.Regret.Judged)
		if g.Regret.Left {
			r.Left++
		}
	}
	r.PerMove, r.BestMoves = stats.Figure(stats.Ratio(sum, float64(r.Judged))), stats.Figure(stats.Ratio(float64(best), float64(r.Judged)))
	r.PerGame, r.CI = meanOf(games, lost)
	r.Share = r.PerGame / stats.Figure(optimal)
	return r
}
