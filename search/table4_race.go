//go:build race

package search

import "sync/atomic"

func (e *entry4) load() (mixed, value uint64) {
	return atomic.LoadUint64(&e.mixed), atomic.LoadUint64(&e.value)
}

func (e *entry4) store(mixed, value uint64) {
	atomic.StoreUint64(&e.mixed, mixed)
	atomic.StoreUint64(&e.value, value)
}
