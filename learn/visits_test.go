package learn

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
)

// Every afterstate of every fourth move visits all features once, with any number of threads.
func TestVisits(t *testing.T) {
	n := network(t, size4, "2x4", ntuple.Stage{}, ntuple.Stage{6})
	n.Downgrade = 8
	train(t, Options{Network: n, Games: 100, ReportEvery: 100})
	done := 0
	o := PlayOptions{Network: n, Seed: 3, Games: 10, Done: func() { done++ }}
	one, err := Visits(context.Background(), o)
	if err != nil || len(one) != 2 || len(one[0]) != n.Entries() || done != 10 {
		t.Fatal(len(one), done, err)
	}
	games := must.Get(Play(context.Background(), o))(t)
	counted, boards := 0, 0
	for _, g := range games {
		counted += (g.Moves + 1) / 4 // one in four of the boards before a move and the last board
	}
	for s := range one {
		sum := 0
		for _, c := range one[s] {
			sum += int(c)
		}
		if sum == 0 || sum%n.Features() != 0 {
			t.Errorf("stage %d: %d visits", s, sum)
		}
		boards += sum / n.Features()
	}
	if per := float64(boards) / float64(counted); per < 1.5 || per > 4 {
		t.Errorf("%d afterstates at %d moves", boards, counted)
	}
	o.Threads = 3
	three, err := Visits(context.Background(), o)
	if err != nil || !slices.EqualFunc(one, three, slices.Equal[[]uint32]) {
		t.Error("three threads count otherwise than one", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Visits(ctx, o); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := Visits(ctx, PlayOptions{}); err == nil {
		t.Error("no network")
	}
}
