// Package shared is the one place where goroutines read and write the same words without locks, on
// purpose: lock-free (Hogwild) training, where an update may overwrite a concurrent one. Words of
// 32 and 64 bits are aligned and never torn on any machine that Go supports; lost updates are rare
// among millions.
//
// Under the race detector (build tag race) the same functions are atomic, so that it reports every
// other race and not these.
package shared
