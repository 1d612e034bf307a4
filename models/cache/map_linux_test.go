package cache

import (
	"bufio"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"afterstate/internal/soak"
	"afterstate/ntuple"
)

func TestMain(m *testing.M) {
	if path := os.Getenv("CACHE_TEST_WRITE"); path != "" {
		writeForever(Folder(path))
	}
	os.Exit(m.Run())
}

// writeForever writes the file again and again.
func writeForever(f Folder) {
	n := some(new(testing.B))
	_, _ = os.Stdout.WriteString("begun\n")
	for {
		_ = os.Remove(f.Path(key))
		if err := f.Write(key, n); err != nil {
			panic(err)
		}
	}
}

// A process that is killed while it writes leaves nothing that is believed, and the next one that
// writes clears up.
func TestKilledWriters(t *testing.T) {
	f, want := Folder(filepath.Join(t.TempDir(), "cache")), some(t)
	whole := 0
	for range soak.Count(5, 20) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "CACHE_TEST_WRITE="+string(f))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		time.Sleep(rand.N(60 * time.Millisecond)) // any moment will do
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if n, err := f.Open(key, never); err == nil {
			if whole++; !same(n, want) {
				t.Error("a network that was not written is believed")
			}
			n.Close()
		}
	}
	t.Logf("%d killed writers had put a whole file in place", whole)
	_ = os.Remove(f.Path(key))
	if err := f.Write(key, want); err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(string(f)); len(entries) != 1 {
		t.Errorf("left: %v", entries)
	}
	open(t, f).Close()
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
	m.replace()
	still := m.timer
	m.mu.Unlock()
	if still != nil || !same(n, want) {
		t.Error("the weights were not decoded anew")
	}
	if _, err := os.Stat(f.Path(key)); err == nil {
		t.Error("the damaged file is still there")
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

// Where somebody has the file open for writing there is no lease: it is read.
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
