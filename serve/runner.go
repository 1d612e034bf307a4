package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"afterstate/arena"
	"afterstate/arena/report"
	"afterstate/board"
	"afterstate/experiment"
	"afterstate/player"
	"afterstate/player/catalog"
	"afterstate/session"
)

// Limits of experiments that clients start.
const (
	maxRunning     = 2
	maxExperiments = 1000             // experiments in the store
	thinkTime      = 10 * time.Second // limit of one decision
)

// NewRunner returns a runner of experiments with the limits for clients.
func NewRunner(o experiment.RunnerOptions) *experiment.Runner {
	o.MaxRunning, o.MaxExperiments, o.Check, o.Wrap = maxRunning, maxExperiments, fitsMaker, inTime
	o.Report = func(w io.Writer, e *arena.Experiment, r *arena.Results) error {
		return report.HTML(w, e.Name+" - Afterstate", []*report.Document{report.Of(e, r)})
	}
	return experiment.NewRunner(o)
}

// wordRefusal rewords a refusal for clients, who cannot set the flags of arena run.
func wordRefusal(err error) error {
	var r *experiment.Refusal
	if !errors.As(err, &r) {
		return err
	}
	switch {
	case r.Reason == experiment.NamedTwice:
		return fmt.Errorf("%s takes part twice", r.Spec)
	case r.Reason == experiment.BadSpec && r.IsSpawn:
		return fmt.Errorf("its spawn rule: %w", r.Err)
	case r.Reason == experiment.BadSpec:
		return fmt.Errorf("%w: arena run can resume it", r.Err)
	case r.Reason == experiment.FileChanged:
		return fmt.Errorf("%s has changed since it played: arena run can play it on", r.Spec)
	case r.Reason == experiment.OtherProgram:
		return fmt.Errorf("%s was played by another version of the program: arena run --any-version can resume it", r.Spec)
	}
	return err
}

// inTime limits the time of a player's decisions.
func inTime(p player.Player) player.Player { return session.LimitTime(p, thinkTime) }

// fitsMaker returns an error if the players of a maker cannot play a size.
func fitsMaker(_ context.Context, m catalog.Maker, size board.Size) error {
	p := m.New()
	defer player.Close(p)
	_, err := player.Ready(p, size)
	return err
}
