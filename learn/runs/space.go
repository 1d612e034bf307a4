package runs

import (
	"github.com/afterstate2048/afterstate/internal/disk"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/learn"
)

// Requirements is how many bytes a training takes at most.
type Requirements struct{ Memory, Disk int64 }

// need is what a run takes. While a checkpoint is written the previous one still exists, so a new
// run needs disk for two, and a resumed one for one more.
func (o *Options) need(begun bool) Requirements {
	n := Requirements{learn.RequiredMemory(&o.Layout, o.Coherent), learn.RequiredDisk(&o.Layout, o.Coherent)}
	if !begun {
		n.Disk *= 2
	}
	return n
}

// checkSpace returns an error if the run does not fit. Unknown free space counts as enough.
func (f Folder) checkSpace(o *Options, begun bool) error {
	n := o.need(begun)
	freeMemory, freeDisk := memory.Available, disk.Free
	if f.FreeMemory != nil {
		freeMemory = f.FreeMemory
	}
	if f.FreeDisk != nil {
		freeDisk = f.FreeDisk
	}
	if free, ok := freeMemory(); ok && n.Memory > free {
		return inputError(&SpaceError{Needed: n.Memory, Free: free})
	}
	there := disk.Existing(f.Path) // in which it will be made
	if free, ok := freeDisk(there); ok && n.Disk > free {
		return inputError(&SpaceError{n.Disk, free, there})
	}
	if f.OnRequirements != nil {
		f.OnRequirements(o, n)
	}
	return nil
}
