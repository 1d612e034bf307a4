//go:build !race

package shared

// Load reads a weight.
func Load(p *float32) float32 { return *p }

// Store writes a weight.
func Store(p *float32, v float32) { *p = v }

// LoadPair reads two sums that belong together.
func LoadPair(p *uint64) uint64 { return *p }

// StorePair writes two sums that belong together.
func StorePair(p *uint64, v uint64) { *p = v }
