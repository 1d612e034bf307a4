//go:build !js

// Package yield lets other goroutines and events run during long computations in a browser.
//
// In a browser, a Go program has one thread, and goroutines are not preempted: during a search no
// timer fires and no message arrives, so no time limit and no cancellation would end it. Long
// computations therefore call [Point] where they check their limits. On other systems, Point does
// nothing.
package yield

// Point does nothing on this system. In a browser it lets other goroutines and events run, at most
// every few milliseconds.
func Point() {}
