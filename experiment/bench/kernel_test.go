package bench

import (
	"context"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

// The assembly kernel and the reference in Go learn equally, and plain and coherent training
// differ.
func TestTrainingKernel(t *testing.T) {
	ctx := context.Background()
	var checks []uint32
	for _, coherent := range []bool{false, true} {
		quick := must.Get(fixedTraining(ctx, coherent, true))(t)
		plain, err := fixedTraining(ctx, coherent, false)
		if err != nil || plain != quick {
			t.Errorf("coherent %v: checksum %08x without machine code, %v; want %08x", coherent, plain, err, quick)
		}
		checks = append(checks, quick)
	}
	if checks[0] == checks[1] {
		t.Errorf("both kinds of training end with the checksum %08x", checks[0])
	}
}
