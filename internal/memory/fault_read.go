//go:build !darwin && !linux

package memory

// PanicOnFaults does nothing: on this system MapFile reads files instead of mapping them.
func PanicOnFaults() {}

// CatchFaults does nothing.
func CatchFaults(*error) func() { return func() {} }

// Fault returns nil.
func Fault(any) error { return nil }
