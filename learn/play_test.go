package learn

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// trained is a briefly trained network.
func trained(t *testing.T, size board.Size, name string, stages ...ntuple.Stage) *ntuple.Network {
	t.Helper()
	n := network(t, size, name, stages...)
	must.Do(t, trainer(t, Options{Network: n, Games: 200}).Run(context.Background()))
	return n
}

// slowly plays a reference game for Play: with package game, one value at a time.
func slowly(t *testing.T, n *ntuple.Network, seed, index uint64) Outcome {
	t.Helper()
	g := must.Get(game.New(game.Options{Size: n.Size, Spawner: game.NewRandom(seed, index, game.P4)}))(t)
	for !g.Over() {
		best, _ := bestSlowly(n, g.Board())
		must.Do(t, g.Move(best))
	}
	return Outcome{Score: g.Score(), Moves: g.Moves(), Final: g.Board()}
}

// bestSlowly is the best move on a board and its reward + value, chosen by search.BestMove.
func bestSlowly(n *ntuple.Network, b board.Board) (best board.Direction, value float32) {
	seen := n.DowngradeWide(b)
	if !n.Wide() {
		word, _ := ntuple.Pack(&b)
		seen = ntuple.Unpack(n.DowngradeBoard(word), n.Size)
	}
	var moves [4]search.MoveValue
	for d := range board.Direction(4) {
		after, _, moved := b.Slide(d)
		_, reward, _ := seen.Slide(d)
		if moved {
			moves[d] = search.MoveValue{Legal: true, Value: float64(n.ValueOf(&after) + float32(reward))}
		}
	}
	best, _ = search.BestMove(&moves)
	return best, float32(moves[best].Value)
}

// wide is a briefly trained network for boards that do not fit into a word; it downgrades some of them.
func wide(t *testing.T, size string, stages ...ntuple.Stage) *ntuple.Network {
	t.Helper()
	s := must.Get(board.ParseSize(size))(t)
	n := network(t, s, "0123 01267", stages...)
	must.Do(t, trainer(t, Options{Network: n, Games: 30, Downgrade: 256}).Run(context.Background()))
	return n
}

// Play's games are those of the reference with any number of threads, and the network is unchanged.
func TestPlay(t *testing.T) {
	downgrading := trained(t, size4, "5x4")
	downgrading.Downgrade = 8
	for _, n := range []*ntuple.Network{
		downgrading, trained(t, size4, "5x4"), trained(t, size4, "2x4", ntuple.Stage{}, ntuple.Stage{7}), trained(t, size3, "3x4"),
		trained(t, board.Size{Rows: 3, Cols: 5}, "0123 01567 567ab"), trained(t, board.Size{Rows: 6, Cols: 2}, "02468 0123"),
		wide(t, "5x5", ntuple.Stage{}, ntuple.Stage{8, 7}), wide(t, "3x6"),
	} {
		before := n.Checksum()
		var want []Outcome
		for i := range uint64(8) {
			want = append(want, slowly(t, n, 3, i))
		}
		for _, threads := range []int{0, 3} {
			got, err := Play(context.Background(), PlayOptions{Network: n, Seed: 3, Games: 8, Threads: threads})
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%v, %d threads: %+v, %v; want %+v", n.Size, threads, got, err, want)
			}
		}
		must.Equal(t, n.Checksum(), before, n.Size, "the network after playing")
	}
}

// looks is a context that ends after a given number of checks.
type looks struct {
	context.Context
	left atomic.Int64
}

func (c *looks) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// When the context ends, the games in progress are completed and returned.
func TestPlayStops(t *testing.T) {
	n := trained(t, size4, "2x4")
	ctx := &looks{Context: context.Background()}
	ctx.left.Store(20)
	o := PlayOptions{Network: n, Seed: 4, Threads: 2}
	some, err := Play(ctx, o)
	if err != nil || len(some) < 10 {
		t.Fatalf("%d games, %v", len(some), err)
	}
	o.Games = uint64(len(some))
	if same, err := Play(context.Background(), o); err != nil || !slices.Equal(some, same) {
		t.Errorf("%d games until the context ended differ from as many asked for: %v", len(some), err)
	}
	if none, err := Play(ctx, o); err != nil || len(none) != 0 {
		t.Errorf("%d games, %v in an ended context", len(none), err)
	}
}

func TestPlayErrors(t *testing.T) {
	for want, o := range map[string]PlayOptions{
		"needs a network":                     {},
		"-1 threads: must be from 1 to 1024":  {Network: network(t, size4, "2x4"), Threads: -1},
		"1025 threads: must be from 1 to 102": {Network: network(t, size4, "2x4"), Threads: 1025},
	} {
		_, err := Play(context.Background(), o)
		must.Contains(t, fmt.Sprint(err), want)
	}
}

// A search of one ply plays whole games as Play does, move for move: from the first board
// on, with views of boards that every game reaches, and from late boards of real games.
func TestSearchPlaysAsPlay(t *testing.T) {
	late := []string{
		"8192,4096,2048,1024/64,128,256,512/8,16,32,2/4,0,2,0",
		"2,32,64,8192/2,16,128,4096/4,4,256,2048/2,2,512,1024",
		"8,2,512,1024/2,4,256,2048/0,16,128,4096/0,32,64,16384",
		"16384,8192,4096,1024/64,128,256,512/4,8,32,4/4,8,2,2",
		"1024,4096,8192,16384/512,256,128,64/2,4,16,32/2,4,2,2",
		"4,2,512,2048/0,8,256,4096/2,16,128,8192/0,32,64,16384",
		"16384,8192,4096,2048/64,128,256,1024/32,16,4,2/2,2,4,2",
		"2048,4096,8192,16384/1024,256,128,64/4,16,32,4/4,2,2,0",
		"4,16,1024,2048/0,2,512,4096/0,2,256,8192/0,0,64,16384",
		"32768,64,32,2/4096,128,16,2/2048,256,8,0/1024,512,4,0",
		"1024,2048,4096,32768/512,256,128,64/2,8,16,32/0,0,2,4",
		"8,4,0,2/16,32,64,128/1024,512,256,32768/2048,4096,8192,2",
		"32768,128,64,8/16384,256,32,4/8192,512,16,2/2048,1024,2,0",
	}
	for _, n := range []*ntuple.Network{trained(t, size4, "5x4"), trained(t, size4, "2x4", ntuple.Stage{}, ntuple.Stage{7})} {
		moves, viewed := 0, 0
		for i := range uint64(30) {
			follow := n.WithDowngrade(7)
			w := newThread(follow, frozen{})
			w.seed(9, i)
			moves, viewed = searched(t, follow, w, w.fresh(), moves, viewed)
		}
		if moves < 3000 || viewed < 200 {
			t.Errorf("%d moves, %d of them on boards with a view of their own", moves, viewed)
		}
		moves, viewed = 0, 0
		for i, text := range slices.Repeat(late, 8) {
			full := must.Get(board.Parse(text))(t)
			b, _ := ntuple.Pack(&full)
			follow := n.WithDowngrade(14)
			w := newThread(follow, frozen{})
			w.seed(9, uint64(i))
			moves, viewed = searched(t, follow, w, b, moves, viewed)
		}
		if moves < 500 || viewed < 200 {
			t.Errorf("%d late moves, %d of them on boards with a view of their own", moves, viewed)
		}
	}
}

// searched plays a game and compares each of its moves to a search's. It adds the moves, and
// those on boards with a view of their own, to counts.
func searched(t *testing.T, n *ntuple.Network, w *thread[bitboard.Board], from bitboard.Board, moves, viewed int) (int, int) {
	t.Helper()
	fast := search.NewNetwork4(search.ExpectimaxOptions{Plies: 1}, n)
	var boards []bitboard.Board
	w.trace = func(b bitboard.Board) { boards = append(boards, b) }
	w.play(from)
	for i, b := range boards[:len(boards)-1] {
		r := must.Get(fast.Search(context.Background(), search.NewQuery(b.Board(), 0)))(t)
		after, _, _ := b.Slide(r.Move)
		tile, free := boards[i+1]^after, after.EmptyMask()
		if !r.OK || tile.Empty() != 15 || uint64(tile)&^(free|free<<1) != 0 {
			t.Fatalf("%v: the search goes %v (%+v), Play comes to %v", b.Board(), r.Move, r.Moves, boards[i+1].Board())
		}
		if n.DowngradeBoard(b) != b {
			viewed++
		}
	}
	return moves + len(boards) - 1, viewed
}
