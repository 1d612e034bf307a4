package serve

import (
	"io"
	"time"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/report"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/serve/session"
)

// Limits on experiments that clients start.
const (
	maxRunning     = 2
	maxExperiments = 1000             // maximum number of experiments in the store
	thinkTime      = 10 * time.Second // limit for one decision
)

// NewRunner returns a runner with the limits for experiments that clients start.
func NewRunner(o experiment.RunnerOptions) *experiment.Runner {
	o.MaxRunning, o.MaxExperiments, o.Wrap = maxRunning, maxExperiments, inTime
	o.Report = func(w io.Writer, e *arena.Plan, r *arena.Results) error {
		return report.HTML(w, e.Name+" - Afterstate", []*report.Document{report.Of(e, r)})
	}
	return experiment.NewRunner(o)
}

// inTime limits each decision of a player to thinkTime.
func inTime(p player.Player) player.Player { return session.LimitTime(p, thinkTime) }
