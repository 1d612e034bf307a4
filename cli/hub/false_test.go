//go:build unix

package hub_test

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"

	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/jetstream"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/game"
)

// falsifying changes the games that a worker delivers.
type falsifying struct {
	*jetstream.WorkerConn
	change func(*arena.Recorded)
}

func (f falsifying) Deliver(ctx context.Context, d arena.Delivery) error {
	for i := range d.Games {
		f.change(&d.Games[i])
	}
	return f.WorkerConn.Deliver(ctx, d)
}

// falseWorker plays at the hub with another spawn rule, if spawn is not nil, and changes its games before it delivers
// them. It ends when it is rejected, or with the test.
func (l *lab) falseWorker(change func(*arena.Recorded), spawn func(seed, index uint64) game.Spawner) {
	l.Helper()
	o, err := jetstream.ParseURL(l.WorkerURLs[0])
	if err != nil {
		l.Fatal(err)
	}
	c, err := jetstream.Connect(l.Context(), o)
	if err != nil {
		l.Fatal(err)
	}
	this := program.This()
	signature, err := this.Signature(l.Context())
	if err != nil {
		l.Fatal(err)
	}
	w, err := c.Join(l.Context(), jetstream.WorkerOptions{Info: protocol.Worker{Name: "false", Cores: 1, Version: this.Version, Signature: signature}})
	if err != nil {
		l.Fatal(err)
	}
	honest := (&experiment.WorkerConfig{Capabilities: catalog.Capabilities{}}).Factory(l.Context())
	play := arena.Worker{Queue: falsifying{w, change}, Heartbeat: w.Heartbeat(), Factory: func(c *arena.Chunk) (arena.PlayerFactory, error) {
		f, err := honest(c)
		if spawn != nil {
			f.Spawn = player.SpawnRule{Spec: f.Spawn.Spec, New: spawn}
		}
		return f, err
	}}
	ctx, cancel := context.WithCancel(context.WithoutCancel(l.Context()))
	var ended sync.WaitGroup
	ended.Go(func() {
		if err := play.Work(ctx); err != nil && !errors.Is(err, jetstream.ErrRejected) {
			l.Error(err)
		}
	})
	l.Cleanup(func() {
		cancel()
		ended.Wait()
		_ = w.Close()
		c.Close()
	})
}

// A worker that delivers a number of moves that no record holds, or a game with tiles of its own choice, is rejected.
// The scheduler continues with another worker.
func TestFalseWorkers(t *testing.T) {
	for name, lie := range map[string]struct {
		rule, player, reason string
		change               func(*arena.Recorded)
		spawn                func(seed, index uint64) game.Spawner
	}{
		"moves": {"random", "greedy", "do not hold 9223372036854775807 moves", func(r *arena.Recorded) { r.Moves = math.MaxInt64 }, nil},
		// The player decides by the clock, so that its moves are not compared.
		"tiles": {"adversary", "expectimax(eval=snake,plies=1,time=1h)", "where the spawn rule has a", func(*arena.Recorded) {},
			func(seed, index uint64) game.Spawner { return game.NewRandom(seed, index, game.P4) }},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.startHub()
			words := func(name string) []string {
				return []string{"arena", "run", name, lie.player, "--spawn", lie.rule, "--size", "3x3", "--games", "20"}
			}
			run := l.start("afterstate", append(words("first"), "--nats", "hub", "-j", "0")...)
			l.falseWorker(lie.change, lie.spawn)
			run.says("rejected worker ")
			run.says(lie.reason)
			l.worker()
			run.ends(0)
			l.do(words("alone")...)
			l.same("first", "alone")
		})
	}
}
