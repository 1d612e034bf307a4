//go:build !linux

package memory

// AdviseHuge does nothing: huge pages are requested on Linux only.
func AdviseHuge([]byte) {}
