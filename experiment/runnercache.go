package experiment

import (
	"maps"
	"time"
)

// cacheEntry is an answer. It is valid until an experiment begins or ends here, and for nine times as long as
// reading it took, so that clients who ask all the time let the store be read a tenth of the time.
type cacheEntry struct {
	value   any
	changes int64
	until   time.Time
}

// freshness is the least time that an answer is valid.
const freshness = time.Second

// cached returns the answer in the runner's cache, or else reads it.
func cached[T any](r *Runner, asked string, read func() (T, error)) (x T, err error) {
	r.reading.Lock()
	defer r.reading.Unlock()
	begun, changes := time.Now(), r.changes.Load()
	if known, ok := r.cache[asked]; ok && known.changes == changes && begun.Before(known.until) {
		return known.value.(T), nil
	}
	if x, err = read(); err != nil {
		return x, err
	}
	now := time.Now()
	maps.DeleteFunc(r.cache, func(_ string, e cacheEntry) bool { return now.After(e.until) })
	r.cache[asked] = cacheEntry{x, changes, now.Add(max(freshness, 9*now.Sub(begun)))}
	return x, nil
}
