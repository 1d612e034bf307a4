package solve

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// resume reads the records that an earlier process wrote, and removes records that cannot be used
// from the end of the file.
func (s *solver) resume() error {
	problem, err := s.problem()
	if err != nil {
		return err
	}
	records := scan(s.m)
	if len(records) > 0 {
		payload, err := read(s.m, &records[0])
		if err != nil {
			return err
		}
		if records[0].kind != problemRecord || !bytes.Equal(payload, problem) {
			records = nil
		}
	}
	n := 1
	for ; n < len(records) && s.follows(&records[n]); n++ {
		if r := records[n]; r.kind == keysRecord {
			s.keys = append(s.keys, r)
		} else {
			s.values = append(s.values, r)
		}
	}
	if len(records) == 0 {
		if err := s.cut(0); err != nil {
			return err
		}
		_, err := write(s.m, record{kind: problemRecord}, problem)
		return err
	}
	// Stored values are rounded. Only the tail has the exact values that the next layer needs.
	for len(s.values) > 0 && !s.hasTail() {
		s.values = s.values[:len(s.values)-1]
		n--
	}
	return s.cut(records[n-1].at + records[n-1].length)
}

// follows reports whether a record is the one that must follow the records in s.keys and s.values.
func (s *solver) follows(r *record) bool {
	switch r.kind {
	case keysRecord:
		return len(s.values) == 0 && r.sum == 4+2*len(s.keys)
	case valuesRecord:
		i := len(s.keys) - 1 - len(s.values)
		return i >= 0 && r.sum == s.keys[i].sum && r.count == s.keys[i].count && r.length == int64(r.count*s.width)
	}
	return false
}

// cut truncates the file at an offset.
func (s *solver) cut(at int64) error {
	f, ok := s.m.(*file)
	if !ok || at >= f.end {
		return nil
	}
	f.end = at
	return f.Truncate(at)
}

// need returns the range of layers whose values are needed to compute the next layer, or the start
// if all layers are done.
func (s *solver) need() (from, to int) {
	from = len(s.keys) - len(s.values)
	to = from + 2
	if from == 0 {
		to = 3
	}
	return from, min(to, len(s.keys))
}

func (s *solver) hasTail() bool {
	if s.tail == nil {
		return false
	}
	for i, to := s.need(); i < to; i++ {
		if _, err := s.tail.read(s.keys[i].sum, s.keys[i].count); err != nil {
			return false
		}
	}
	return true
}

// restore loads the values that the next layer needs from the tail into a valuer.
func (s *solver) restore(v *valuer) error {
	from, to := s.need()
	for i := to - 1; i >= from; i-- {
		values, err := s.tail.read(s.keys[i].sum, s.keys[i].count)
		if err != nil {
			return err
		}
		keys, err := s.readKeys(i)
		if err != nil {
			return err
		}
		v.push(keys, values)
	}
	return nil
}

// file is a medium that stores a table in a file.
type file struct {
	*os.File
	end int64
}

func (f *file) size() int64 { return f.end }

func (f *file) bytes(at, n int64) ([]byte, error) {
	if at < 0 || n < 0 || n > f.end-at {
		return nil, errDamaged
	}
	p := make([]byte, n)
	_, err := f.ReadAt(p, at)
	if errors.Is(err, io.EOF) { // the file was truncated after it was opened
		err = errDamaged
	}
	return p, err
}

func (f *file) Write(p []byte) (int, error) {
	n, err := f.WriteAt(p, f.end)
	f.end += int64(n)
	return n, err
}

// release closes a medium if it is a file.
func release(m medium) {
	if f, ok := m.(*file); ok {
		_ = f.Close()
	}
}

// tail is a file with the exact values of the last three layers, each a values record in its own slot. A process that
// is killed damages at most one of them, so at least two are complete.
type tail struct {
	*file
	slot int64 // size of a slot in bytes
}

func newTail(f *file, e Extent) *tail { return &tail{f, headerSize + 8*e.Largest} }

func (t *tail) at(sum int) int64 { return int64(sum/2%3) * t.slot }

func (t *tail) write(sum int, values []float64) error {
	payload := encodeValues(values, 8)
	r := record{kind: valuesRecord, sum: sum, count: len(values)}
	n, err := t.WriteAt(append(r.header(payload), payload...), t.at(sum))
	t.end = max(t.end, t.at(sum)+int64(n))
	return err
}

func (t *tail) read(sum, count int) ([]float64, error) {
	r, payload, err := recordAt(t, t.at(sum), valuesRecord)
	if err != nil {
		return nil, err
	}
	if r.sum != sum || r.count != count || len(payload) != 8*count {
		return nil, errDamaged
	}
	values := make([]float64, count)
	for i := range values {
		values[i] = valueAt(payload, i, 8)
	}
	return values, nil
}
