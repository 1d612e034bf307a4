//go:build !race

package search

// Entries are read and written without locks on purpose; see table4. Under the race detector the
// same words are accessed atomically.

func (e *entry4) load() (mixed, value uint64) { return e.mixed, e.value }

func (e *entry4) store(mixed, value uint64) { e.mixed, e.value = mixed, value }
