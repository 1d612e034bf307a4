package cache

import (
	"errors"
	"os"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"afterstate/internal/memory"
	"afterstate/ntuple"
)

const (
	huge = 2 << 20 // a huge page; random reads of small pages miss the TLB
	// look is how often a mapping checks whether another process waits for its lease; the system
	// revokes a lease after 45 s.
	look = time.Second
	// busy is the processor time after which a process reads from a copy on huge pages. Looks at
	// which it used less than a little since the last one do not count.
	busy   = 2 * time.Second
	little = look / 20
	// idle is the number of such looks in turn after which it reads from the file again.
	idle = 60
	// Looks before a whole file is checked for the first time, and until the next time.
	firstCheck = 30
	nextCheck  = 24 * 60 * 60
)

// mapping is weights in memory: of a file, or a copy in their place.
type mapping struct {
	*content
	decode func() (*ntuple.Network, error)
	at     unsafe.Pointer
	size   uintptr // whole pages

	mu     sync.Mutex
	timer  *time.Timer   // nil: it stays a copy, or it is gone
	copied bool          // while the process is busy
	looks  int           // at the file
	used   time.Duration // processor time at the last look
	work   time.Duration // processor time since the process was idle
	rested int           // looks in turn at which it had done little
}

// network maps the file, or reads it where there are no leases.
func (c *content) network(decode func() (*ntuple.Network, error)) (*ntuple.Network, error) {
	if err := lease(c.file); err != nil {
		return c.inMemory()
	}
	_, n, err := c.mapped(decode)
	return n, err
}

// mapped maps the file. The lease comes first, so that nothing changes after it was checked.
func (c *content) mapped(decode func() (*ntuple.Network, error)) (*mapping, *ntuple.Network, error) {
	if err := errors.Join(lease(c.file), c.sample()); err != nil {
		return nil, nil, err
	}
	info, err := c.file.Stat() // it may have become shorter before the lease
	if err != nil || info.Size() < c.Bytes {
		return nil, nil, errors.Join(err, errUnsound)
	}
	m := &mapping{content: c, decode: decode, used: processorTime()}
	system := uintptr(os.Getpagesize())
	m.size = (uintptr(c.Bytes) + system - 1) / system * system
	if m.at, err = m.view(); err != nil {
		return nil, nil, err
	}
	n, err := c.over(unsafe.Slice((*byte)(m.at), c.Bytes), m.close)
	if err != nil {
		return nil, nil, errors.Join(err, unix.MunmapPtr(m.at, m.size))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.timer = time.AfterFunc(look, m.look)
	return m, n, nil
}

// view maps the file.
func (m *mapping) view() (unsafe.Pointer, error) {
	at, err := reserve(m.size, unix.PROT_NONE)
	if err != nil {
		return nil, err
	}
	if _, err := unix.MmapPtr(int(m.file.Fd()), 0, at, m.size, unix.PROT_READ, unix.MAP_SHARED|unix.MAP_FIXED); err != nil {
		return nil, errors.Join(err, unix.MunmapPtr(at, m.size))
	}
	return at, nil
}

// lease makes the system hold up those who want to write to the file. It would send SIGIO, which
// ends programs that do not expect it; SIGURG does not.
func lease(f *os.File) error {
	if _, err := unix.FcntlInt(f.Fd(), unix.F_SETSIG, int(unix.SIGURG)); err != nil {
		return err
	}
	_, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	return err
}

// awaited reports whether another process waits for the lease.
func awaited(f *os.File) bool {
	held, err := unix.FcntlInt(f.Fd(), unix.F_GETLEASE, 0)
	return err != nil || held != unix.F_RDLCK
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
		m.work = 0
	}
	if m.copied {
		if m.work == 0 {
			m.restore()
		}
	} else {
		m.lookAtFile()
	}
	if m.timer != nil {
		m.timer.Reset(look)
	}
}

// lookAtFile replaces the file where it must not be read any more, or a copy is faster.
func (m *mapping) lookAtFile() {
	m.looks++
	switch {
	case awaited(m.file):
		m.leave()
	case m.work > busy && memory.Check(int64(m.size)) == nil:
		m.copied = m.replace()
	case m.looks%nextCheck == firstCheck && m.check() != nil:
		m.leave()
	}
}

// leave replaces the file for good.
func (m *mapping) leave() {
	if m.replace() {
		m.timer = nil
	}
}

// restore puts the file in the place of the copy, under those who read it, so that the memory of the
// copy is free. It stays a copy if the file is not there as it was.
func (m *mapping) restore() {
	m.rested = 0 // or the next try would be at the next look
	c, err := openContent(m.file.Name(), m.key())
	if err != nil {
		return
	}
	former := m.content
	m.content = c
	if err := errors.Join(lease(c.file), c.sample()); err == nil {
		var at unsafe.Pointer
		if at, err = m.view(); err == nil && m.move(at) {
			m.copied = false
			return
		}
	}
	m.content = former
	_ = c.file.Close()
}

// move puts other memory in the place of the weights.
func (m *mapping) move(from unsafe.Pointer) bool {
	if _, err := unix.MremapPtr(from, m.size, m.at, m.size, unix.MREMAP_MAYMOVE|unix.MREMAP_FIXED); err != nil {
		_ = unix.MunmapPtr(from, m.size)
		return false
	}
	return true
}

// replace puts a copy in the place of the file, under those who read it, and closes the file.
func (m *mapping) replace() bool {
	own, err := reserve(m.size, unix.PROT_READ|unix.PROT_WRITE)
	if err != nil {
		return false
	}
	data := unsafe.Slice((*byte)(own), m.size)
	_ = unix.Madvise(data, unix.MADV_HUGEPAGE) // a wish: without it all is slower, not wrong
	if m.load(data[:m.Bytes]) != nil {
		m.remove()
		if m.decoded(data[:m.Bytes]) != nil {
			_ = unix.MunmapPtr(own, m.size)
			return false
		}
	}
	if !m.move(own) {
		return false
	}
	_ = m.file.Close() // and with it the lease
	return true
}

// decoded decodes the weights anew.
func (m *mapping) decoded(dst []byte) error {
	n, err := m.decode()
	if err != nil {
		return err
	}
	defer n.Close()
	for stage := range n.StageCount() {
		words, _ := n.Int16Weights(stage)
		dst = dst[copy(dst, bytesOf(words)):]
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
		_ = m.file.Close() // it may be closed already
	}
	_ = unix.MunmapPtr(m.at, m.size)
}

// reserve takes new memory that begins on a huge page.
func reserve(size uintptr, prot int) (unsafe.Pointer, error) {
	all, err := unix.MmapPtr(-1, 0, nil, size+huge, prot, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil, err
	}
	skip := -uintptr(all) & (huge - 1)
	if skip > 0 {
		_ = unix.MunmapPtr(all, skip)
	}
	at := unsafe.Add(all, skip)
	_ = unix.MunmapPtr(unsafe.Add(at, size), huge-skip)
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

var errFull = errors.New("too little space")

// fits returns an error unless a folder has space for a file, and as much again for others.
func fits(folder string, bytes int64) error {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return err
	}
	if free := s.Bavail * uint64(s.Bsize); free < 2*uint64(bytes) {
		return errFull
	}
	var limit unix.Rlimit // beyond it a signal would end the process
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &limit); err != nil || limit.Cur < uint64(bytes)+longest {
		return errors.Join(err, errFull)
	}
	return nil
}
