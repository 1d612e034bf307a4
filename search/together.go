package search

import "sync"

// together runs a function for each helper beside the caller's own part and waits for all.
// A panic of a helper becomes one of the caller, who may recover it; in the helper's own
// goroutine it would end the program.
func together[H any](helpers []H, help func(H), own func()) {
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
		defer all.Wait() // also when own panics, for helpers use what belongs to the caller
		own()
	}()
	if panicked != nil {
		panic(panicked)
	}
}
