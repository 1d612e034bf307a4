//go:build race

package shared

import (
	"math"
	"sync/atomic"
	"unsafe"
)

func bits(p *float32) *uint32 { return (*uint32)(unsafe.Pointer(p)) }

// Load reads a weight.
func Load(p *float32) float32 { return math.Float32frombits(atomic.LoadUint32(bits(p))) }

// Store writes a weight.
func Store(p *float32, v float32) { atomic.StoreUint32(bits(p), math.Float32bits(v)) }

// LoadPair reads the two sums of a weight, packed into one word.
func LoadPair(p *uint64) uint64 { return atomic.LoadUint64(p) }

// StorePair writes the two sums of a weight, packed into one word.
func StorePair(p *uint64, v uint64) { atomic.StoreUint64(p, v) }
