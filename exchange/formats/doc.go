// Package formats reads and writes games in the formats of other programs and sites.
//
//	for g, err := range formats.Read(file, nil) { // the format is recognized by its content
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
// Every move is checked against the rules while a file is read: it changes the board, and the new
// tile is a 2 or a 4 on an empty cell. Rewards, scores, boards and checksums in a file are compared
// with those of the moves. The first error ends reading; its text names the move and shows the
// board. A caller that stores nothing before Read has ended never stores a part of a file.
//
// # Limits
//
// A game has at most [MaxMoves] moves, a line at most [MaxLine] bytes. Memory is bounded by a small
// multiple of one game's size, since games are read one at a time. Tiles that spawn are 2s and 4s.
// Undone moves are removed.
//
// # Sources
//
// The layouts are those that the programs themselves read and write: 2048EndgameTablebase (rpl),
// 2048Verse/2048-replay-utils (2048verse, 2048verse-old), jieChris/2048-next (rpl1),
// moporgic/2048-Framework (framework) and gabrielecirulli/2048 (gamestate). docs/exchange.md describes them.
package formats
