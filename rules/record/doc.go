// Package record writes a game of 2048 as one line of JSON and replays it, checking every move.
//
//	g, _ := game.New(game.Options{Spawner: game.NewRandom(7, 0, game.P4)})
//	_ = g.Move(board.Left)
//	r := record.Of(g, record.Meta{P4: game.P4, Seed: 7, Player: "human"})
//	_ = record.Write(os.Stdout, r) // one line
//	again, err := r.Replay()       // the same game, or an error that names the first bad move
//
// This is the file format in which the program stores games; package exchange/formats converts the
// formats of other programs. Experiments store packed moves (arena.Recorded) and write records when
// they are exported. The command "watch --replay" and the reviews in package session read records.
//
// # Format
//
// A file has one record per line. Version 1 has these fields, written in this order and read in
// any:
//
//	afterstate_record  1, the version
//	size               "4x4"
//	start              rows of tile values: the board that the game started from; only if one was given
//	spawn              the spawn rule: "random", or the text of another rule
//	p4                 probability of a 4; only with "random"
//	seed, game         the seed and the number of the game within it
//	player             the spec of the player, "" if unknown
//	move_count         number of moves
//	moves              the moves, packed, in base64
//	spawns             the spawned tiles; only if spawn is not "random"
//	times              the time that each move took, packed, in base64; only if times are known
//	board              rows of tile values of the final board, checked by the replay
//	score              the final score, checked by the replay
//
// Moves take two bits each (up 0, right 1, down 2, left 3), the first in the lowest bits of the
// first byte; unused bits are zero. Random spawns are not written, since they follow from the seed
// (see [game.Random]): a game of 20,000 moves is a line of 7 kB. Other spawn rules write each tile
// as two characters, its cell in base 36 (0-9a-z, row-major) and its exponent (1 for a 2, 2 for a
// 4), the two start tiles first unless start is given. The score starts at 0, also if start is given.
//
// The time of a move is the time in milliseconds between showing its board and making the move. It
// is written as a varint (seven bits per byte, the lowest first): 0 if the time is unknown,
// otherwise the milliseconds plus 1. So a time of up to 16 seconds takes one or two bytes. Games of
// computer players have no times, so that equal games give equal lines.
//
// # Checks
//
// [Parse] checks the form: fields, lengths, ranges. It allocates at most a small multiple of the
// line's length. [Record.Replay] checks the game: every move changes the board, every listed tile
// spawns on an empty cell, and the final board and score match the record.
//
// # Limits
//
// A record has no undone moves. Replay does not stop at 2048. The replayed game can be undone to
// its start, which costs about 4 bytes per move. Integers above 2^53 (seeds) are exact here but not
// in JavaScript.
package record
