// Package arena plays experiments: every player plays the same seeded games, and reports give
// scores, tiles reached and speed, each with its 95 % interval.
//
//	results, err := arena.Run(ctx, arena.RunOptions{
//		Players: []catalog.Maker{
//			{Spec: "first", New: newFirst}, // func() player.Player
//			{Spec: "last", New: newLast},
//		},
//		Size:  board.Size{Rows: 3, Cols: 3},
//		Seed:  1,
//		Games: 200,
//	}, nil)
//	line, err := json.Marshal(results.Statistics())
//	err = report.Text(os.Stdout, results, 80) // tables for a terminal, by experiment/report
//	err = results.WriteCSV(csvFile)           // a row a game
//	c := arena.Compare(results.Players[1].Games, results.Players[0].Games)
//
// The package's example runs this.
//
// # Reproducibility
//
// Game i of every player spawns from the same seed and index, so that players can be compared
// pairwise ([Compare]). Workers have players of their own, and a game's outcome does not depend on
// who plays it or when: any number of workers gives the same results, except for times and for
// players limited by time.
//
// # Statistics
//
//   - A mean score has a 95 % interval by Student's t, for two games or more. Scores are
//     skewed; below some thirty games the interval is approximate.
//   - A share (games that reached a tile) has a Wilson 95 % interval, which covers well near 0
//     and 1 too.
//
// Speed is that of one thread: moves divided by the summed time of the games, spawning and rules
// included. With more workers than cores, or on a busy machine, players seem slower than they are.
//
// An external program may lose a game by a fault of its own ([player.Forfeit]). Such a game counts
// with the score it had; reports list number and reasons.
//
// # Scheduling
//
// A [Planner] cuts work into chunks ([Chunk]): consecutive games of one player that take a few
// seconds, by the speed measured so far. A [Scheduler] puts chunks into a [Queue], each [Worker]
// takes and plays them, and the games come back with their moves ([Recorded]) to a function that
// keeps them. A game is identified by experiment, player and number, so playing a chunk twice is
// harmless, and missing games can be planned at any time ([Gaps]).
//
//	q := arena.NewLocalQueue()
//	s := arena.Scheduler{Queue: q, Plan: plan, Keep: keep}
//	err := s.Run(ctx, arena.Worker{Queue: q, Factory: factory}, runtime.NumCPU())
//
// Run does this with short chunks and keeps outcomes in memory; package experiment keeps games in a
// store (experiment/store). Intervals and the sequential test come from package stats.
//
// # Caveats
//
// An experiment that is stopped early keeps the games that finished. Long games, which are the good
// ones, are more often unfinished, so such a mean is biased a little low; reports say that they are
// partial. With Until set, games end at that tile and scores mean little.
//
// A [game.Game] stores every move for undo, 120 bytes each.
package arena
