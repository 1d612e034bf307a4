package search

import "afterstate/game"

// Oracle tells the tiles to come. A game is one; only foresight asks it.
type Oracle interface {
	// Foresee is a copy of the random spawner as it stands before the next spawn;
	// ok is false where tiles do not come from one.
	Foresee() (copied game.Random, ok bool)
}
