package session

import (
	"cmp"
	"context"
	"encoding/json"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
)

// Experiments implements the methods for experiments. Clients see the text of the errors.
type Experiments interface {
	List(ctx context.Context) ([]protocol.ExperimentInfo, error)
	// OtherStores returns the experiments on other machines that share this machine's workers.
	OtherStores(ctx context.Context) ([]protocol.SharedExperiment, error)
	Show(ctx context.Context, name string) (*protocol.ExperimentResults, error)
	Start(ctx context.Context, q *protocol.StartExperiment) (name string, err error)
	Stop(ctx context.Context, name string) error
	// Remove removes an experiment with all its games, and stops it if it is being played.
	Remove(ctx context.Context, name string) error
	Games(ctx context.Context, q *protocol.FindGames) (*protocol.ExperimentGames, error)
	Record(ctx context.Context, q *protocol.FindGame) (*protocol.GameRecord, error)
	Records(ctx context.Context, q *protocol.FindRecords) (*protocol.ExperimentRecords, error)
	Report(ctx context.Context, name string) (*protocol.ExperimentReport, error)
}

// Training implements training.list, training.show and training.start. Errors other than NoRun, NoMetrics and
// ErrNoStart are system failures.
type Training interface {
	List() (protocol.TrainingList, error)
	// Start starts the first run. It fails with ErrNoStart unless List reports CanStart.
	Start() (run string, err error)
	Show(run string, from int64) (protocol.Training, error)
}

// Connection is a persistent connection to a client, as needed for watching games. Its methods must
// not block.
type Connection interface {
	// Offer queues the newest frame of a game and replaces an older one that is not sent yet.
	// Notices about the connection itself have an empty game name. The connection must not modify
	// the frame.
	Offer(game string, frame []byte)
	// Drop removes the queued frame of a game.
	Drop(game string)
	// Cancel cancels the request with this id, if it is waiting or running.
	Cancel(id json.RawMessage)
}

// Host is the state shared by all clients of a process: players, watched games and limits. Create
// one per process.
type Host struct {
	o        Options
	current  atomic.Pointer[catalog.Maker] // the player for requests that name no player
	searches Slots
	games    *watchedGames
	gate     Slots // slots for watched games that compute; separate, so that long games do not delay searches
	pictures Slots // one slot: one picture is read at a time
	solving  solving
}

// fill replaces zeros with defaults.
func (o *Options) fill() {
	o.Searches, o.SearchTime, o.Games = cmp.Or(o.Searches, runtime.GOMAXPROCS(0)), cmp.Or(o.SearchTime, 10*time.Second), cmp.Or(o.Games, 16)
	if o.Training == nil {
		o.Training = noTraining{}
	}
}

// NewHost returns a Host. It fails if the player needs future spawns, which requests cannot
// provide.
func NewHost(o Options) (*Host, error) {
	if err := askable(o.Player); err != nil {
		return nil, err
	}
	o.fill()
	h := &Host{
		o: o, searches: make(Slots, o.Searches), games: &watchedGames{limit: o.Games, all: map[string]*watchedGame{}},
		gate: make(Slots, o.Searches), pictures: make(Slots, 1), solving: solving{threads: o.Searches},
	}
	h.current.Store(&o.Player)
	return h, nil
}

// SetPlayer sets the player for later requests that name no player. It fails if the player needs
// future spawns.
func (h *Host) SetPlayer(m catalog.Maker) error {
	if err := askable(m); err != nil {
		return err
	}
	h.current.Store(&m)
	return nil
}

// Close ends all watched games and the solve in progress, and waits for them.
func (h *Host) Close() {
	h.solving.close()
	h.games.close()
}

// LongestAnswer returns the maximum time until a request is answered. It includes waiting for a
// search slot and loading a network.
func (h *Host) LongestAnswer() time.Duration { return h.o.SearchTime + 2*loadTime }
