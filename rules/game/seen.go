package game

import "github.com/afterstate2048/afterstate/rules/board"

// Seen is a game whose tiles become known with its moves, such as one in a file or on a page.
type Seen struct {
	*Game
	script Scripted
}

// See begins a game with two start tiles, in their order, or from a board if there are other ones.
func See(start board.Board, tiles []Spawn) (*Seen, error) {
	s := &Seen{}
	o := Options{Size: start.Size(), Spawner: &s.script}
	if len(tiles) == 2 {
		s.script.Spawns = append(s.script.Spawns, tiles...)
	} else {
		o.Board = start
	}
	var err error
	s.Game, err = New(o)
	return s, err
}

// Next is the tile that the next move brings.
func (s *Seen) Next(tile Spawn) { s.script.Spawns = append(s.script.Spawns[:s.script.next], tile) }
