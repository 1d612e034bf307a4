package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"afterstate/internal/memory"
	"afterstate/learn"
)

// room is what there is room for: bytes of memory, and of a folder's disk; ok is false
// where nobody knows.
type room struct {
	memory func() (free int64, ok bool)
	disk   func(folder string) (free int64, ok bool)
}

// check says how much memory and disk a run will take, and refuses what cannot fit.
func (r *room) check(out io.Writer, o *runOptions, runs string, begun bool) error {
	memory, disk := learn.Memory(&o.Network, o.Coherent), learn.Disk(&o.Network, o.Coherent)
	if !begun {
		disk *= 2 // a new checkpoint is written beside the last one
	}
	folder := runs
	for {
		if _, err := os.Stat(folder); err == nil || folder == filepath.Dir(folder) {
			break
		}
		folder = filepath.Dir(folder)
	}
	if free, ok := r.memory(); ok && memory > free {
		return usagef("%s of memory are needed, %s are free; want a smaller network, fewer stages or --coherent=false", byteWords(memory), byteWords(free))
	}
	if free, ok := r.disk(folder); ok && disk > free {
		return usagef("%s of disk are needed, %s are free in %s; set XDG_DATA_HOME to a folder with more", byteWords(disk), byteWords(free), folder)
	}
	var stages string
	if n := o.Network.StageCount(); n > 1 {
		stages = fmt.Sprintf(" in %d stages", n)
	}
	_, err := fmt.Fprintf(out, "%d weights%s: up to %s of memory and %s of disk\n", o.Network.Weights(), stages, byteWords(memory), byteWords(disk))
	return err
}

// byteWords are bytes in MiB or GiB.
var byteWords = memory.Words
