// Package bench measures how fast Afterstate is on one thread, and proves that
// it is still the same program.
//
// Speeds are measured where users feel them: on positions of whole games, in an
// order that is the same every time and well mixed, so that any measuring time
// sees all phases of a game. The [Signature] is a checksum over the node counts
// and values of fixed searches: whoever changes what a search finds changes it,
// and has to say so; whoever makes one faster must not.
package bench
