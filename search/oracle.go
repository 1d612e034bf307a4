package search

import "afterstate/game"

// Oracle tells the tiles to come. A game is one; only foresight asks it.
type Oracle interface {
	// Foresee is a copy of the random spawner as it stands before the next spawn;
	// ok is false where tiles do not come from one.
	Foresee() (copied game.Random, ok bool)
}

// Future is an Oracle: a random spawner as it was when it was copied. A game may go on meanwhile.
type Future struct {
	Random game.Random
	OK     bool // false where tiles do not come from a random spawner
}

// Foresee returns the spawner.
func (f Future) Foresee() (game.Random, bool) { return f.Random, f.OK }
