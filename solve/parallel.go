package solve

import (
	"sync"
	"sync/atomic"
)

// batch is the number of items that a worker takes at a time.
const batch = 256

// parallel calls work for all batches of n items, on several goroutines, as long as more returns
// true before a batch. It begins with item from and returns the first item that is left.
func parallel(workers, from, n int, more func() bool, work func(from, to int)) int {
	var next atomic.Int64
	next.Store(int64(from))
	run := func() {
		for more() {
			at := int(next.Add(batch)) - batch
			if at >= n {
				return
			}
			work(at, min(at+batch, n))
		}
	}
	workers = min(workers, (n-from+batch-1)/batch)
	var wg sync.WaitGroup
	for range workers - 1 {
		wg.Go(run)
	}
	run()
	wg.Wait()
	return min(int(next.Load()), n)
}

func always() bool { return true }
