package game

import (
	"fmt"

	"github.com/afterstate2048/afterstate/rules/board"
)

// maxPast bounds the work of NewRandomAt; a 4x4 game has at most 131,000 spawns.
const maxPast = 1 << 28

// Spawned returns the numbers of 2s and 4s that have spawned in a game with this board and score,
// the two start tiles included. The score determines the number of 4s,
//
//	score = sum over tiles 2^k of (k-1)*2^k  -  4 * (number of 4s spawned)
//
// and the sum of the tiles that of 2s. It fails if no spawns match board and score; it does not
// prove that a game can reach the position.
func Spawned(b *board.Board, score int64) (twos, fours int64, err error) {
	var ifAllTwos, unmerged int64 // unmerged: the 2s still on the board
	for i := range b.Size().Cells() {
		if e := b.Cell(i); e > 0 {
			ifAllTwos += int64(e-1) * board.Tile(e)
		}
		if b.Cell(i) == 1 {
			unmerged++
		}
	}
	// all tiles except single 2s may be made of 4s
	least := ifAllTwos - (b.Sum() - 2*unmerged)
	if score < least || score > ifAllTwos || (ifAllTwos-score)%4 != 0 {
		return 0, 0, fmt.Errorf("score %d does not belong to board %v: want %d to %d in steps of 4", score, b, least, ifAllTwos)
	}
	fours = (ifAllTwos - score) / 4
	twos = (b.Sum() - 4*fours) / 2
	if twos+fours < 2 {
		return 0, 0, fmt.Errorf("board %v with score %d comes after %d spawns: a game starts with 2", b, score, twos+fours)
	}
	return twos, fours, nil
}

// NewRandomAt returns the spawner of a game with this board and score: that of NewRandom after as
// many spawns as Spawned counts. It fails as Spawned does.
func NewRandomAt(seed, index uint64, p4 float64, b *board.Board, score int64) (*Random, error) {
	twos, fours, err := Spawned(b, score)
	if err != nil {
		return nil, err
	}
	if twos+fours > maxPast {
		return nil, fmt.Errorf("board %v comes after %d spawns: want at most %d", b, twos+fours, maxPast)
	}
	r := NewRandom(seed, index, p4)
	for range twos + fours {
		r.Draw()
	}
	return r, nil
}
