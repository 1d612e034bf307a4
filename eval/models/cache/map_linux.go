package cache

import (
	"fmt"
	"os"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/memory"
)

// mode is that of the files. A mapping reads what is written to its file, and a process ends if it is
// truncated, so nobody is to open it for writing.
const mode = 0o400

const (
	look = time.Second
	// busy is the processor time after which a process reads from a copy on huge pages. Looks at
	// which it used less than a little since the last one do not count.
	busy   = 2 * time.Second
	little = look / 20
	// idle is the number of such looks in turn after which it reads from the file again.
	idle = 60
)

// mapping is weights in memory: of a file, or while the process is busy a copy in their place.
type mapping struct {
	*content
	decode func() (*ntuple.Network, error)
	at     unsafe.Pointer
	size   uintptr // whole pages

	mu     sync.Mutex
	timer  *time.Timer // nil: it is gone, or stays a copy
	copied bool
	used   time.Duration // processor time at the last look
	work   time.Duration // processor time since the process was idle
	rested int           // looks in turn at which it had done little
}

// network maps the file.
func (c *content) network(decode func() (*ntuple.Network, error)) (*ntuple.Network, error) {
	_, n, err := c.mapped(decode)
	return n, err
}

func (c *content) mapped(decode func() (*ntuple.Network, error)) (m *mapping, n *ntuple.Network, err error) {
	m = &mapping{content: c, decode: decode, used: processorTime()}
	page := uintptr(os.Getpagesize())
	m.size = (uintptr(c.bytes) + page - 1) / page * page
	if m.at, err = reserve(m.size, unix.PROT_NONE); err != nil {
		return nil, nil, err
	}
	if err := m.view(); err != nil {
		_ = unix.MunmapPtr(m.at, m.size)
		return nil, nil, err
	}
	if n, err = c.over(unsafe.Slice((*byte)(m.at), c.bytes), m.close); err != nil {
		return nil, nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.timer = time.AfterFunc(look, m.look)
	return m, n, nil
}

// view puts the file in the place of the weights.
func (m *mapping) view() error {
	_, err := unix.MmapPtr(int(m.file.Fd()), 0, m.at, m.size, unix.PROT_READ, unix.MAP_SHARED|unix.MAP_FIXED)
	return err
}

// look sees to the mapping from time to time.
func (m *mapping) look() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.timer == nil {
		return
	}
	now := processorTime()
	if used := now - m.used; used < little {
		m.rested++
	} else {
		m.rested, m.work = 0, m.work+used
	}
	m.used = now
	if m.rested >= idle {
		m.rested, m.work = 0, 0
		if m.copied {
			m.copied = m.view() != nil // which frees the copy
		}
	}
	if m.work > busy && !m.copied && memory.Check(int64(m.size)) == nil {
		m.copied = m.replace()
	}
	if m.timer != nil {
		m.timer.Reset(look)
	}
}

// replace puts a copy in the place of the file, under those who read it. A file that turns out to be
// damaged is removed, and its weights are decoded again.
func (m *mapping) replace() bool {
	copied, err := reserve(m.size, unix.PROT_READ|unix.PROT_WRITE)
	if err != nil {
		return false
	}
	data := unsafe.Slice((*byte)(copied), m.size)
	memory.AdviseHuge(data)
	if err := m.load(data); err != nil {
		_ = os.Remove(m.file.Name())
		if decodeErr := m.decoded(data); decodeErr != nil {
			panic(fmt.Errorf("%s: %w, and its network cannot be decoded: %w", m.file.Name(), err, decodeErr))
		}
		m.timer = nil
	}
	if _, err := unix.MremapPtr(copied, m.size, m.at, m.size, unix.MREMAP_MAYMOVE|unix.MREMAP_FIXED); err != nil {
		_ = unix.MunmapPtr(copied, m.size)
		return false
	}
	return true
}

// decoded decodes the weights.
func (m *mapping) decoded(dst []byte) error {
	n, err := m.decode()
	if err != nil {
		return err
	}
	defer n.Close()
	for stage := range n.StageCount() {
		for p := range n.Patterns {
			copy(dst[tableAt(&n.Layout, stage, p):], bytesOf(n.Int16Table(stage, p)))
		}
	}
	return nil
}

// close releases the memory.
func (m *mapping) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.timer != nil {
		m.timer.Stop()
		m.timer = nil
	}
	_ = m.file.Close()
	_ = unix.MunmapPtr(m.at, m.size)
}

// reserve takes new memory that begins on a huge page.
func reserve(size uintptr, prot int) (unsafe.Pointer, error) {
	all, err := unix.MmapPtr(-1, 0, nil, size+memory.HugePage, prot, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil, err
	}
	skip := -uintptr(all) & (memory.HugePage - 1)
	if skip > 0 {
		_ = unix.MunmapPtr(all, skip)
	}
	at := unsafe.Add(all, skip)
	_ = unix.MunmapPtr(unsafe.Add(at, size), memory.HugePage-skip)
	return at, nil
}

// processorTime is what the process has used; tests replace it.
var processorTime = func() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
