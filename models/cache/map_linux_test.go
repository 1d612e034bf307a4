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
	"time"

	"golang.org/x/sys/unix"

	"afterstate/ntuple"
)

func TestMain(m *testing.M) {
	if path := os.Getenv("CACHE_TEST_WRITE"); path != "" {
		last, err := strconv.Atoi(os.Getenv("CACHE_TEST_BYTES"))
		if err != nil {
			panic(err)
		}
		through = func(file io.WriterAt) io.WriterAt { return &disk{file, last, kill} }
		panic(Folder(path).Write(key, some(new(testing.B))))
	}
	os.Exit(m.Run())
}

// disk is a file that calls full in place of writing more than some bytes.
type disk struct {
	io.WriterAt
	left int
	full func() error
}

func (d *disk) WriteAt(p []byte, at int64) (int, error) {
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

// size is how many bytes the file of some has.
func size(t *testing.T) int {
	t.Helper()
	f, _ := folder(t)
	return int(f.Info().Bytes)
}

// A process that is killed while it writes leaves nothing that is believed, after however many
// bytes, the last one included. It harms no file that is there, and the next one that writes clears
// up.
func TestKilledWriters(t *testing.T) {
	want, all := some(t), size(t)
	f := Folder(filepath.Join(t.TempDir(), "cache"))
	former := Key{key.Name, [32]byte{9}}
	const kills = 20
	for i := range kills {
		if i == kills/2 { // from here on there is the file of a former version
			if err := f.Write(former, want); err != nil {
				t.Fatal(err)
			}
		}
		bytes := 1 + (all-1)*i/(kills-1)
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "CACHE_TEST_WRITE="+string(f), "CACHE_TEST_BYTES="+strconv.Itoa(bytes))
		var exit *exec.ExitError
		if err := cmd.Run(); !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("after %d of %d bytes: %v", bytes, all, err)
		}
		if n, err := f.Open(key, never); err == nil {
			t.Errorf("after %d of %d bytes: believed", bytes, all)
			n.Close()
		}
		if i < kills/2 {
			continue
		}
		n, err := f.Open(former, never)
		if err != nil || !same(n, want) {
			t.Fatalf("after %d of %d bytes: the former file: %v", bytes, all, err)
		}
		n.Close()
	}
	if err := f.Write(key, want); err != nil {
		t.Fatal(err)
	}
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
			return &disk{file, all * i / 10, func() error { return unix.ENOSPC }}
		}
		if err := f.Write(key, want); !errors.Is(err, unix.ENOSPC) {
			t.Errorf("%d tenths: %v", i, err)
		}
		if _, err := f.Open(key, never); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%d tenths: %v", i, err)
		}
		if entries, _ := os.ReadDir(string(f)); len(entries) != 0 {
			t.Errorf("%d tenths: left: %v", i, entries)
		}
	}
}

// mapped opens the file and returns what maps it; without leases the file is read instead.
func mapped(t *testing.T, f Folder, decode func() (*ntuple.Network, error)) (*mapping, *ntuple.Network) {
	t.Helper()
	c, err := openContent(f.Path(key), key)
	if err != nil {
		t.Fatal(err)
	}
	m, n, err := c.mapped(decode)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return m, n
}

// Whoever truncates a mapped file waits until the process has a copy.
func TestTruncatedWhileMapped(t *testing.T) {
	f, want := folder(t)
	m, n := mapped(t, f, never)
	done := make(chan error)
	go func() { done <- os.Truncate(f.Path(key), 0) }()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if !same(n, want) {
		t.Error("the network changed")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.timer != nil {
		t.Error("the file is still mapped")
	}
}

// A file whose damage is found while it is mapped is removed, and the weights are decoded anew.
// Readers see right weights from then on.
func TestDamagedWhileMapped(t *testing.T) {
	f, want := folder(t)
	m, n := mapped(t, f, func() (*ntuple.Network, error) { return some(t), nil })
	m.mu.Lock()
	m.sums[0] ^= 1 // as if the first block were another one
	if m.check() == nil {
		t.Error("the damage is not found")
	}
	m.leave()
	still := m.timer
	m.mu.Unlock()
	if still != nil || !same(n, want) {
		t.Error("the weights were not decoded anew")
	}
	if _, err := os.Stat(f.Path(key)); err == nil {
		t.Error("the damaged file is still there")
	}
}

// A process that is busy reads from a copy, and from the file again once it has been idle. What it
// does a little of now and then is no work.
func TestBusyAndIdle(t *testing.T) {
	f, want := folder(t)
	used := time.Duration(0)
	defer func(before func() time.Duration) { processorTime = before }(processorTime)
	processorTime = func() time.Duration { return used }
	m, n := mapped(t, f, never)
	m.timer.Stop() // the test looks itself
	looks := func(times int, each time.Duration, copied bool) {
		t.Helper()
		for range times {
			used += each
			m.look()
			m.timer.Stop()
		}
		if m.copied != copied || !same(n, want) {
			t.Fatalf("after %d looks of %v: copied %v, want %v", times, each, m.copied, copied)
		}
	}
	looks(10000, little/2, false)
	looks(2, time.Second, false)
	looks(1, time.Second, true)
	if err := os.Truncate(f.Path(key), 0); err != nil { // nobody holds it up
		t.Fatal(err)
	}
	looks(2*idle, 0, true) // there is no sound file to go back to
	if err := f.Write(key, want); err != nil {
		t.Fatal(err)
	}
	looks(idle, 0, false)
	done := make(chan error)
	go func() { done <- os.Truncate(f.Path(key), 0) }() // it waits for the lease again
	for waiting := true; waiting; {
		select {
		case err := <-done:
			if waiting = false; err != nil || !same(n, want) {
				t.Error(err)
			}
		default:
			m.look()
		}
	}
}

// A file that is removed or replaced while it is mapped stays as it was for who maps it.
func TestRemovedWhileMapped(t *testing.T) {
	f, want := folder(t)
	_, n := mapped(t, f, never)
	if err := os.Remove(f.Path(key)); err != nil {
		t.Fatal(err)
	}
	if err := f.Write(key, want); err != nil {
		t.Fatal(err)
	}
	if !same(n, want) {
		t.Error("the network changed")
	}
}

// A file that another process has open for writing gets no lease, so it is read instead of mapped.
func TestWithoutLease(t *testing.T) {
	f, want := folder(t)
	writer, err := os.OpenFile(f.Path(key), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	n := open(t, f)
	defer n.Close()
	if err := writer.Truncate(0); err != nil {
		t.Fatal(err)
	}
	if !same(n, want) {
		t.Error("the network changed")
	}
}
