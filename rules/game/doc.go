// Package game implements a game of 2048 in progress: a board, its score, the spawns that follow
// each move, and unlimited undo and redo.
//
//	g, _ := game.New(game.Options{Spawner: game.NewRandom(1, 0, game.P4)})
//	err := g.Move(board.Left) // slides, scores, spawns
//	g.Undo()                  // restores the position and the spawner's state
//
// New tiles come from a [Spawner]: [Random] draws them from a seed, [Scripted] reads them from a
// list, and package search has a spawner that places the worst tile. The same seed and the same
// moves give the same game on every machine (see [Random] for the exact rule).
//
// Package game does not choose moves; packages player and search do. Package rules/record
// serializes games.
package game
