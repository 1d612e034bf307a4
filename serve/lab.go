package serve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"afterstate/arena"
	"afterstate/player"
	"afterstate/wire"
)

// Lab are experiments that live in memory, as long as the program: for trying things
// out where there is no store.
type Lab struct {
	caps    player.Capabilities
	workers int
	think   time.Duration // longest time of a move
	ctx     context.Context
	end     context.CancelFunc
	running sync.WaitGroup

	mu  sync.Mutex
	all []*trial // the oldest first
}

// trial is one of them.
type trial struct {
	info    wire.ExperimentInfo
	results *arena.Results
	stop    context.CancelFunc
}

const (
	mostTrials  = 50 // kept
	mostRunning = 2
)

// NewLab is a lab whose players play on so many workers. Close ends all of them.
func NewLab(caps player.Capabilities, workers int) *Lab {
	ctx, end := context.WithCancel(context.Background())
	return &Lab{caps: caps, workers: workers, think: 10 * time.Second, ctx: ctx, end: end}
}

// Close ends all experiments.
func (l *Lab) Close() {
	l.end()
	l.running.Wait()
}

// List tells all experiments.
func (l *Lab) List(context.Context) ([]wire.ExperimentInfo, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []wire.ExperimentInfo
	for _, t := range slices.Backward(l.all) {
		all = append(all, t.info)
	}
	return all, nil
}

// Results are the finished games of an experiment.
func (l *Lab) Results(_ context.Context, name string) (*arena.Results, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.find(name)
	if t == nil {
		return nil, ErrNoExperiment
	}
	r := *t.results
	r.Players = slices.Clone(r.Players)
	for i := range r.Players {
		r.Players[i].Games = slices.Clone(r.Players[i].Games)
	}
	return &r, nil
}

func (l *Lab) find(name string) *trial {
	for _, t := range l.all {
		if t.info.Name == name {
			return t
		}
	}
	return nil
}

// Start begins an experiment.
func (l *Lab) Start(_ context.Context, e wire.StartExperiment) (string, error) {
	exp := arena.Experiment{Size: e.Size, Seed: e.Seed, Games: e.Games, Until: e.Until, Workers: l.workers}
	results := &arena.Results{Size: e.Size, Seed: e.Seed, Games: e.Games, Until: e.Until}
	var names []string
	for _, text := range e.Players {
		m, err := player.Parse(text, l.caps)
		if err != nil {
			return "", err
		}
		if slices.Contains(names, m.Spec) {
			return "", fmt.Errorf("%s takes part twice", m.Spec)
		}
		names = append(names, m.Spec)
		exp.Players = append(exp.Players, arena.Entrant{
			Name: m.Spec, Foresees: m.Foresees, TimeLimited: m.TimeLimited,
			New: func() (player.Player, error) { return l.patient(m.New()), nil },
		})
		results.Players = append(results.Players, arena.Played{Name: m.Spec, Foresees: m.Foresees, TimeLimited: m.TimeLimited})
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.room(&e); err != nil {
		return "", err
	}
	ctx, stop := context.WithCancel(l.ctx)
	t := &trial{
		info:    wire.ExperimentInfo{Name: e.Name, Size: e.Size, Players: names, Games: e.Games, Running: true},
		results: results, stop: stop,
	}
	l.all = append(l.all, t)
	l.running.Go(func() { l.run(ctx, t, exp) })
	return e.Name, nil
}

// patient lets a player's thoughts end in time; one that sees the future goes on
// seeing it.
func (l *Lab) patient(p player.Player) player.Player {
	limited := &patient{p, l.think}
	if seer, ok := p.(player.Seer); ok {
		return &patientSeer{limited, seer}
	}
	return limited
}

type patientSeer struct {
	*patient
	player.Seer
}

// room finds a name and a place for an experiment.
func (l *Lab) room(e *wire.StartExperiment) error {
	running := 0
	for _, t := range l.all {
		if t.info.Running {
			running++
		}
	}
	switch {
	case l.ctx.Err() != nil:
		return errors.New("the server ends")
	case running >= mostRunning:
		return fmt.Errorf("%d experiments are running: want one of them to end or to be stopped", running)
	case e.Name != "" && l.find(e.Name) != nil:
		return fmt.Errorf("there is an experiment %s already: want another name", short(e.Name))
	}
	for n := len(l.all) + 1; e.Name == "" || l.find(e.Name) != nil; n++ {
		e.Name = fmt.Sprintf("trial-%d", n)
	}
	if len(l.all) >= mostTrials {
		done := slices.IndexFunc(l.all, func(t *trial) bool { return !t.info.Running })
		l.all = slices.Delete(l.all, done, done+1)
	}
	return nil
}

func (l *Lab) run(ctx context.Context, t *trial, exp arena.Experiment) {
	defer t.stop()
	_, err := arena.Run(ctx, exp, func(g arena.Game) {
		l.mu.Lock()
		defer l.mu.Unlock()
		p := &t.results.Players[g.Player]
		p.Games = append(p.Games, g)
		t.info.Finished++
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	t.info.Running = false
	switch {
	case errors.Is(err, context.Canceled):
		t.info.Trouble = "stopped"
	case err != nil:
		t.info.Trouble = err.Error()
	}
}

// Stop ends an experiment that runs.
func (l *Lab) Stop(_ context.Context, name string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.find(name)
	if t == nil {
		return ErrNoExperiment
	}
	t.stop()
	return nil
}
