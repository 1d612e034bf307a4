package train

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// trainIn trains a 2x4 network with the given amounts of free memory and disk space.
func trainIn(memory, disk int64, args ...string) (errOut string, err error) {
	room.FreeMemory = func() (int64, bool) { return memory, memory >= 0 }
	room.FreeDisk = func(string) (int64, bool) { return disk, disk >= 0 }
	defer func() { room = runs.Folder{} }()
	cmd := New()
	var text bytes.Buffer
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(append([]string{"--games", "3", "-j", "1"}, args...))
	cmd.SetOut(io.Discard)
	cmd.SetErr(&text)
	err = cmd.Execute()
	return text.String(), err
}

// A run begins if its network fits in memory and two checkpoints on the disk; resuming needs
// space for one more checkpoint. Otherwise the run is refused before any file is created.
func TestTrainRoom(t *testing.T) {
	data := t.TempDir()
	t.Setenv("XDG_DATA_HOME", filepath.Join(data, "not", "yet"))
	l := must.Get(ntuple.Named(bitboard.Size, "2x4"))(t)
	memory, disk := learn.RequiredMemory(&l, true), learn.RequiredDisk(&l, true)
	refused := func(want string, memory, disk int64, args ...string) {
		t.Helper()
		_, err := trainIn(memory, disk, args...)
		if usage := (usage.Error{}); !errors.As(err, &usage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	begin := []string{"2x4", "--name", "run"}
	refused("1.5 MiB of memory is needed, 1.5 MiB is free; use a smaller network, fewer stages or --coherent=false", memory-1, 2*disk, begin...)
	refused("7.0 MiB of disk is needed, 7.0 MiB is free in "+data+"; set XDG_DATA_HOME to a folder with more space", memory, 2*disk-1, begin...)
	refused("of disk is needed, 0.0 MiB is free", memory, 0, begin...)
	if entries, err := os.ReadDir(data); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}

	if errOut, err := trainIn(memory, 2*disk, begin...); err != nil || !strings.HasPrefix(errOut, "131072 weights: up to 1.5 MiB of memory and 7.0 MiB of disk\n") {
		t.Errorf("%v, %s", err, errOut)
	}
	on := []string{"--resume", "run", "--games", "6"}
	refused("3.5 MiB of disk is needed", memory, disk-1, on...)
	if _, err := trainIn(memory, disk, on...); err != nil {
		t.Error(err)
	}
	// Without temporal coherence a third of the memory is enough. If free memory or space is unknown, nothing is
	// refused.
	if _, err := trainIn(memory/3, disk, "--resume", "run", "--games", "8", "--coherent=false"); err != nil {
		t.Error(err)
	}
	if _, err := trainIn(-1, -1, "2x4"); err != nil {
		t.Error(err)
	}
}
