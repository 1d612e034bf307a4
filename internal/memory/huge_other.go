//go:build !linux

package memory

// AdviseHuge does nothing: only Linux is asked for huge pages.
func AdviseHuge([]byte) {}
