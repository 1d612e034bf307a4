package review

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/search"
)

// Options limits the work. The zero value judges all moves on all cores.
type Options struct {
	Workers int           // threads; 0: GOMAXPROCS. The result does not depend on it.
	Time    time.Duration // after it only the first move is begun; loading does not count; 0: no limit
	// Progress, if not nil, is called after each move with the number of moves of this look that are
	// judged and that there are, by one goroutine at a time.
	Progress func(look Look, done, of int)
}

// Review judges all moves in all looks. If ctx ends, it returns what it has: the judged moves without a
// gap from the first one on, of which some may lack their second look.
func (j *Judge) Review(ctx context.Context, ps []Position, o Options) ([]Judgement, error) {
	moves, err := j.Look(ctx, FirstLook, ps, o)
	if err != nil || j.Looks() == 1 {
		return moves, err
	}
	var unclear []Position
	for i := range moves {
		if moves[i].Unclear {
			unclear = append(unclear, ps[i])
		}
	}
	deeper, err := j.Look(ctx, SecondLook, unclear, o)
	for i, next := 0, 0; next < len(deeper); i++ {
		if moves[i].Unclear {
			moves[i] = deeper[next]
			next++
		}
	}
	return moves, err
}

// run is a look in progress.
type run struct {
	look  Look
	last  bool // there is no further look
	maker catalog.Maker
	ps    []Position
	moves []Judgement
	done  []atomic.Bool
	o     Options

	mu    sync.Mutex // for Progress
	count int
}

// Look takes a look at positions; a judge with one look repeats it. It returns as many moves as the time allows, from the first
// one on without a gap, also with an error, which is that of ctx or of the judge.
func (j *Judge) Look(ctx context.Context, look Look, ps []Position, o Options) ([]Judgement, error) {
	if len(ps) == 0 {
		return nil, ctx.Err()
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	r := &run{
		look: look, last: int(look) >= len(j.looks)-1, maker: j.looks[min(int(look), len(j.looks)-1)],
		ps: ps, moves: make([]Judgement, len(ps)), done: make([]atomic.Bool, len(ps)), o: o,
	}
	drivers := make([]player.Driver, min(o.Workers, len(ps)))
	for i := range drivers {
		d := &drivers[i]
		d.Player = r.maker.New()
		defer d.Close()
		d.Start(0, 0, nil)
		if err := d.Prepare(ctx, ps[0].Board.Size()); err != nil {
			return nil, err
		}
	}
	begun := time.Now()
	err := workers.Each(ctx, len(drivers), len(ps), func(ctx context.Context, worker, i int) error {
		if o.Time > 0 && i > 0 && time.Since(begun) >= o.Time {
			return nil
		}
		return r.judge(ctx, &drivers[worker], i)
	})
	first := 0
	for first < len(ps) && r.done[first].Load() {
		first++
	}
	return r.moves[:first], cmp.Or(ctx.Err(), err)
}

// judge judges a move.
func (r *run) judge(ctx context.Context, d *player.Driver, i int) error {
	p := r.ps[i]
	decision, err := d.Decide(ctx, search.NewQuery(p.Board, p.Score).Exact())
	if err != nil {
		return err
	}
	decision.Player = r.maker.Spec
	m, err := judged(p, &decision)
	if err != nil {
		return err
	}
	m.Unclear = m.Unclear && !r.last
	r.moves[i] = m
	r.done[i].Store(true)
	r.progress()
	return nil
}

func (r *run) progress() {
	if r.o.Progress == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count++
	r.o.Progress(r.look, r.count, len(r.ps))
}
