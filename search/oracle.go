package search

import "afterstate/game"

// Oracle gives access to the spawns to come. A game.Game is one. Only Foresight uses it.
type Oracle interface {
	// Foresee returns a copy of the random spawner before its next spawn; ok is false if spawns are
	// not random.
	Foresee() (copied game.Random, ok bool)
}

// Future is an Oracle that holds a copy of a random spawner, so the game may continue meanwhile.
type Future struct {
	Random game.Random
	OK     bool // false if spawns are not random
}

// Foresee returns the spawner.
func (f Future) Foresee() (game.Random, bool) { return f.Random, f.OK }
