//go:build unix

package kernels

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// emulator implements Machine with the kernels compiled for the processor. Addresses are pointers.
type emulator struct {
	games  int
	memory map[Address][]uint64
	play   func(setup uintptr, moves int32)
	halve  func(sums uintptr, n uint64, limit float32)
}

// sources returns the names of the kernels' source files, sorted.
func sources(t *testing.T) []string {
	t.Helper()
	files := slices.Concat(must.Get(filepath.Glob("*.h"))(t), must.Get(filepath.Glob("*.cu"))(t))
	slices.Sort(files)
	return files
}

// newEmulator compiles the kernels and returns a machine that plays this number of games at once.
func newEmulator(t *testing.T, games int) *emulator {
	t.Helper()
	soak.Full(t, "it needs a C compiler; no quick test covers the kernels")
	library := filepath.Join(t.TempDir(), "kernel.so")
	for _, file := range sources(t) {
		must.Get(os.ReadFile(file))(t) // so that go test knows that the result depends on the file
	}
	out, err := exec.Command("cc", "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-fno-strict-aliasing", "-ffp-contract=off",
		"-x", "c", "kernel.cu", "-o", library).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	handle := must.Get(purego.Dlopen(library, purego.RTLD_NOW))(t)
	e := &emulator{games: games, memory: map[Address][]uint64{}}
	purego.RegisterLibFunc(&e.play, handle, "play")
	purego.RegisterLibFunc(&e.halve, handle, "halve")
	return e
}

func (e *emulator) Games() int { return e.games }

func (e *emulator) Allocate(bytes int) (Address, error) {
	words := make([]uint64, bytes/8+1)
	at := Address(uintptr(unsafe.Pointer(&words[0])))
	e.memory[at] = words
	return at, nil
}

func (e *emulator) Free(at Address) { delete(e.memory, at) }

func (e *emulator) Write(to Address, data []byte) error {
	copy(e.at(to, len(data)), data)
	return nil
}

func (e *emulator) Read(from Address, data []byte) error {
	copy(data, e.at(from, len(data)))
	return nil
}

// at returns the bytes at an address, which is anywhere in memory from Allocate.
func (e *emulator) at(at Address, n int) []byte {
	for begin, words := range e.memory {
		if all := memory.Bytes(words); at >= begin && at+Address(n) <= begin+Address(len(all)) {
			return all[at-begin:][:n]
		}
	}
	panic("not in memory")
}

func (e *emulator) Play(setup Address, _, moves int) error {
	e.play(uintptr(setup), int32(moves))
	return nil
}

func (e *emulator) Halve(sums Address, weights int, limit float32) error {
	e.halve(uintptr(sums), uint64(weights), limit)
	return nil
}
