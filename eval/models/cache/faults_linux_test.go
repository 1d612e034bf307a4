package cache

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

func TestMain(m *testing.M) {
	if path := os.Getenv("CACHE_TEST_WRITE"); path != "" {
		last, err := strconv.Atoi(os.Getenv("CACHE_TEST_BYTES"))
		if err != nil {
			panic(err)
		}
		through = func(file io.WriterAt) io.WriterAt { return &failing{file, last, kill} }
		panic(Folder(path).write(key, some(new(testing.B))))
	}
	os.Exit(m.Run())
}

// failing is a file that calls full instead of writing more than a given number of bytes.
type failing struct {
	io.WriterAt
	left int
	full func() error
}

func (d *failing) WriteAt(p []byte, at int64) (int, error) {
	if len(p) < d.left {
		d.left -= len(p)
		return d.WriterAt.WriteAt(p, at)
	}
	n, err := d.WriterAt.WriteAt(p[:d.left], at)
	d.left = 0
	return n, errors.Join(err, d.full())
}

// kill ends the process as kill -9 does.
func kill() error { return unix.Kill(os.Getpid(), unix.SIGKILL) }

// size is the number of bytes that are written for the file of the network some.
func size(t *testing.T) int {
	t.Helper()
	const enough = 1 << 30
	to := &failing{left: enough}
	defer func(before func(io.WriterAt) io.WriterAt) { through = before }(through)
	through = func(file io.WriterAt) io.WriterAt { to.WriterAt = file; return to }
	folder(t)
	return enough - to.left
}

// A process that is killed while it writes, after any number of bytes, leaves no file that would be
// opened. It does not damage existing files, and the next process that writes removes what it left.
func TestKilledWriters(t *testing.T) {
	soak.Full(t, "it kills processes; TestFullDisk and TestDamaged have files that are not complete")
	want, all := some(t), size(t)
	f := Folder(filepath.Join(t.TempDir(), "cache"))
	former := Key{key.Name, [32]byte{9}}
	const kills = 20
	for i := range kills {
		if i == kills/2 { // from here on the file of a previous version exists
			must.Do(t, f.write(former, want))
		}
		bytes := 1 + (all-1)*i/(kills-1)
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "CACHE_TEST_WRITE="+string(f), "CACHE_TEST_BYTES="+strconv.Itoa(bytes))
		var exit *exec.ExitError
		if err := cmd.Run(); !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("after %d of %d bytes: %v", bytes, all, err)
		}
		if n, err := f.open(key); err == nil {
			t.Errorf("after %d of %d bytes: believed", bytes, all)
			n.Close()
		}
		if i < kills/2 {
			continue
		}
		n, err := f.open(former)
		if err != nil || !same(n, want) {
			t.Fatalf("after %d of %d bytes: the former file: %v", bytes, all, err)
		}
		n.Close()
	}
	must.Do(t, f.write(key, want))
	if entries, _ := os.ReadDir(string(f)); len(entries) != 1 {
		t.Errorf("left: %v", entries)
	}
	n := open(t, f)
	defer n.Close()
	if !same(n, want) {
		t.Error("another network")
	}
}

// A disk that becomes full while a file is written is an error, and nothing is left.
func TestFullDisk(t *testing.T) {
	want, all := some(t), size(t)
	defer func(before func(io.WriterAt) io.WriterAt) { through = before }(through)
	f := Folder(filepath.Join(t.TempDir(), "cache"))
	for i := range 10 {
		through = func(file io.WriterAt) io.WriterAt {
			return &failing{file, all * i / 10, func() error { return unix.ENOSPC }}
		}
		if err := f.write(key, want); !errors.Is(err, unix.ENOSPC) {
			t.Errorf("%d tenths: %v", i, err)
		}
		if _, err := f.open(key); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%d tenths: %v", i, err)
		}
		if entries, _ := os.ReadDir(string(f)); len(entries) != 0 {
			t.Errorf("%d tenths: left: %v", i, entries)
		}
	}
}

// A file that is removed and written again while it is mapped does not change for the process that maps it.
func TestRemovedWhileMapped(t *testing.T) {
	f, want := folder(t)
	n := open(t, f)
	defer n.Close()
	must.Do(t, os.Remove(f.Path(key)))
	must.Do(t, f.write(key, want))
	if !same(n, want) {
		t.Error("the network changed")
	}
}
