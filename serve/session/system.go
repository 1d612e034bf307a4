//go:build !js

package session

import (
	"context"
	"crypto/rand"
	"errors"
	"log"

	"github.com/afterstate2048/afterstate/protocol"
)

// ServerExperiments is implemented by the Experiments of a server. It adds methods that an engine
// in a browser lacks.
type ServerExperiments interface {
	Experiments
	// Workers returns the workers that play for this server, and the jobs that are waiting for
	// workers.
	Workers(ctx context.Context) (*protocol.WorkerList, error)
	// Evidence returns the ranking of an experiment's players, based on the games so far.
	Evidence(ctx context.Context, name string) (*protocol.Evidence, error)
}

// serverMethods are the methods that only servers have. Leaving them out makes the engine in a
// browser smaller.
var serverMethods = []Method{
	served[protocol.WorkerList]("experiments.workers", Immediate, func(x ServerExperiments, ctx context.Context, _ *none) (any, error) {
		return x.Workers(ctx)
	}),
	served[protocol.Evidence]("experiments.evidence", Ordered, func(x ServerExperiments, ctx context.Context, p *protocol.ExperimentRef) (any, error) {
		return x.Evidence(ctx, p.Name)
	}),
}

// served returns a method that calls answer with the host's ServerExperiments.
func served[R, P any](name string, slot Slot, answer func(ServerExperiments, context.Context, *P) (any, error)) Method {
	return stored[R](name, slot, func(x Experiments, ctx context.Context, p *P) (any, error) {
		if s, ok := x.(ServerExperiments); ok {
			return answer(s, ctx, p)
		}
		return nil, errors.New("this server does not play experiments")
	})
}

// logf logs with the standard logger.
func logf(format string, args ...any) { log.Printf(format, args...) }

// secret returns a random text that cannot be guessed.
func secret() string { return rand.Text() }
