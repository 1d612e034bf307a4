//go:build race

package ntuple

import (
	"math"
	"sync/atomic"
	"unsafe"
)

func weightBits(p *float32) *uint32 { return (*uint32)(unsafe.Pointer(p)) }

// LoadWeight reads a weight.
func LoadWeight(p *float32) float32 { return math.Float32frombits(atomic.LoadUint32(weightBits(p))) }

// StoreWeight writes a weight.
func StoreWeight(p *float32, v float32) { atomic.StoreUint32(weightBits(p), math.Float32bits(v)) }

// LoadPair reads the two sums that a trainer keeps for a weight, packed into one word.
func LoadPair(p *uint64) uint64 { return atomic.LoadUint64(p) }

// StorePair writes the two sums that a trainer keeps for a weight, packed into one word.
func StorePair(p *uint64, v uint64) { atomic.StoreUint64(p, v) }
