package game_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

const goldenFile = "testdata/golden.jsonl"

// golden are the twenty published games. They must never change: all records and seeds depend on
// the rules that they pin.
var golden = []struct {
	size        string
	seed, index uint64
	p4          float64
	player      string
	spawn       string
}{
	{"2x2", 0, 0, 0.1, "test-rotating", record.Random},
	{"2x2", 1, 0, 0.1, "test-random", record.Random},
	{"2x2", 18446744073709551615, 18446744073709551615, 0.5, "test-random", record.Random},
	{"3x3", 0, 0, 0.1, "test-rotating", record.Random},
	{"3x3", 2, 7, 0.1, "test-random", record.Random},
	{"3x3", 42, 1, 0, "test-rotating", record.Random},
	{"4x4", 0, 0, 0.1, "test-rotating", record.Random},
	{"4x4", 0, 1, 0.1, "test-rotating", record.Random},
	{"4x4", 1, 0, 0.1, "test-random", record.Random},
	{"4x4", 1, 1, 1, "test-random", record.Random},
	{"4x4", 12345, 99, 0.25, "test-rotating", record.Random},
	{"5x5", 0, 0, 0.1, "test-rotating", record.Random},
	{"5x5", 7, 3, 0.1, "test-random", record.Random},
	{"6x6", 0, 0, 0.1, "test-random", record.Random},
	{"3x4", 0, 0, 0.1, "test-rotating", record.Random},
	{"3x4", 9, 2, 0.1, "test-random", record.Random},
	{"2x6", 0, 0, 0.1, "test-rotating", record.Random},
	{"4x4", 0, 0, 0, "test-rotating", "test-last"},
	{"3x3", 5, 0, 0, "test-random", "test-last"},
	{"6x6", 3, 0, 0, "test-random", "test-last"},
}

// choose implements the two players of the golden games. At move i, test-rotating tries the directions in
// order, starting with direction i modulo 4; test-random draws the low two bits of numbers from
// PCG(^seed, game) until they name a legal move.
func choose(player string, random *rand.PCG, g *game.Game) board.Direction {
	b := g.Board()
	for d := g.Moves(); ; d++ {
		try := board.Direction(d % 4)
		if player == "test-random" {
			try = board.Direction(random.Uint64() & 3)
		}
		if _, _, moved := b.Slide(try); moved {
			return try
		}
	}
}

// lastCell spawns in the last empty cell, every third time a 4.
type lastCell struct{ spawned int }

func (s *lastCell) Spawn(b *board.Board) (game.Spawn, error) {
	s.spawned++
	tile := game.Spawn{Cell: b.Size().Cells() - 1, Exponent: 1}
	for b.Cell(tile.Cell) != 0 {
		tile.Cell--
	}
	if s.spawned%3 == 0 {
		tile.Exponent = 2
	}
	return tile, nil
}
func (s *lastCell) Skip()                 { s.spawned++ }
func (s *lastCell) State() game.State     { return game.State{Next: s.spawned} }
func (s *lastCell) Restore(to game.State) { s.spawned = to.Next }

func TestGoldenGames(t *testing.T) {
	var lines bytes.Buffer
	games := make([]*game.Game, len(golden))
	for i, c := range golden {
		size := must.Get(board.ParseSize(c.size))(t)
		var spawner game.Spawner = &lastCell{}
		if c.spawn == record.Random {
			spawner = game.NewRandom(c.seed, c.index, c.p4)
		}
		g := newGame(t, game.Options{Size: size, Spawner: spawner})
		for random := rand.NewPCG(^c.seed, c.index); !g.Over(); {
			must.Do(t, g.Move(choose(c.player, random, g)))
		}
		r := record.Of(g, record.Meta{Spawn: c.spawn, P4: c.p4, Seed: c.seed, Game: c.index, Player: c.player})
		must.Do(t, record.Write(&lines, r))
		games[i] = g
	}
	if must.Updating() {
		must.Do(t, os.WriteFile(goldenFile, lines.Bytes(), 0o644))
	}
	published := must.Get(os.ReadFile(goldenFile))(t)
	got, want := bytes.Split(lines.Bytes(), []byte("\n")), bytes.Split(published, []byte("\n"))
	if len(got) != len(want) {
		t.Fatalf("%s has %d lines, the test makes %d", goldenFile, len(want)-1, len(got)-1)
	}
	for i := range got {
		if !bytes.Equal(got[i], want[i]) {
			t.Errorf("%s:%d is\n%s\nthe test makes\n%s", goldenFile, i+1, want[i], got[i])
		}
	}
	for line, text := range want[:len(want)-1] {
		r := must.Get(record.Parse(text))(t)
		g, err := r.Replay()
		if err != nil {
			t.Errorf("%s:%d: %v", goldenFile, line+1, err)
		} else if g.Board() != games[line].Board() || g.Score() != games[line].Score() {
			t.Errorf("%s:%d replays to another game", goldenFile, line+1)
		}
	}
}
