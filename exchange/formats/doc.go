// Package formats reads and writes games in the formats of other programs and sites.
//
//	for g, err := range formats.Read(file, nil) { // nil: recognize the format by its content
//		if err != nil {
//			return err // names the game, the move and the board
//		}
//		fmt.Println(len(g.Moves), g.Score)
//	}
//
//	w := formats.NewWriter(out, formats.Named("rpl1"))
//	err := w.Write(g)
//	w.Dropped() // what the format cannot hold
//
// # Checks
//
// [Read] checks every move against the rules: it must change the board, and the new tile must be a 2 or
// a 4 on an empty cell. Rewards, scores and boards in a file must agree with the moves, and checksums must
// agree with the data. The first error ends reading; its text names the move and shows the board. A caller
// that must not store part of a faulty file should store nothing before Read has ended.
//
// # Limits
//
// A game has at most [MaxMoves] moves, a line at most [MaxLine] bytes. Games are read one at a time, so
// memory is bounded by a small multiple of the size of one game. Spawns are 2s and 4s only. Undone moves
// are removed.
//
// # Sources
//
// The formats follow the code of the programs that read and write them: 2048EndgameTablebase (rpl),
// 2048Verse/2048-replay-utils (2048verse), jieChris/2048-next (rpl1), moporgic/2048-Framework
// (framework) and gabrielecirulli/2048 (gamestate).
// docs/exchange.md describes them.
package formats
