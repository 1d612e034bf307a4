// Package arena measures players: an experiment lets every player play the same
// seeded games and reports scores, tiles and speed, each with its uncertainty.
//
//	results, err := arena.Run(ctx, arena.Experiment{
//		Players: []arena.Entrant{
//			{Name: "first", New: newFirst}, // func() (player.Player, error)
//			{Name: "last", New: newLast},
//		},
//		Size:  board.Size{Rows: 3, Cols: 3},
//		Seed:  1,
//		Games: 200,
//	}, nil)
//	line, err := json.Marshal(results.Report())
//	err = report.Text(os.Stdout, results, 80) // tables for a terminal, by arena/report
//	err = results.WriteCSV(csvFile)           // a row a game
//	c := arena.Compare(results.Players[1].Games, results.Players[0].Games)
//
// The package's example runs this.
//
// # What is kept equal
//
// Game i of every player spawns from the same seed and index, so that players
// can be compared game by game ([Compare]). Games are spread over workers, each
// with players of its own, and the outcome of a game does not depend on who
// plays it or when: any number of workers gives the same results, except for the
// times and for players that are limited by time.
//
// # What the numbers mean
//
//   - A mean score comes with its 95 % interval by Student's t, which wants at
//     least two games. Scores are skewed; below some thirty games take the
//     interval as a rough one.
//   - A share (games that reached a tile) comes with its Wilson 95 % interval,
//     which also holds near 0 and 1.
//   - Speed is that of one thread: moves divided by the summed time of the
//     games, spawning and the rules included. With more workers than cores, or
//     with a busy machine, players seem slower than they are.
//
// A player that is a program outside ([player.Forfeit]) may lose a game by a fault
// of its own. Such a game counts with the score it had; reports tell how many there
// are and why.
//
// # Experiments that are kept
//
// Work is cut into chunks ([Plan], [Chunk]): consecutive games of one player that take a
// few seconds, by the speed measured so far. A [Scheduler] puts them into a [Queue],
// workers ([Worker]) play them, and the games that come back ([Recorded], with their
// moves) are kept by the caller. Since a game is known by its experiment, player and
// number, a chunk that is played twice changes nothing, and what is missing can be
// planned at any time ([Gaps]).
//
//	q := arena.NewLocalQueue(arena.LocalQueueOptions{})
//	s := arena.Scheduler{Queue: q, Plan: plan, Keep: keep}
//	err := s.RunHere(ctx, arena.Worker{Queue: q, Factory: factory}, runtime.NumCPU())
//
// Run does this with short chunks and keeps the outcomes in memory; package experiment
// keeps the games in a store (arena/store).
//
// Intervals and the sequential test of a match come from package stats.
//
// # Caveats
//
// Stopped before its end, an experiment keeps the games that finished. Long
// games, which are the good ones, are more often among those that were under
// way, so that such a mean leans a little low; the reports say that they are of
// a part. With Until set, games end at that tile and scores mean little.
//
// A [game.Game] remembers every move for undo, 120 bytes each.
package arena
