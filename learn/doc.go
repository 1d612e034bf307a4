// Package learn trains pattern networks by playing: no human games, no search.
//
//	network, _ := ntuple.New(layout)
//	trainer, _ := learn.New(learn.Options{Network: network, Coherent: true, Games: 100_000, Threads: 2})
//	err := trainer.Run(ctx)
//	err = ntuple.Save("4x6.model", network, ntuple.Info{})
//
// # How it learns
//
// A thread plays the move of the largest reward + value. Then the value of an
// afterstate is moved a step towards its return, that is towards what came after it.
// The step is the learning rate times the error, shared by all weights that made the
// value. In TD(0) the return is the next move's reward + value, and nothing after the
// last move. With Options.Lambda later moves count too, up to Options.Horizon of them:
// TD(lambda), truncated, or n-step returns with lambda 1. With Options.Coherent each
// weight's share of the step shrinks as its errors begin to disagree (temporal
// coherence), which learns several times faster and needs no schedule.
//
// Network.Bias makes a start optimistic: every position promises that many points, so
// that what was not tried is tried. It is slow for long and better in the end.
//
// Options.RestartShare starts games from stored late boards, so that the late game is
// played more often than it comes by itself. Boards are stored along all of it: by the
// sum of the tiles, from one multiple of half the restart tile to the next, and each
// such stretch has the same share of the starts, however few games reach it.
//
// [Resume] may change most of these choices, so that a schedule is a training in
// parts, such as 90 % optimistic TD(0), then 10 % coherent. The history of a model has
// each part with its games.
//
// # Warm starts
//
// A trained network keeps no sums of coherence. Were they to begin at zero, all weights would
// move at the full rate until their errors disagree, and the network would lose what it knows.
// With Options.Settled N each weight that is not zero begins with the sums of N errors of random
// signs: N times the mean size of the network's errors, which New measures in games of its own,
// and sqrt(N) times it. So it moves at 1/sqrt(N) of the rate, more as its errors agree. Weights
// that are zero were never learned and move at the full rate. Options.Anneal lets the rate fall to
// zero over the last games, which averages out what the last games happened to teach.
//
// # What returns of several moves are worth
//
// Mean scores of games of a 4x6 network, coherent, one thread, seed 1, each over the
// 5000 games before (standard error about 0.7 %):
//
//	games      lambda 0   0.5, 3 moves   0.5, 5 moves   0.8, 5 moves
//	 5,000       23,700         28,300         28,900         28,500
//	10,000       39,200         48,400         49,500         51,100
//	15,000       48,900         59,900         61,400         62,000
//	20,000       56,600         70,500         72,600
//	25,000       63,500         79,300         82,300
//	45,000                                    106,500
//
// A move takes 3 to 10 % longer, so that it pays by the second as well. Plain TD at
// 0.1 gains too: the tenth thousand games have a mean of 27,000 with 0.5 and 5 moves,
// and 21,800 without. The zero value of Options is TD(0) all the same, as the field
// means by TD; the command train takes 0.5.
//
// [Play] plays by the same rule with the same hot loop and learns nothing: for
// measuring what a network is worth.
//
// Options.Downgrade lets a network never see the largest tiles: from a tile of so much
// on, a board is learned and played as the board of smaller tiles that
// [ntuple.Network.View] makes of it. Without it the boards of the late game are new ones,
// each combination of large tiles reads as zero until it was met often, and what two
// 32768 or even two 16384 are worth when merged is learned by nobody. With it they are
// boards that were met a thousand times. Values are those of the smaller boards, so they
// count less than what is really to come, and all of a choice's alike.
//
// # Games
//
// The hot loop plays on package bitboard and with its own slides for smaller boards.
// Game i of seed s is the game of package game with NewRandom(s, i): tests follow
// whole training games there, board by board. Only two 32768 do not merge here.
//
// # Several threads
//
// Threads write the same weights without locks; package ntuple/shared is where. Each
// game is played by one thread, and the weights after it depend on the others, so that
// only one thread gives the same weights each time.
//
// There is a trap. Threads that begin together play the same openings. If each takes
// its error against a value that it read a move ago, all of them correct the same
// error, the sum oversteps, signs alternate, and temporal coherence takes that for
// noise and stops learning for good. So here the value is read again in the moment
// before the step: what another thread has corrected meanwhile is no error any more.
// Both sums of a weight are one word, read and written at once, and their ratio is
// held at 1 at most. Four threads from the first game on then learn as much per game
// as one (TestThreads, in turns). Options.WarmupGames, a head start for the first thread, guards what
// is left.
//
// # Checkpoints
//
// A checkpoint is a model file with what a trainer needs besides. It is written
// between games, aside and then renamed. [Resume] goes on from it: with one thread bit
// for bit as if nothing had happened, with several without losing an update. Returns
// need no place in it, since they end with their game.
//
// # Speed
//
// Waiting for memory is what takes time; see package ntuple. One thread trains a 4x6
// network about 1.15 times as fast as TDL2048+ does on the same machine, plain or
// coherent.
//
// Measured and not kept: two to eight games in turn in one thread, so that the weights
// of one are on their way while another is played. It is no faster: how many reads can
// be under way is the limit, not what is done meanwhile.
//
// # Sources
//
// M. Szubert, W. Jaśkowski, Temporal difference learning of n-tuple networks for the game 2048
// (CIG 2014): TD afterstate learning. D. Beal, M. Smith, Temporal coherence and prediction decay
// in TD learning (IJCAI 1999), and W. Jaśkowski, Mastering 2048 with delayed temporal coherence
// learning, multistage weight promotion, redundant encoding and carousel shaping (IEEE Trans.
// Games 10, 2018): temporal coherence, delayed updates, and restarts (carousel shaping). H. Guei,
// L.-P. Chen, I-C. Wu, Optimistic temporal difference learning for 2048 (IEEE Trans. Games,
// arXiv:2111.11090, 2021): optimistic initialization, and TC after it.
package learn
