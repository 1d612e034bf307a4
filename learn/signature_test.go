package learn

import (
	"context"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

// A fixed training run ends with the same weights on every machine: nothing is fused
// or reordered anywhere.
func TestSignature(t *testing.T) {
	for coherent, want := range map[bool]uint32{false: 0xf936edf9, true: 0x3b47eef6} {
		n := network(t, size4, "5x4")
		must.Do(t, trainer(t, Options{Network: n, Coherent: coherent, Games: 100, Seed: 1}).Run(context.Background()))
		must.Equal(t, n.Checksum(), want, "coherent", coherent, "checksum")
	}
}
