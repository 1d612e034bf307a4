package game_test

import (
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"

	"pgregory.net/rapid"
)

// Over whole random games of every size: the score invariant of Spawned, its counts, and a spawner
// made from board and score alone that continues with the same spawns.
func TestBoardAndScoreTellThePast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, d := drawnGame(t)
		var count [3]int64 // by exponent
		for _, s := range g.Start() {
			count[s.Exponent]++
		}
		stride := rapid.IntRange(1, 50).Draw(t, "stride")
		for {
			b := g.Board()
			var sum int64
			for i := range b.Size().Cells() {
				if k := b.Cell(i); k > 0 {
					sum += int64(k-1) << k
				}
			}
			if want := sum - 4*count[2]; g.Score() != want {
				t.Fatalf("%v after %d fours: score %d, want %d", b, count[2], g.Score(), want)
			}
			if twos, fours, err := game.Spawned(&b, g.Score()); err != nil || twos != count[1] || fours != count[2] {
				t.Fatalf("Spawned(%v, %d) = %d, %d, %v: want %d, %d", b, g.Score(), twos, fours, err, count[1], count[2])
			}
			if g.Moves()%stride == 0 || g.Over() {
				own, _ := g.Foresee()
				if r, err := game.NewRandomAt(d.seed, d.index, d.p4, &b, g.Score()); err != nil || *r != own {
					t.Fatalf("NewRandomAt after %d moves: %v, %v, not %v", g.Moves(), r, err, own)
				}
			}
			if g.Over() {
				return
			}
			playRandom(g, d.moves, 1)
			count[g.LastSpawn().Exponent]++
		}
	})
}

func TestSpawnedRefuses(t *testing.T) {
	for _, c := range []struct {
		board string
		score int64
		want  string
	}{
		{"2,2/2,0", 4, "score 4 does not belong to board 2,2/2,0: must be from 0 to 0 in steps of 4"},
		{"8,2/0,0", 17, "score 17 does not belong to board 8,2/0,0: must be from 8 to 16 in steps of 4"},
		{"8,2/0,0", 14, "score 14 does not belong to board 8,2/0,0: must be from 8 to 16 in steps of 4"},
		{"8,2/0,0", -4, "score -4 does not belong to board 8,2/0,0: must be from 8 to 16 in steps of 4"},
		// five 4s would leave no spawn for the two 2s
		{"16,2/2,0", 28, "score 28 does not belong to board 16,2/2,0: must be from 32 to 48 in steps of 4"},
		{"2,0/0,0", 0, "board 2,0/0,0 with score 0 comes after 1 spawns: a game starts with 2"},
		{"0,0/0,0", 0, "board 0,0/0,0 with score 0 comes after 0 spawns: a game starts with 2"},
	} {
		b := must.Get(board.Parse(c.board))(t)
		if _, _, err := game.Spawned(&b, c.score); err == nil || err.Error() != c.want {
			t.Errorf("Spawned(%s, %d): error %v: want %s", c.board, c.score, err, c.want)
		}
		if _, err := game.NewRandomAt(0, 0, game.P4, &b, c.score); err == nil {
			t.Errorf("NewRandomAt(%s, %d) works", c.board, c.score)
		}
	}
	b, _ := board.Parse("1073741824,2/2,2")
	if _, err := game.NewRandomAt(0, 0, game.P4, &b, 29<<30); err == nil {
		t.Error("NewRandomAt draws 500 million numbers")
	}
}
