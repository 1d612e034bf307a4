// Package learn trains n-tuple networks by temporal difference learning in self-play. It needs no
// recorded games and no search.
//
//	network, _ := ntuple.New(layout)
//	trainer, _ := learn.New(learn.Options{Network: network, Coherent: true, Games: 100_000, Threads: 2})
//	err := trainer.Run(ctx)
//	err = ntuple.Save("4x6.model", network, ntuple.Info{})
//
// [Play] plays with the same policy and the same hot loop without learning, to measure a network.
//
// # Update rule
//
// This is TD afterstate learning (Szubert & Jaśkowski 2014). Each thread plays greedily: it chooses
// the move with the largest reward + value of the afterstate. It then updates the value V of each
// afterstate once towards its return: V += rate * (return - V), where each weight that contributes
// to V takes an equal share of the step. In TD(0) the return is the next move's reward plus the
// value of the next afterstate, and 0 after the last move. With Options.Lambda > 0 the return is the
// truncated lambda return of up to Options.Horizon moves; with Lambda 1, this is the n-step return.
//
// Options.Coherent selects temporal coherence (TC) learning (Beal & Smith 1999; Jaśkowski 2018):
// each weight's step is scaled by |sum of its errors| / sum of their absolute values. The rate of a
// weight falls as its errors begin to disagree in sign. TC needs no schedule, and in tests with this
// package it learned several times faster than a constant rate.
//
// Network.Bias sets optimistic initialization (Guei et al. 2021): every position starts with a
// value of that many points, so untried moves look better than tried ones. Training progresses
// slowly for a long time, but the final networks are better.
//
// A network may have stages (multi-stage TD, Wu et al. 2014, Yeh et al. 2017): a set of weights for
// each part of the game. An update changes the weights of the afterstate's stage only. A weight
// that is still zero in its stage starts from the weight of the previous stage (weight promotion,
// Jaśkowski 2018).
//
// # Slips
//
// With Options.Slips the player makes mistakes like a person, who often confuses moves of nearly
// equal value and seldom takes a bad move for a good one. The probability of a move with
// reward + value v is proportional to exp(v / (slips * best)), where best is the largest
// reward + value of the legal moves, at least 1. This is the logit model of discrete choice
// (McFadden 1974), which game theory calls quantal response. Values are learned from the moves that
// were made, so they predict the score of a player that slips. Each choice uses one random number.
// [Rollouts] slips in the same way, with random numbers from Rollout.Slip.
//
// # Settled weights
//
// Late in TC learning most updates change weights that already had a hundred thousand updates, and threads
// wait for memory that other threads have written. So with Options.Threads of 2 or more, a weight whose
// absolute errors sum to more than 65,536 times the mean absolute error of the training is settled: it learns
// only from every eighth afterstate of a game. Networks with the layouts 4x6 and 8x6 learn as much per game
// as without settling. The limit does not depend on the error of the update: otherwise large errors would
// count more often than small ones and bias the values.
//
// # Restarts
//
// Options.RestartShare is the share of games that start from a stored board of an earlier game, so
// that late positions are trained more often than games reach them. This is a variant of carousel shaping
// (Jaśkowski 2018). Boards with a tile of RestartTile or more are divided into milestones by the sum of
// their tiles, each as wide as half the restart tile. A restart draws a milestone uniformly among those
// that have enough boards, then one of its boards uniformly, so all milestones are trained equally often.
//
// # Tile downgrading
//
// Options.Downgrade enables tile downgrading (Guei et al. 2021): the network evaluates and learns a board
// with that tile or a larger one as the board with smaller tiles that [ntuple.Network.DowngradeBoard]
// returns. Without it each new combination of large tiles reads weights that are still zero, and merges
// of the largest tiles are too rare to be learned. The network then returns the value of the smaller
// board, which underestimates the future score by the same amount for all legal moves of a position.
//
// # Schedules
//
// [Resume] can change most options, so a training run may consist of parts with different options,
// such as 90 % optimistic TD(0) and then 10 % TC. The model's history lists the options and games
// of each part. Options.Anneal lowers the rate linearly to zero over the last games, which averages
// out the noise of the last updates.
//
// # Warm starts
//
// A model file of a trained network has no TC sums. With sums of zero every weight would move at
// the full rate until its errors disagree, and the network would forget. With Options.Settled = N,
// each non-zero weight starts with the sums that N errors of random sign would leave: a sum of
// absolute errors of N*e and a signed sum of sqrt(N)*e. Here e is the mean absolute error of the
// network, which New measures in games outside the training. The rate of such a weight is 1/sqrt(N)
// of the full rate, and rises if its errors agree. Weights of zero have not been learned and move
// at the full rate.
//
// # Effect of lambda
//
// Mean scores of a 4x6 network, TC, one thread, seed 1, each over the preceding 5000 games
// (standard error about 0.7 %):
//
//	games      lambda 0   0.5, 3 moves   0.5, 5 moves   0.8, 5 moves
//	 5,000       23,700         28,300         28,900         28,500
//	10,000       39,200         48,400         49,500         51,100
//	15,000       48,900         59,900         61,400         62,000
//	20,000       56,600         70,500         72,600
//	25,000       63,500         79,300         82,300
//	45,000                                    106,500
//
// A move takes 3 to 10 % longer with lambda 0.5 or 0.8. Plain TD at rate 0.1 gains too: games 9001
// to 10,000 have a mean score of 27,000 with lambda 0.5 and 5 moves, and of 21,800 with lambda 0.
// The zero value of Options selects TD(0); the command "train" uses lambda 0.5 by default.
//
// # Games
//
// The hot loop plays on package bitboard. For boards smaller than 4x4, this package implements the
// slides itself; for other boards of at most 16 cells, such as 3x5, it uses bitboard.Lines. Game i
// of seed s has the same spawns as package game with NewRandom(s, i). The rules differ from package
// game in one point: two 32768 tiles do not merge.
//
// Larger boards, such as 5x5, are played on package board, where 32768 tiles do merge; a move costs
// two to four times as much. On boards of all these sizes, Play plays the same games as the plain
// reference implementation (TestPlay).
//
// # Threads
//
// Threads write the same weights without locks; see ntuple.LoadWeight. Each game is played by
// one thread. Training is deterministic only with one thread.
//
// Threads that start together play similar openings. If each computed its error from a value that
// it read one move earlier, all of them would correct the same error: the sum of the corrections
// overshoots, the signs of the errors alternate, and TC takes this for noise and lowers the rates
// permanently. So the value is read again immediately before the step. A weight's two sums are
// stored in one word, which is read and written atomically, and their ratio is limited to 1. With
// this, four threads learn as much per game as one (TestThreads). Options.WarmupGames, played by
// the first thread alone, is a further safeguard.
//
// # Devices
//
// Options.Device plays the games elsewhere, such as on a graphics processor (package device), in rounds that end when a
// checkpoint is due. A round ends when all its games have ended; then the trainer reads the weights back. Thousands of
// games at once have no settled weights: additions are atomic, so no game waits for another.
//
// # Checkpoints
//
// A checkpoint is a model file with the trainer's state. It is written between games, to a
// temporary file that is then renamed. [Resume] continues from it: with one thread, training is
// bit for bit the same as without the interruption; with several threads no update is lost. Pending
// returns need not be stored, since every game completes its returns when it ends.
//
// # Speed
//
// Training is bound by memory latency; see package ntuple. One thread trained a 4x6 network about
// 1.15 times as fast as TDL2048+ on the same machine, with plain TD and with TC. Interleaving two
// to eight games in one thread, so that the weights of one game are fetched while another is
// played, was not faster: the number of outstanding reads is the limit.
//
// # Sources
//
// M. Szubert, W. Jaśkowski, Temporal difference learning of n-tuple networks for the game 2048
// (CIG 2014): TD afterstate learning. D. Beal, M. Smith, Temporal coherence and prediction decay
// in TD learning (IJCAI 1999), and W. Jaśkowski, Mastering 2048 with delayed temporal coherence
// learning, multistage weight promotion, redundant encoding and carousel shaping (IEEE Trans.
// Games 10, 2018): temporal coherence, delayed updates, weight promotion, and carousel shaping.
// I-C. Wu, K.-H. Yeh et al., Multi-stage temporal difference learning for 2048 (TAAI 2014), and
// K.-H. Yeh et al., Multistage temporal difference learning for 2048-like games (IEEE Trans.
// Comput. Intell. AI Games 9, 2017): stages. H. Guei, L.-P. Chen, I-C. Wu, Optimistic temporal
// difference learning for 2048 (IEEE Trans. Games, arXiv:2111.11090, 2021): optimistic
// initialization, TC after it, and tile downgrading. D. McFadden, Conditional logit analysis of
// qualitative choice behavior (Frontiers in Econometrics, 1974): slips.
package learn
