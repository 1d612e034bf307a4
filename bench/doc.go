// Package bench measures how fast Afterstate is on one thread, and proves that
// it is still the same program.
//
//	perSecond, err := bench.MeasureTraining(ctx, true, 5*time.Second)
//
// Speeds are measured where users feel them. Searches are asked about positions of
// whole games, in an order that is the same every time and well mixed, so that any
// measuring time sees all phases of a game. Training begins with an empty 4x6 network
// and its first 500 games are not counted: in them memory is touched for the first
// time. Playing is 1-ply, by a 4x6 network that was trained for 4000 games before the
// clock starts: its games have some 900 moves and read the tables where real play
// does. How long that takes depends on memory more than on the processor, and what
// else runs on the machine shows. Coherent training takes 768 MiB, plain training and
// playing 256 MiB.
//
// The [Signature] is a checksum over the node counts and values of fixed searches and
// over the weights that fixed training runs end with: whoever changes what a search
// finds or training learns changes it, and has to say so; whoever makes one faster
// must not.
package bench
