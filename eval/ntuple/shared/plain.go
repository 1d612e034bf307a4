//go:build !race

package shared

// Load reads a weight.
func Load(p *float32) float32 { return *p }

// Store writes a weight.
func Store(p *float32, v float32) { *p = v }

// LoadPair reads the two sums of a weight, packed into one word.
func LoadPair(p *uint64) uint64 { return *p }

// StorePair writes the two sums of a weight, packed into one word.
func StorePair(p *uint64, v uint64) { *p = v }
