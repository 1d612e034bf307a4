// Package review judges the moves of recorded games: how much of the expected score each move gave
// away, its class from best to blunder, and the accuracy of a game and its phases.
//
//	g, err := rec.Replay()
//	judge, err := review.New(parse, level, rec.Board.Size(), len(rec.Moves))
//	moves, err := judge.Review(ctx, review.Positions(g), review.Options{})
//	report := review.NewReport(judge, review.Positions(g), rec.Times, moves, 8)
//
// # Loss
//
// The judge values every legal move. The loss of a move is the value of the best move minus its own,
// as a share of what was to be expected: with a judge that estimates points, of the score of the
// finished game, which is the worth of the tiles on the board ([Worth]) plus the value of the best
// move; with a heuristic, of the difference between the values of an empty board and a dead one. So a
// loss of 5 % is as bad early as late, and moves on a board that is about to die, where little more was
// to be expected, lose little. The loss depends on the board only, not on the game before.
//
// # Classes
//
// A best move has no loss. Others are good, inaccuracies, mistakes or blunders by thresholds on the
// loss, see [player.GoodLimit]. A move that ends the game at once where another one does not is a blunder,
// unless its loss is that of a good move. A move without an alternative is forced and not counted.
//
// # Accuracy
//
// The accuracy of a move falls exponentially with its loss, see [Accuracy]. That of a game or a phase is the harmonic mean over
// its moves that are not forced, so the worst moves weigh most.
//
// # Looks
//
// The judge of a strong player on 4x4 boards is the network that comes with the program, in two
// looks. The first one searches every move a little; it leaves a move unclear unless it found it
// best by a clear margin. The second one searches the unclear moves deeper, and plays on where it
// finds a bad move. Node limits depend on the number of moves of the game only, so results do not
// depend on time or threads. Other judges have one look, those of a level too, who play on after
// each move (package levels).
//
// docs/judging.md has the method, docs/lab/review.md how the thresholds were chosen.
package review
