package solve

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/afterstate2048/afterstate/internal/memory"
)

// Options configures how a problem is solved. The zero value uses all cores.
type Options struct {
	Threads int // number of goroutines; 0: runtime.GOMAXPROCS(0)
	// Progress is called after every layer.
	Progress func(Progress)
	// Busy is called if another process is making the table; Folder.Solve then waits for this
	// process. If Busy is nil, Folder.Solve fails with ErrBusy.
	Busy func()

	inspect func(v *valuer, sum int, keys []uint32, values []float64) // set only by tests
}

// Progress describes how much of a problem has been solved.
type Progress struct {
	Done float64       // share of the work, 0 to 1
	Left time.Duration // estimated time until the end; 0 while unknown
}

// baseMemory is the memory that solving uses besides the layers, in bytes: the program and the tables of slides.
const baseMemory = 24 << 20

// Memory returns an upper bound on the memory in bytes that Solve needs or, if inFile is true, that
// Folder.Solve needs. For a large ending it is an estimate (see extent).
func (p Problem) Memory(inFile bool) int64 {
	e := p.extent()
	// For each board of the largest layer: four sets and three indexes, each at most three quarters
	// empty, and the keys and values of the layer with their encoding.
	need := baseMemory + e.Largest*(4*4*4+3*4*16+48)
	if !inFile {
		need += p.tableSize()
	}
	return need
}

// tableSize returns an upper bound on the size of the table in bytes; for a large ending it is an estimate (see
// extent).
func (p Problem) tableSize() int64 { return p.bytes(p.extent()) }

// bytes returns an upper bound on the size of a table with the extent e, in bytes.
func (p *Problem) bytes(e Extent) int64 { return e.Afterstates*int64(2+p.width())*21/20 + 1<<20 }

// width returns the number of bytes of a stored value.
func (p Problem) width() int {
	switch {
	case p.Walls != "":
		return 3
	case p.extent().Afterstates > 10_000_000:
		return 5
	}
	return 8
}

// checkMemory returns an error that wraps a *memory.Error if there is too little memory.
func (p Problem) checkMemory(inFile bool) error {
	if err := memory.Check(p.Memory(inFile)); err != nil {
		return fmt.Errorf("solving %v: %w", p.Size, err)
	}
	return nil
}

// Solve computes the table of a problem in memory. It fails if the problem cannot be solved, if there is
// too little memory, and if ctx ends.
func Solve(ctx context.Context, p Problem, o Options) (*Table, error) {
	p, err := p.normal()
	if err != nil {
		return nil, err
	}
	if err := p.checkMemory(false); err != nil {
		return nil, err
	}
	m := &inMemory{data: make([]byte, 0, p.tableSize())}
	d, err := newSolver(p, o, m).run(ctx)
	if err != nil {
		return nil, err
	}
	if err := d.write(m); err != nil {
		return nil, err
	}
	if data := m.data; cap(data) > 2*len(data) { // do not keep the unused capacity, which is large for a small table
		m.data = bytes.Clone(data)
	}
	return newTable(m, p.width())
}

// solver computes and writes the records of one table, except its directory.
type solver struct {
	p      Problem
	extent Extent
	g      *geometry
	o      Options
	m      medium
	keys   []record // keys records, in order of tile sums from 4
	values []record // values records, from the largest sum downwards
	start  time.Time
}

func newSolver(p Problem, o Options, m medium) *solver {
	o.Threads = cmp.Or(max(o.Threads, 0), runtime.GOMAXPROCS(0))
	return &solver{p: p, extent: p.extent(), g: geometryOf(&p), o: o, m: m, start: time.Now()}
}

// run writes the keys and the values, and returns the table's directory.
func (s *solver) run(ctx context.Context) (Directory, error) {
	if err := s.reach(ctx); err != nil {
		return Directory{}, err
	}
	start, best, err := s.evaluate(ctx)
	d := s.directory(start)
	d.Best = best
	return d, err
}

// reach writes the keys of all layers.
func (s *solver) reach(ctx context.Context) error {
	r := newReacher(s.g, &s.p, s.o.Threads)
	written := make(chan error, 1) // result of writing the previous layer
	written <- nil
	for {
		l, ok := r.next()
		if err := <-written; err != nil {
			return err
		}
		if !ok {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		s.report()
		go func() { written <- s.writeKeys(l) }()
	}
}

func (s *solver) writeKeys(l layer) error {
	slices.Sort(l.keys)
	payload, highs := encodeKeys(l.keys)
	r, err := write(s.m, record{kind: keysRecord, sum: l.sum, boards: l.boards, count: len(l.keys), highs: highs}, payload)
	s.keys = append(s.keys, r)
	return err
}

func (s *solver) readKeys(i int) ([]uint32, error) {
	payload, err := read(s.m, &s.keys[i])
	if err != nil {
		return nil, err
	}
	k, err := s.keys[i].keyList(payload)
	return k.all(), err
}

// evaluate writes the values of all layers, from the last one to the first. It returns the value of
// the start of a game, or for an ending the mean and the highest value of its starts.
func (s *solver) evaluate(ctx context.Context) (start, best float64, err error) {
	v := newValuer(s.g, &s.p)
	for i := len(s.keys) - 1; i >= 0; i-- {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		keys, err := s.readKeys(i)
		if err != nil {
			return 0, 0, err
		}
		values := make([]float64, len(keys))
		sum := s.keys[i].sum
		parallel(s.o.Threads, 0, len(keys), always, func(from, to int) {
			var m moves
			for j := from; j < to; j++ {
				values[j] = v.value(s.g.board(keys[j], sum), &m)
			}
		})
		v.push(keys, values)
		if s.o.inspect != nil {
			s.o.inspect(v, sum, keys, values)
		}
		if err := s.writeValues(sum, values); err != nil {
			return 0, 0, err
		}
		s.report()
	}
	if s.g.walls != nil {
		start, best = v.ending()
		return start, best, nil
	}
	return v.start(), 0, nil
}

func (s *solver) writeValues(sum int, values []float64) error {
	r, err := write(s.m, record{kind: valuesRecord, sum: sum, count: len(values)}, encodeValues(values, s.p.width()))
	s.values = append(s.values, r)
	return err
}

// directory returns the directory of a complete table. It does not set Best.
func (s *solver) directory(start float64) Directory {
	d := Directory{Problem: s.p, Width: s.p.width(), Start: start}
	for i, r := range s.keys {
		d.Boards += r.boards
		d.Afterstates += int64(r.count)
		if len(s.values) == len(s.keys) { // false after an error
			d.Layers = append(d.Layers, [2]int64{r.at - headerSize, s.values[len(s.values)-1-i].at - headerSize})
		}
	}
	return d
}

// done returns the share of the work that is done. Finding the boards takes about two fifths of the
// work.
func (s *solver) done() float64 {
	const reaching = 0.4
	var boards, all, valued int64
	for _, r := range s.keys {
		boards += r.boards
		all += int64(r.count)
	}
	for _, r := range s.values {
		valued += int64(r.count)
	}
	if len(s.values) == 0 {
		return reaching * float64(boards) / float64(s.extent.Boards)
	}
	return reaching + (1-reaching)*float64(valued)/float64(max(all, 1))
}

func (s *solver) report() {
	if s.o.Progress == nil {
		return
	}
	p := Progress{Done: s.done()}
	// With a goal games end earlier, so the number of boards is unknown until all keys are written.
	unknown := s.p.Goal != 0 && len(s.values) == 0
	if p.Done > 0 && !unknown {
		p.Left = time.Duration(float64(time.Since(s.start)) * (1 - p.Done) / p.Done)
	}
	s.o.Progress(p)
}
