package frozen_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// trainings are short runs that together use every option that changes the weights. FIRST is the
// model of the first one.
var trainings = []string{
	"2x4",
	"2x4 --seed 5", "2x4 --from FIRST", "2x4 --from FIRST --settled 0 --rate 0.2", "2x4 --from FIRST --only-known --settled 100",
	"2x4 --coherent=false",
	"2x4 --coherent=false --rate 0.05 --warmup-games 0",
	"2x4 --lambda 0",
	"2x4 --lambda 1 --horizon 3",
	"2x4 --anneal 100",
	"2x4 --optimistic-init 50000",
	"2x4 --downgrade 256",
	"2x4 --stages 256",
	"2x4 --restart-share 0.5 --restart-tile 256",
	"3x4 --size 3x3",
	"--size 3x5",
	"--size 2x3",
	"\"012345 456789\" --rate 0.5",
	"endings 2x4 --walls 5 --join-every 100",
	"endings 2x4 --walls 6 --restart-share 0.5 --lambda 0.9",
}

// The weights of short training runs of one thread stay the same, bit for bit.
func TestTrainings(t *testing.T) {
	soak.Full(t, "package learn tests the options")
	var lines []string
	first := ""
	for _, args := range trainings {
		file := filepath.Join(t.TempDir(), "a.model")
		if first == "" {
			first = file
		}
		data := t.TempDir()
		t.Setenv("XDG_DATA_HOME", data)
		if status, _, errOut := clitest.Run(t.Context(), nil, append(append([]string{"train"}, fields(strings.ReplaceAll(args, "FIRST", first))...), "--games", "300", "--threads", "1", "--out", file)...); status != 0 {
			t.Fatalf("%s: %s", args, errOut)
		}
		status, info, errOut := clitest.Run(t.Context(), nil, "model", "info", file)
		_, checksum, ok := strings.Cut(info, "checksum")
		if status != 0 || !ok {
			t.Fatalf("%s: %s%s", args, info, errOut)
		}
		lines = append(lines, args+": "+strings.TrimSpace(checksum))
		must.Do(t, os.RemoveAll(data)) // all together have half a gigabyte
	}
	clitest.Golden(t, "trainings.txt", lines)
}

// fields splits at spaces outside of quotes.
func fields(s string) []string {
	var all []string
	for i, part := range strings.Split(s, `"`) {
		if i%2 == 1 {
			all = append(all, part)
		} else {
			all = append(all, strings.Fields(part)...)
		}
	}
	return all
}
