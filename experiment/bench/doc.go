// Package bench measures the speed of Afterstate on one thread, and verifies that its results are
// unchanged.
//
//	perSecond, err := bench.MeasureTraining(ctx, true, 5*time.Second)
//
// # Speeds
//
// Searches run on positions from complete games, in a fixed shuffled order, so that a measurement of any
// length covers all phases of a game. Training starts with an empty 4x6 network; its first 500 games are not
// counted, since they touch memory for the first time. Playing is 1-ply, with a 4x6 network that is trained
// for 4000 games before the clock starts: its games have about 900 moves and access the tables as real play
// does. The speed of training and playing depends on memory more than on the processor, so other load on the
// machine affects it. TC training takes 768 MiB, plain TD training and playing take 256 MiB.
//
// # Signature
//
// The [Signature] is a checksum over the node counts and values of fixed searches and over the weights after
// fixed training runs. It changes whenever a search or training gives another result. Such a change must be
// intended; an optimization must not change the signature.
package bench
