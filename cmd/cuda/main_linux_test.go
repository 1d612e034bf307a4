package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

func TestMain(m *testing.M) { clitest.MainWith(m, map[string]func(){"afterstate-cuda": main}) }

// withDriver lets programs find the driver of testdata in place of NVIDIA's.
func withDriver(t *testing.T) {
	t.Helper()
	soak.Full(t, "it needs a C compiler; TestNoDriver starts the program too")
	folder := t.TempDir()
	const kernels = "../../learn/device/kernels"
	for _, file := range append(must.Get(filepath.Glob(kernels+"/*.[hc]*"))(t), "testdata/driver.c") {
		must.Get(os.ReadFile(file))(t) // so that go test knows that the result depends on the file
	}
	out, err := exec.Command("cc", "-shared", "-fPIC", "-O2", "-fno-strict-aliasing", "-ffp-contract=off", "-I", kernels,
		"testdata/driver.c", "-o", filepath.Join(folder, "libcuda.so.1")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("LD_LIBRARY_PATH", folder)
}

// train runs a command in its own data folder, and returns the path of its run r, its exit status and its messages.
func train(t *testing.T, data string, args ...string) (run string, status int, errOut string) {
	t.Helper()
	t.Setenv("XDG_DATA_HOME", data)
	status, _, errOut = clitest.Run(t.Context(), nil, append([]string{"train"}, args...)...)
	return filepath.Join(data, "afterstate/runs/r"), status, errOut
}

// TestTrain trains by all programs: afterstate starts afterstate-cuda, which calls the driver. With -j 1 the checkpoint
// equals that of a training without a device, also if part of the games are played without one.
func TestTrain(t *testing.T) {
	withDriver(t)
	checkpoint := func(run string) []byte { return must.Get(os.ReadFile(filepath.Join(run, "checkpoint.model")))(t) }
	arguments := strings.Fields("2x4 --name r --restart-share 0.3 --restart-tile 256 --report-every 100 -j 1 --games")
	own, status, errOut := train(t, t.TempDir(), append(arguments, "600")...)
	must.Equal(t, status, 0, errOut)
	data := t.TempDir()
	_, status, errOut = train(t, data, append(arguments, "400", "--device", "cuda")...)
	must.Equal(t, status, 0, errOut)
	must.Contains(t, errOut, "Emulator plays 1 games at once")
	run, status, errOut := train(t, data, "--resume", "r", "--games", "600")
	must.Equal(t, status, 0, errOut)
	if !bytes.Equal(checkpoint(run), checkpoint(own)) {
		t.Error("the checkpoints of processor and device differ")
	}
	_, status, errOut = train(t, data, "--resume", "r", "--games", "2000", "--device", "cuda")
	must.Equal(t, status, 0, errOut)
	must.Contains(t, errOut, "Emulator plays 24 games at once")
	metrics := must.Get(os.ReadFile(filepath.Join(run, "metrics.jsonl")))(t)
	must.Equal(t, strings.Count(string(metrics), "\n"), 20, "intervals")
}

func TestRefused(t *testing.T) {
	withDriver(t)
	for arguments, want := range map[string]string{
		"--size 3x3":          "a device trains networks for 4x4 boards, not 3x3: train without --device",
		"2x4 --horizon 33":    "--horizon 33: must be at most 32 on a device",
		"2x4 --stages 256/14": "", // accepted
	} {
		_, status, errOut := train(t, t.TempDir(), strings.Fields(arguments+" --games 3 --name r --device cuda")...)
		must.Equal(t, status != 0, want != "", errOut)
		must.Contains(t, errOut, want)
	}
	t.Setenv("SMALL_DEVICE", "1")
	_, _, errOut := train(t, t.TempDir(), "2x4", "--device", "cuda")
	must.Contains(t, errOut, "for a training: allocating memory: out of memory (error 2)")
}

func TestNoDriver(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("LD_LIBRARY_PATH", folder)
	// An empty file hides the driver of a machine that has one.
	must.Do(t, os.WriteFile(filepath.Join(folder, "libcuda.so.1"), nil, 0o666))
	_, status, errOut := train(t, t.TempDir(), "2x4", "--device", "cuda")
	must.Equal(t, status, 1, "exit status")
	must.Contains(t, errOut, "--device cuda: no NVIDIA graphics driver: libcuda.so.1 cannot be loaded")
	_, status, errOut = train(t, t.TempDir(), "2x4", "--device", "abacus")
	must.Equal(t, status, 2, "exit status")
	must.Contains(t, errOut, "--device abacus: must be cuda")
	t.Setenv("PATH", t.TempDir())
	_, _, errOut = train(t, t.TempDir(), "2x4", "--device", "cuda")
	must.Contains(t, errOut, "the program afterstate-cuda is neither beside afterstate nor in a folder of PATH")
}
