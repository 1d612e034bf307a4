//go:build !js

package session

import (
	"context"
	"crypto/rand"
	"errors"
	"log"
	"os"
	"regexp"
	"strings"

	"github.com/afterstate2048/afterstate/protocol"
)

// absolutePath matches paths at the beginning of a word. Board notations contain no word that
// begins with a slash.
var absolutePath = regexp.MustCompile(`(?:^|[\s"'(=\[<:,])(?:/[^\s"'():;,\\/]+(?:/[^\s"'():;,\\/]*)+|[A-Za-z]:\\[^\s"'():;,]+)`)

var home, _ = os.UserHomeDir() // "" on systems without home folders

// WithoutPaths replaces each absolute path in a text by its last element, unless the path occurs in
// known.
func WithoutPaths(text, known string) string {
	if len(home) > 1 && !strings.Contains(known, home) {
		text = strings.ReplaceAll(text, home+string(os.PathSeparator), "/~/") // the home folder's name may contain spaces
	}
	return absolutePath.ReplaceAllStringFunc(text, func(found string) string {
		at := strings.IndexAny(found, `/\`)
		if at > 1 && found[at-1] == ':' && found[at] == '\\' {
			at -= 2 // include the drive letter
		}
		path := found[at:]
		if strings.Contains(known, path) {
			return found
		}
		path = strings.TrimRight(path, `/\`)
		return found[:at] + path[strings.LastIndexAny(path, `/\`)+1:]
	})
}

// ServerExperiments is what Experiments implement on servers.
type ServerExperiments interface {
	Experiments
	// Workers returns the workers that play for this server, and what waits for them.
	Workers(ctx context.Context) (*protocol.WorkerList, error)
	// Evidence returns the ranking of an experiment's players by its games so far.
	Evidence(ctx context.Context, name string) (*protocol.Evidence, error)
}

// serverMethods are those of servers. A browser's engine is smaller without them.
var serverMethods = []Method{
	served[protocol.WorkerList]("experiments.workers", Immediate, func(x ServerExperiments, ctx context.Context, _ *none) (any, error) {
		return x.Workers(ctx)
	}),
	served[protocol.Evidence]("experiments.evidence", Ordered, func(x ServerExperiments, ctx context.Context, p *protocol.ExperimentRef) (any, error) {
		return x.Evidence(ctx, p.Name)
	}),
}

// served returns the row of a method of ServerExperiments.
func served[R, P any](name string, slot Slot, answer func(ServerExperiments, context.Context, *P) (any, error)) Method {
	return stored[R](name, slot, func(x Experiments, ctx context.Context, p *P) (any, error) {
		if s, ok := x.(ServerExperiments); ok {
			return answer(s, ctx, p)
		}
		return nil, errors.New("this is no server that plays experiments")
	})
}

// logf logs by the standard logger.
func logf(format string, args ...any) { log.Printf(format, args...) }

// secret returns a text that nobody can guess.
func secret() string { return rand.Text() }
