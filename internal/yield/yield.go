//go:build !js

// Package yield lets other work run during long computations where that does not happen by itself.
//
// In a browser, a Go program has one thread, and goroutines are not preempted: during a search no
// timer fires and no message arrives, so no time limit and no cancellation would end it. Long
// computations therefore call [Point] where they check their limits. Elsewhere it does nothing.
package yield

// Point returns at once, or in a browser after other goroutines and events, at most every few milliseconds.
func Point() {}
