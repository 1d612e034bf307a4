// Package game is a game of 2048 in progress: a board, its score, the spawns
// that follow each move, and undo and redo without limit.
//
//	g, _ := game.New(game.Options{Spawner: game.NewRandom(1, 0, game.P4)})
//	err := g.Move(board.Left) // slides, scores, spawns
//	g.Undo()                  // and takes all of it back, the spawner's state too
//
// New tiles come from a [Spawner]: [Random] from a seed, [Scripted] from a list;
// package search adds one that places the worst tile. The same seed and the same
// moves give the same game on every machine (see [Random] for the exact rule).
//
// Package game knows no players. Package game/record writes games down.
package game
