package learn

import (
	"context"
	"testing"
)

// A fixed training run ends with the same weights on every machine: nothing is fused
// or reordered anywhere.
func TestSignature(t *testing.T) {
	for coherent, want := range map[bool]uint32{false: 0xf936edf9, true: 0x3b47eef6} {
		n := network(t, size4, "5x4")
		if err := trainer(t, Options{Network: n, Coherent: coherent, Games: 100, Seed: 1}).Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		if got := n.Checksum(); got != want {
			t.Errorf("coherent %v: checksum %#x, want %#x", coherent, got, want)
		}
	}
}
