// Package learn trains pattern networks by playing: no human games, no search.
//
//	network, _ := ntuple.New(layout)
//	trainer, _ := learn.New(learn.Options{Network: network, Coherent: true, Games: 100_000, Threads: 2})
//	err := trainer.Run(ctx)
//	err = ntuple.Save("4x6.model", network, ntuple.Info{})
//
// # How it learns
//
// A thread plays the move of the largest reward + value. Then the value of the
// afterstate before it is moved a step towards that reward + value, since that is what
// was to come; after the last move, towards nothing. The step is the learning rate
// times the error, shared by all weights that made the value. That is TD(0); with
// Options.Coherent each weight's share shrinks as its errors begin to disagree
// (temporal coherence), which learns several times faster and needs no schedule.
//
// Network.Bias makes a start optimistic: every position promises that many points, so
// that what was not tried is tried. It is slow for long and better in the end.
// Options.Restart replays the late game more often than it comes by itself, for the
// later stages of a network.
//
// [Play] plays by the same rule with the same hot loop and learns nothing: for
// measuring what a network is worth.
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
// as one (TestThreads). Options.Alone, a head start for the first thread, guards what
// is left.
//
// # Checkpoints
//
// A checkpoint is a model file with what a trainer needs besides. It is written
// between games, aside and then renamed. [Resume] goes on from it: with one thread bit
// for bit as if nothing had happened, with several without losing an update.
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
package learn
