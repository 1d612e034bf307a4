package levels

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/internal/yield"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Options configures the playouts. The zero value selects the defaults.
type Options struct {
	// Playouts is the number of playouts after each move that may be the best; other moves get a quarter of them.
	// Zero means [Playouts].
	Playouts int
	// Moves is the length of a playout in moves, not counting the judged move. Zero means 25 for a level that slips,
	// and otherwise half the sum of the tiles, but at least 60 and at most 1000. A negative value means that games
	// are played to the end.
	Moves   int
	Seed    uint64  // seed of spawns and slips
	P4      float64 // probability of a 4; see game.ChanceOf4
	Threads int     // number of goroutines; 0: GOMAXPROCS. The result does not depend on it.
}

// Playouts is the default of Options.Playouts.
const Playouts = 1000

// defaultMoves returns the default of Options.Moves. After half as many moves as the sum of the tiles, that sum has
// about doubled. A strong player needs that many moves to move misplaced large tiles back, and until then the network's
// values are wrong. A level that slips needs only 25 moves.
func (l *Level) defaultMoves(b *board.Board) int {
	if l.Slips > 0 {
		return 25
	}
	return int(min(max(b.Sum()/2, 60), 1000))
}

// Judge measures the values of moves for a level: the expected number of points that the level scores from the move to
// the end of the game. It is not safe for concurrent use.
type Judge struct {
	Level   Level
	o       Options
	network *ntuple.Network
	threads []*learn.Rollouts
	values  []float64 // values of the playouts, by move and playout number
}

// NewJudge returns a Judge for a level. It returns an error if the level's network cannot be
// loaded.
func NewJudge(level Level, o Options) (*Judge, error) {
	o.Playouts, o.P4 = cmp.Or(o.Playouts, Playouts), game.ChanceOf4(o.P4)
	network, err := level.Network()
	if err != nil {
		return nil, err
	}
	j := &Judge{Level: level, o: o, network: network, values: make([]float64, 4*o.Playouts)}
	for range cmp.Or(max(o.Threads, 0), runtime.GOMAXPROCS(0)) {
		r := learn.NewRollouts(network, learn.Lanes, o.P4)
		r.Slips = level.Slips
		j.threads = append(j.threads, r)
	}
	return j, nil
}

// Points holds the expected further score of a level after each move on a board.
type Points struct {
	// Best is the legal move with the largest mean in a separate set of playouts, so that the choice does
	// not bias its mean. OK is false if no move is legal.
	Best  board.Direction
	OK    bool
	Moves [4]Move
	// Expected is the mean over the moves, weighted with the probability that the level makes each
	// move.
	Expected float64
}

// Move holds the result for one move on a board.
type Move struct {
	Legal bool
	Mean  float64        // expected further score of the level, including the move's reward
	CI    stats.Interval // 95 % interval of Mean
	// Loss is the mean of the best move minus the mean of this move, from pairs of playouts with equal random
	// numbers; 0 for the best move. It may be negative.
	Loss   float64
	LossCI stats.Interval // 95 % interval of Loss
}

// Points measures each legal move of a board by playouts. It returns an error if ctx ends first, if
// the board does not have the size of the level, or if it has a tile that the level's network does
// not know.
func (j *Judge) Points(ctx context.Context, b board.Board) (points Points, err error) {
	legal := b.Legal()
	starts, err := j.starts(&b, legal)
	if err != nil {
		return points, err
	}
	if len(legal) == 0 {
		return points, nil
	}
	best, near, err := j.choose(ctx, starts)
	if err != nil {
		return points, err
	}
	initial := j.o.firstPlayouts()
	if err := j.play(ctx, starts, numbers[:len(legal)], j.value, measuring, 0, initial); err != nil {
		return points, err
	}
	if err := j.play(ctx, starts, near, j.value, measuring, initial, j.o.Playouts); err != nil {
		return points, err
	}
	points.Best, points.OK = legal[best], true
	for i, d := range legal {
		n := initial
		if slices.Contains(near, i) {
			n = j.o.Playouts
		}
		m := &points.Moves[d]
		m.Legal = true
		m.Mean, m.CI = stats.Mean(j.of(i, n))
		if i != best {
			m.Loss, m.LossCI = stats.Paired(j.of(best, n), j.of(i, n))
		}
	}
	if j.Level.Slips == 0 {
		points.Expected = points.Moves[points.Best].Mean
		return points, nil
	}
	values, err := j.Level.Moves(&b)
	if err != nil {
		return points, err
	}
	worth := each.Of(legal, func(d board.Direction) float64 { return points.Moves[d].Mean })
	points.Expected = learn.SlipMean(values, j.Level.Slips, worth)
	return points, nil
}

// starts returns rollouts that start from the afterstates of the given moves on a board.
func (j *Judge) starts(b *board.Board, moves []board.Direction) (starts []learn.Rollout, err error) {
	if b.Size() != j.network.Size {
		return nil, fmt.Errorf("the level is for %v boards, but this board is %v", j.network.Size, b.Size())
	}
	last := max(0, cmp.Or(j.o.Moves, j.Level.defaultMoves(b)))
	for _, d := range moves {
		after, reward, _ := b.Slide(d)
		r := learn.Rollout{Score: reward, Last: last}
		if !r.Place(&after) {
			return nil, tooLarge(b)
		}
		starts = append(starts, r)
	}
	return starts, nil
}

func tooLarge(b *board.Board) error {
	largest := board.Tile(bitboard.MaxExponent)
	return fmt.Errorf("levels know tiles up to %d, and the board has a %d", largest, board.Tile(b.Largest()))
}

// choose returns the index of the best move, and the indices of the moves that get all playouts: the best move and
// all moves that are not clearly worse after the first quarter of the playouts.
func (j *Judge) choose(ctx context.Context, starts []learn.Rollout) (best int, near []int, err error) {
	if len(starts) == 1 {
		return 0, []int{0}, nil
	}
	initial, all := j.o.firstPlayouts(), numbers[:len(starts)]
	if err := j.play(ctx, starts, all, j.value, choosing, 0, initial); err != nil {
		return 0, nil, err
	}
	best = j.top(all, initial)
	for _, i := range all {
		loss, ci := stats.Paired(j.of(best, initial), j.of(i, initial))
		if !(loss > clearlyWorse*ci.Half()) { // also true for a single playout, whose half width is NaN
			near = append(near, i)
		}
	}
	if len(near) == 1 {
		return best, near, nil
	}
	err = j.play(ctx, starts, near, j.value, choosing, initial, j.o.Playouts)
	return j.top(near, j.o.Playouts), near, err
}

// numbers lists the possible indices of legal moves.
var numbers = []int{0, 1, 2, 3}

// clearlyWorse decides which moves get no more than the first playouts: those whose mean is below the best one by at
// least clearlyWorse half widths of a 95 % interval. 1.5 half widths are about three standard errors.
const clearlyWorse = 1.5

// firstPlayouts returns the number of playouts that every move gets.
func (o *Options) firstPlayouts() int { return max(1, o.Playouts/4) }

// top returns the index of the move whose first n playouts have the largest mean.
func (j *Judge) top(moves []int, n int) (best int) {
	highest := math.Inf(-1)
	for _, i := range moves {
		if mean, _ := stats.Mean(j.of(i, n)); mean > highest {
			best, highest = i, mean
		}
	}
	return best
}

// of returns the values of the first n playouts after legal move number i.
func (j *Judge) of(i, n int) []float64 { return j.values[i*j.o.Playouts:][:n] }

// value returns the value of a playout: its score plus, unless the game is over, the network's value of
// the last board.
func (j *Judge) value(r *learn.Rollout) float64 {
	if r.End == learn.GameOver {
		return float64(r.Score)
	}
	return float64(r.Score) + float64(r.Value(j.network))
}

// Compare measures by paired playouts how many points the second of two legal moves on a board loses compared with
// the first. best is the mean value of the first move. ci is the 95 % interval of the loss. Compare starts with a
// quarter of the playouts, and doubles their number until decided returns true or all playouts are used.
func (j *Judge) Compare(
	ctx context.Context, b board.Board, moves [2]board.Direction, decided func(best float64, ci stats.Interval) bool,
) (best, loss float64, ci stats.Interval, err error) {
	starts, err := j.starts(&b, moves[:])
	if err != nil {
		return 0, 0, ci, err
	}
	for from, to := 0, j.o.firstPlayouts(); from < j.o.Playouts; from, to = to, min(2*to, j.o.Playouts) {
		if err := j.play(ctx, starts, numbers[:2], j.value, measuring, from, to); err != nil {
			return 0, 0, ci, err
		}
		best, _ = stats.Mean(j.of(0, to))
		if loss, ci = stats.Paired(j.of(0, to), j.of(1, to)); decided(best, ci) {
			break
		}
	}
	return best, loss, ci, nil
}

// Chances returns the chance that the level makes a tile of the given exponent after each of two legal moves on a
// board, from games played to the end. differ reports whether the 95 % interval of the difference excludes 0.
func (j *Judge) Chances(
	ctx context.Context, b board.Board, moves [2]board.Direction, exponent uint8,
) (chances [2]float64, differ bool, err error) {
	starts, err := j.starts(&b, moves[:])
	if err != nil {
		return chances, false, err
	}
	for i := range starts {
		starts[i].Last, starts[i].Until = 0, exponent
	}
	made := func(r *learn.Rollout) float64 {
		if r.End == learn.GameOver {
			return 0
		}
		return 1
	}
	all, played := min(chanceGames, j.o.Playouts), 0
	for _, games := range []int{max(1, all/4), all} {
		if err := j.play(ctx, starts, numbers[:2], made, measuring, played, games); err != nil {
			return chances, false, err
		}
		for i := range chances {
			chances[i], _ = stats.Mean(j.of(i, games))
		}
		difference, ci := stats.Paired(j.of(0, games), j.of(1, games))
		differ = ci.Low > 0 || ci.High < 0
		if math.Abs(difference) <= ci.Half()/2 {
			break // the remaining games are unlikely to show a significant difference
		}
		played = games
	}
	return chances, differ, nil
}

// chanceGames is the maximum number of complete games that Chances plays after each move. Chances plays only a
// quarter of them if these show that the chances differ little.
const chanceGames = 300

// choosing and measuring are the first playout numbers for choosing the best move and for measuring all moves. They
// differ so that the two use different random numbers.
const choosing, measuring = 0, 1 << 32

// play plays the playouts with the numbers from to to-1 for each move whose index in starts is listed in of, and stores
// their values in j.values. Playout i draws its random numbers from stream first+i.
func (j *Judge) play(
	ctx context.Context, starts []learn.Rollout, of []int, value func(*learn.Rollout) float64, first uint64, from, to int,
) error {
	threads := len(j.threads)
	return workers.Try(ctx, threads, func(ctx context.Context, k int) error {
		next := k
		stop := func() bool {
			yield.Point()
			return ctx.Err() != nil
		}
		j.threads[k].Play(stop, func(r *learn.Rollout) bool {
			if next >= (to-from)*len(of) {
				return false
			}
			move, playout := of[next/(to-from)], from+next%(to-from)
			*r = starts[move]
			r.Tag = uint64(move*j.o.Playouts + playout)
			r.Spawn.Seed(j.o.Seed, first+uint64(playout))
			r.Slip.Seed(^j.o.Seed, first+uint64(playout))
			next += threads
			return true
		}, func(r *learn.Rollout) {
			j.values[r.Tag] = value(r)
		})
		return ctx.Err()
	})
}
