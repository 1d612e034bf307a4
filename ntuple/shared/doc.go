// Package shared is the one place where goroutines read and write the same words
// without locks, on purpose: lock-free training, in which an update may now and
// then overwrite another one. A word is never torn, on any machine that Go runs on,
// because these words are 32 and 64 bits and aligned; an update that is lost is
// one of millions.
//
// Under the race detector (build tag race) the same functions are atomic, so that
// it stays silent about these words and still sees every other race.
package shared
