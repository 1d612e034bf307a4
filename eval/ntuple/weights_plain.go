//go:build !race

package ntuple

// These functions are the one place where goroutines read and write the same words without locks, on
// purpose: lock-free (Hogwild) training, where an update may overwrite a concurrent one. Words of 32 and
// 64 bits are aligned and never torn on any machine that Go supports; lost updates are rare among millions.
//
// Under the race detector (build tag race) the same functions are atomic, so that it reports all races
// except these.

// LoadWeight reads a weight.
func LoadWeight(p *float32) float32 { return *p }

// StoreWeight writes a weight.
func StoreWeight(p *float32, v float32) { *p = v }

// LoadPair reads the two sums that a trainer keeps for a weight, packed into one word.
func LoadPair(p *uint64) uint64 { return *p }

// StorePair writes the two sums that a trainer keeps for a weight, packed into one word.
func StorePair(p *uint64, v uint64) { *p = v }
