package learn

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"afterstate/bitboard"
	"afterstate/board"
	"afterstate/game"
	"afterstate/ntuple"
)

// trained is a network that knows a little.
func trained(t *testing.T, size board.Size, name string, stages ...ntuple.Stage) *ntuple.Network {
	t.Helper()
	n := network(t, size, name, stages...)
	if err := trainer(t, Options{Network: n, Games: 200}).Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return n
}

// slowly is a game of Play by package game and one value at a time.
func slowly(t *testing.T, n *ntuple.Network, seed, index uint64) Game {
	t.Helper()
	g, err := game.New(game.Options{Size: n.Size, Spawner: game.NewRandom(seed, index, game.P4), Endless: true})
	if err != nil {
		t.Fatal(err)
	}
	for !g.Over() {
		b := g.Board()
		word, _ := ntuple.Pack(&b)
		seen := unword(n.View(word), n.Size)
		var best board.Direction
		var most float32
		found := false
		for d := range board.Direction(4) {
			after, _, moved := b.Slide(d)
			_, reward, _ := seen.Slide(d)
			word, ok := ntuple.Pack(&after)
			if !ok {
				t.Fatalf("%v is no board for a network", after)
			}
			if v := n.Value(word) + float32(reward); moved && (!found || v > most) {
				best, most, found = d, v, true
			}
		}
		if err := g.Move(best); err != nil {
			t.Fatal(err)
		}
	}
	b := g.Board()
	final, _ := ntuple.Pack(&b)
	return Game{Score: g.Score(), Moves: g.Moves(), Final: final}
}

// unword is ntuple.Word backwards.
func unword(w bitboard.Board, size board.Size) board.Board {
	b := board.New(size)
	for i := range size.Cells() {
		b.Set(i, w.Cell(4*(i/size.Cols)+i%size.Cols))
	}
	return b
}

// Play's games are those of the plain loop with any number of threads, and leave the
// network alone.
func TestPlay(t *testing.T) {
	downgrading := trained(t, size4, "5x4")
	downgrading.Downgrade = 8
	for _, n := range []*ntuple.Network{
		downgrading, trained(t, size4, "5x4"), trained(t, size4, "2x4", ntuple.Stage{}, ntuple.Stage{7}), trained(t, size3, "3x4"),
	} {
		before := n.Checksum()
		var want []Game
		for i := range uint64(8) {
			want = append(want, slowly(t, n, 3, i))
		}
		for _, threads := range []int{0, 3} {
			got, err := Play(context.Background(), PlayOptions{Network: n, Seed: 3, Games: 8, Threads: threads})
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%v, %d threads: %+v, %v; want %+v", n.Size, threads, got, err, want)
			}
		}
		if n.Checksum() != before {
			t.Errorf("%v: playing changed the network", n.Size)
		}
	}
}

// looks is a context that ends after so many looks at it.
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

// An ended context leaves the games that were begun, all of them whole.
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
		"needs a network":             {},
		"-1 threads: want 1 to 1024":  {Network: network(t, size4, "2x4"), Threads: -1},
		"1025 threads: want 1 to 102": {Network: network(t, size4, "2x4"), Threads: 1025},
	} {
		if _, err := Play(context.Background(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
