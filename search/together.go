package search

import "sync"

// runParallel runs help for each helper in a goroutine of its own and own in the caller's, and waits
// for all. A panic of a helper is raised again in the caller's goroutine, where it can be
// recovered.
func runParallel[H any](helpers []H, help func(H), own func()) {
	var all sync.WaitGroup
	var mu sync.Mutex
	var panicked any
	for _, h := range helpers {
		all.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					mu.Lock()
					defer mu.Unlock()
					panicked = p
				}
			}()
			help(h)
		})
	}
	func() {
		defer all.Wait() // also when own panics, since helpers use the caller's data
		own()
	}()
	if panicked != nil {
		panic(panicked)
	}
}
