//go:build !race

package search

// Threads read and write entries without locks, on purpose; see table4. The race
// detector gets the same in atomic words.

func (e *entry4) load() (mixed, value uint64) { return e.mixed, e.value }

func (e *entry4) store(mixed, value uint64) { e.mixed, e.value = mixed, value }
