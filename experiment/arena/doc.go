// Package arena plays experiments: every player plays the same seeded games, and reports give
// scores and tiles reached, with 95 % intervals, and speed.
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
//	err = results.WriteCSV(csvFile)           // one row per game
//	c := arena.Compare(results.Players[1].Games, results.Players[0].Games)
//
// The package's example runs this.
//
// # Reproducibility
//
// Game i of every player gets its spawns from the same seed and index, so that players can be compared
// pairwise ([Compare]). Each worker builds its own players, and the outcome of a game does not depend on
// which worker plays it or when: any number of workers gives the same results, except for measured times and
// for players limited by time.
//
// # Statistics
//
//   - A mean score has a 95 % interval by Student's t, for two games or more. Scores are
//     skewed; below about 30 games the interval is approximate.
//   - A rate (the share of games that reached a tile) has a Wilson 95 % interval, which has good
//     coverage near 0 and 1 too.
//
// Speed is the speed of one thread: moves divided by the summed time of the games, spawning and rules
// included. With more workers than cores, or on a busy machine, players seem slower than they are.
//
// An external program forfeits a game if it fails, for example if it hangs ([player.ForfeitError]). A forfeited
// game counts with its score so far; reports list the number of forfeits and their reasons.
//
// # Scheduling
//
// A [Planner] cuts work into chunks. A [Chunk] consists of consecutive games of one player, and takes a few
// seconds at the speed measured so far. A [Scheduler] puts chunks into a [Queue], each [Worker] takes and
// plays them, and Scheduler.Keep receives the finished games with their moves ([Recorded]) and stores them. A
// game is identified by experiment, player and number, so playing a chunk twice is harmless, and missing
// games can be planned at any time ([Gaps]).
//
//	q := arena.NewLocalQueue()
//	s := arena.Scheduler{Queue: q, Plan: plan, Keep: keep}
//	err := s.Run(ctx, arena.Worker{Queue: q, Factory: factory}, runtime.NumCPU())
//
// [Run] does this with short chunks and keeps the outcomes in memory; package experiment keeps the
// games in a store (experiment/store). Intervals and the sequential test come from package stats.
//
// # Caveats
//
// An experiment that is stopped early keeps the games that finished. Long games have high scores, and are
// more often unfinished, so such a mean is biased a little low; reports then say that games are missing. If
// games stop at a tile (RunOptions.Stop), scores mean little.
package arena
