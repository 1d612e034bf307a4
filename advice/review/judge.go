package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/player/levels"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/search/solve"
)

// Judge judges the moves of a game in one or two passes, called looks; see the package
// documentation. It is safe for concurrent use.
type Judge struct {
	// Spec is the spec of the player of the last look.
	Spec  string
	looks []catalog.Maker
	level *levels.Level // nil if the judge is not a level
	p4    float64       // probability of a 4 in the game; see game.ChanceOf4
	// confirm provides the network whose playouts check the bad moves of the second look. Nil means that they are not
	// checked.
	confirm *catalog.Maker
}

// Look identifies a pass over the moves of a game.
type Look int

const (
	FirstLook Look = iota
	SecondLook
)

// Limits of the default judges on 4x4. For a game of n moves, the number of nodes or playouts per move is
// the total divided by n, but at least the minimum and at most the maximum.
const (
	firstNodes, firstMin, firstMax    = 72_000_000, 4_000, 12_000
	secondNodes, secondMin, secondMax = 135_000_000, 12_000, 150_000
	allPlayouts, minPlayouts          = 150_000, 250
	// playouts per move in confirm; fewer than minPlayouts, because a strong player's playouts are long
	strongPlayouts = 128
)

// The judge prunes less than the presets "champion" and "master". Their margins were chosen for boards
// from their own games. On boards of other players the network is less reliable, so the judge searches
// moves that the presets skip (docs/judging.md has the table).
const (
	firstSpec  = "champion(nodes=%d,prune_margin=40000)"
	secondSpec = "master(nodes=%d,clear_margin=0,min_prob=3e-3,prune_margin=40000,tt=4MB)"
)

// New returns the judge of a game with the given board size and number of moves, played by a player of the
// given level. A nil level means a strong player. The judge of a strong player on 4x4 is the network that
// comes with the program, in two looks. On other sizes, and if parse rejects the network, it is the player
// "best". p4 is the probability of a 4 in the game. parse is catalog.Parse with the caller's capabilities.
func New(
	parse func(spec string) (catalog.Maker, error), level *levels.Level, size board.Size, moves int, p4 float64,
) (*Judge, error) {
	j := &Judge{level: level, p4: p4}
	if p4 == 0 {
		j.p4 = -1
	}
	add := func(spec string) (err error) {
		m, err := parse(catalog.WithP4(spec, p4))
		j.Spec, j.looks = m.Spec, append(j.looks, m)
		return err
	}
	if level != nil {
		all, fewest := allPlayouts, minPlayouts
		if !ntuple.Packs(size) { // a playout on a board that does not fit into a word takes five times as long
			all, fewest = allPlayouts/2, minPlayouts/2
		}
		spec := levels.Spec(level.Name, limit(moves, all, fewest, levels.Playouts))
		return j, add(spec)
	}
	if size == bitboard.Size && add(fmt.Sprintf(firstSpec, limit(moves, firstNodes, firstMin, firstMax))) == nil {
		if err := add(fmt.Sprintf(secondSpec, limit(moves, secondNodes, secondMin, secondMax))); err != nil {
			return nil, err
		}
		confirm, err := parse("ntuple(plies=1,endings=none)")
		j.confirm = &confirm
		return j, err
	}
	j.looks = nil
	return j, add("best")
}

// LongGame is the number of moves to pass to [New] when one judge reviews many games.
const LongGame = 3000

func limit(moves, all, low, high int) int { return min(max(all/max(moves, 1), low), high) }

// Quick returns a judge that takes only the first look of j, for reviews of many games.
func (j *Judge) Quick() *Judge {
	return &Judge{Spec: j.looks[0].Spec, looks: j.looks[:1], level: j.level, p4: j.p4}
}

// By returns a judge that uses the values of a player, in one look.
func By(m catalog.Maker) *Judge { return &Judge{Spec: m.Spec, looks: []catalog.Maker{m}, p4: m.P4} }

// Named returns the judge that uses the values of the player with the given spec, in one look. It
// fails if the player knows the coming spawns. parse is catalog.Parse with the caller's capabilities.
func Named(parse func(spec string) (catalog.Maker, error), spec string) (*Judge, error) {
	m, err := parse(spec)
	if err != nil {
		return nil, err
	}
	if m.Foresees {
		return nil, fmt.Errorf("%s knows the coming spawns, so it cannot be a judge: use another player", m.Spec)
	}
	return By(m), nil
}

// Last returns the player of the last look.
func (j *Judge) Last() catalog.Maker { return j.looks[len(j.looks)-1] }

// Options limits the work. The zero value judges all moves on all cores.
type Options struct {
	Threads int // number of threads; 0 means GOMAXPROCS. The result does not depend on it.
	// Time is the time limit of each look, not counting the loading of networks; 0 means no limit. The first move is
	// always judged.
	Time time.Duration
	// Progress, if not nil, is called after each move with the number of judged moves and of all moves in
	// this look, by one goroutine at a time.
	Progress func(look Look, done, of int)
}

// Review judges all moves in all looks. If ctx ends, it returns ctx.Err() with the judged moves from the
// first one on, without a gap. Some of them may lack the second look.
func (j *Judge) Review(ctx context.Context, ps []Position, o Options) ([]Judgement, error) {
	moves, err := j.Look(ctx, FirstLook, ps, o)
	if err != nil || len(j.looks) == 1 {
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

// run is the state of one call of Judge.Look.
type run struct {
	*Judge
	look  Look
	last  bool // this is the last look
	maker catalog.Maker
	ps    []Position
	moves []Judgement
	done  []atomic.Bool
	o     Options

	mu    sync.Mutex // guards count and serializes calls of Progress
	count int
}

// Look makes one pass over the positions ps. A judge with only one look ignores the parameter look. Look judges
// as many moves as the time allows and returns the judged moves from the first one on, without a gap, even if
// it also returns an error. The error is ctx.Err() or the error of the judging player.
func (j *Judge) Look(ctx context.Context, look Look, ps []Position, o Options) ([]Judgement, error) {
	if len(ps) == 0 {
		return nil, ctx.Err()
	}
	o.Threads = cmp.Or(max(o.Threads, 0), runtime.GOMAXPROCS(0))
	r := &run{
		Judge: j, look: look, last: int(look) >= len(j.looks)-1, maker: j.looks[min(int(look), len(j.looks)-1)],
		ps: ps, moves: make([]Judgement, len(ps)), done: make([]atomic.Bool, len(ps)), o: o,
	}
	judges := make([]judging, min(o.Threads, len(ps)))
	for i := range judges {
		d := &judges[i].Driver
		d.Player = r.maker.New()
		defer d.Close()
		d.Start(0, 0, nil)
		if err := d.Prepare(ctx, ps[0].Board.Size()); err != nil {
			return nil, err
		}
	}
	begun := time.Now()
	err := workers.Each(ctx, len(judges), len(ps), func(ctx context.Context, worker, i int) error {
		if o.Time > 0 && i > 0 && time.Since(begun) >= o.Time {
			return nil
		}
		return r.judge(ctx, &judges[worker], i)
	})
	first := 0
	for first < len(ps) && r.done[first].Load() {
		first++
	}
	return r.moves[:first], cmp.Or(ctx.Err(), err)
}

// judging is the player of one worker. It keeps its last decision and reuses it while the position stays the same.
type judging struct {
	player.Driver
	at   eval.Position
	last player.Decision
	next *levels.Judge // estimates the chances of the next tile; nil until needed
	long *levels.Judge // plays the playouts of confirm; nil until needed
}

// judge judges the move of position i and stores the result.
func (r *run) judge(ctx context.Context, s *judging, i int) error {
	p := r.ps[i]
	decision, goal, err := byEnding(ctx, &p, game.ChanceOf4(r.p4))
	if err == nil && goal == 0 {
		if !s.last.OK || s.at != p.Position {
			s.at = p.Position
			s.last, err = s.Decide(ctx, search.NewQuery(p.Board, p.Score).Exact())
		}
		decision = s.last
	}
	if err != nil {
		return err
	}
	decision.Player = r.maker.Spec
	m, err := judged(p, &decision, goal)
	if err != nil {
		return err
	}
	m.P4 = r.p4
	if r.confirm != nil && r.look == SecondLook && goal == 0 && m.Bad() {
		if err := s.confirm(ctx, r.confirm, &m); err != nil {
			return err
		}
	}
	m.Unclear = m.Unclear && !r.last && goal == 0
	if r.level != nil && goal == 0 {
		m.Level = r.level.Name
		if err := s.nextTile(ctx, r.level, &m); err != nil {
			return err
		}
	}
	r.moves[i] = m
	r.done[i].Store(true)
	if r.o.Progress != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.count++
		r.o.Progress(r.look, r.count, len(r.ps))
	}
	return nil
}

// minChance is the minimum chance of the goal at which a solved ending judges a move. Below it, the goal is
// out of reach, and points matter more.
const minChance = 0.01

// byEnding returns a decision with the exact chance of each move to make the goal of a solved ending. It uses only
// endings with free walls: shifting a wall that an ending with fixed walls keeps in place is not a mistake. goal is 0
// if no ending contains the board and the recorded move, or if the best chance is below minChance.
func byEnding(ctx context.Context, p *Position, p4 float64) (d player.Decision, goal int64, err error) {
	if p.Board.Size() != bitboard.Size {
		return d, 0, nil
	}
	table, err := catalog.Ending(ctx, []board.Board{p.Board}, solve.Problem{P4: p4, Free: true})
	if err != nil || table == nil {
		return d, 0, err
	}
	moves, err := table.Moves(&p.Board)
	if errors.Is(err, solve.ErrUnreached) {
		return d, 0, nil
	}
	best, _ := solve.Best(&moves)
	if err != nil || best < minChance || math.IsNaN(moves[p.Played].Value) {
		return d, 0, err
	}
	for i := range moves {
		if best-moves[i].Value <= solve.EndingRounding {
			moves[i].Value = best
		}
	}
	d = player.Decision{Board: p.Board, Unit: eval.Chance, Source: player.Exact}
	d.Moves = moves
	d.Move, d.OK = search.BestMove(&moves)
	return d, table.Problem.Goal, nil
}

// Accuracy returns the accuracy of a move with the given loss. It falls faster on larger boards, with the square root
// of the number of cells: games on smaller boards are shorter, so each move gives away a larger share of its game.
func Accuracy(loss float64, size board.Size) float64 {
	return math.Exp(-1.5 * math.Sqrt(float64(size.Cells())) * loss)
}

// A move needs no second look if it is best and every other move loses clearMargin or more in the first look, or if
// no legal move loses more than noStake.
const (
	clearMargin = 0.05
	noStake     = 0.005
)
