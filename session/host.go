package session

import (
	"context"
	"encoding/json"
	"log"
	"runtime"
	"sync/atomic"
	"time"

	"afterstate/player/catalog"
	"afterstate/wire"
)

// HostOptions describe what the clients of a process share. Player is required.
type HostOptions struct {
	Name    string // what hello answers
	Version string
	Player  catalog.Maker // answers requests that name no player
	// Capabilities of the specs in requests. The zero value is right for whatever comes
	// from outside: no programs, no files.
	Capabilities catalog.Capabilities
	Searches     int           // at once; 0: GOMAXPROCS
	SearchTime   time.Duration // of one search at most; 0: 10 s
	Games        int           // watched at once at most; 0: 16
	Experiments  Experiments   // nil: there are none
	Training     Training      // nil: there are no runs
	Log          *log.Logger   // gets the errors whose paths clients do not see; nil: log.Default()
}

// Experiments answers experiments.list and experiments.show. An error's text goes to the
// client.
type Experiments interface {
	List(ctx context.Context) ([]wire.ExperimentInfo, error)
	Show(ctx context.Context, name string) (*wire.Experiment, error)
	ExperimentRunner
}

// ExperimentRunner answers experiments.start and experiments.stop. An error's text goes to
// the client.
type ExperimentRunner interface {
	Start(ctx context.Context, q *wire.StartExperiment) (name string, err error)
	Stop(ctx context.Context, name string) error
}

// Training answers training.list and training.show. Errors beside ErrNoRun and ErrNoMetrics are
// failures of the system.
type Training interface {
	List() ([]wire.TrainingInfo, error)
	Show(run string, from int64) (wire.Training, error)
}

// Connection is a transport that lasts, as clients need it that watch games. No method
// blocks.
type Connection interface {
	// Offer gives the newest frame of a game, a message that the connection must not
	// change. It replaces an older one that was not sent.
	Offer(game string, frame []byte)
	// Drop forgets a game's frame.
	Drop(game string)
	// Cancel ends the context of the request with an id, if it is under way.
	Cancel(id json.RawMessage)
}

// Host is what the clients of a process share: players, watched games, and the limits of
// all requests together. Make one for each process.
type Host struct {
	o       HostOptions
	limiter *searchLimiter
	games   *games
	gate    gate         // watched games that compute
	kept    atomic.Int64 // moves of all open games, for which there is room
}

// NewHost fails if the player needs more than a request says.
func NewHost(o HostOptions) (*Host, error) {
	if err := askable(o.Player); err != nil {
		return nil, err
	}
	if o.Searches <= 0 {
		o.Searches = runtime.GOMAXPROCS(0)
	}
	if o.SearchTime <= 0 {
		o.SearchTime = 10 * time.Second
	}
	if o.Games <= 0 {
		o.Games = 16
	}
	if o.Log == nil {
		o.Log = log.Default()
	}
	return &Host{o: o, limiter: newSearchLimiter(o.Searches), games: newGames(o.Games), gate: make(gate, o.Searches)}, nil
}

// Close ends all watched games and waits for them.
func (h *Host) Close() { h.games.close() }

// LongestAnswer is how long a search waits, loads and computes at most.
func (h *Host) LongestAnswer() time.Duration { return h.o.SearchTime + loadTime + patience }

// Load is what requests and open games take of what a Host limits.
type Load struct {
	Searches int   // requests that compute
	InOrder  int   // requests of lasting connections that wait for a place in their order
	Moves    int64 // of open games, with the room that was made for more
}

// Load tells what is taken at the moment.
func (h *Host) Load() Load {
	return Load{Searches: len(h.limiter.places), InOrder: int(h.limiter.inOrder.Load()), Moves: h.kept.Load()}
}

// MaxMoves is how many moves all open games together may have, at about 4 bytes each.
const MaxMoves = 16 << 20

// Reserve makes room for so many more moves of open games; a negative number gives it back.
// The error is a *wire.Error.
func (h *Host) Reserve(moves int64) error {
	if total := h.kept.Add(moves); moves > 0 && total > MaxMoves {
		h.kept.Add(-moves)
		return wire.Errorf(wire.CodeBusy, "the open games have %d moves, as many as are kept here: want you to ask again later", total-moves)
	}
	return nil
}
