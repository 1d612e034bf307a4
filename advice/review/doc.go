// Package review judges the moves of recorded games: how much of the expected score each move gave
// away, its class from best to blunder, and the accuracy of the game and of its phases.
//
//	g, err := rec.Replay()
//	judge, err := review.New(parse, level, rec.Board.Size(), len(rec.Moves), game.P4)
//	moves, err := judge.Review(ctx, review.Positions(g), review.Options{})
//	report := review.NewReport(judge, review.Positions(g), rec.Times, moves, 8)
//
// # Loss
//
// The judge values every legal move. The loss of a move is the value of the best move minus its own
// value, divided by the stake. If the judge estimates points, the stake is the expected score of the
// finished game: the worth of the tiles on the board ([game.Worth]) plus the value of the best move. If the
// judge is a heuristic, the stake is the difference between the values of an empty board and a dead one.
// So a loss of 5 % is equally bad early and late, and moves on a board that is about to die lose little,
// because little more was expected. The loss depends only on the board, not on the moves before.
//
// # Classes
//
// A best move has no loss. Other moves are good, inaccuracies, mistakes or blunders by thresholds on the
// loss; see [player.GoodLimit]. A move that ends the game at once, while another one does not, is a
// blunder unless its loss is small enough for a good move. A move without an alternative is forced and
// does not count.
//
// # Accuracy
//
// The accuracy of a move falls exponentially with its loss; see [Accuracy]. The accuracy of a game or a
// phase is the harmonic mean over its moves that are not forced, so the worst moves have the most weight.
//
// # Looks
//
// On 4x4 boards the judge of a strong player is the network that comes with the program. It makes two passes over the
// moves, called looks. The first look searches each move briefly; a move stays unclear unless it is best by a clear
// margin or little is at stake. The second look searches the unclear moves deeper, and checks by playouts the bad moves
// that it finds. Node limits depend only on the number of moves of the game, so results do not depend on time or
// threads. All other judges take one look, including the judges of a level, which measure each move by playouts
// (package levels).
//
// docs/judging.md describes the method, and docs/lab/review.md describes how the thresholds were chosen.
package review
