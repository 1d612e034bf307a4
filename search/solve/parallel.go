package solve

import (
	"sync/atomic"

	"github.com/afterstate2048/afterstate/internal/workers"
)

// batch is the number of items that a worker takes at a time.
const batch = 256

// parallel calls work for all batches of n items, on several goroutines, as long as more returns
// true before a batch. It begins with item from and returns the first item that is left.
func parallel(threads, from, n int, more func() bool, work func(from, to int)) int {
	var next atomic.Int64
	next.Store(int64(from))
	workers.Run(min(threads, (n-from+batch-1)/batch), func(int) {
		for more() {
			at := int(next.Add(batch)) - batch
			if at >= n {
				return
			}
			work(at, min(at+batch, n))
		}
	})
	return min(int(next.Load()), n)
}

func always() bool { return true }
