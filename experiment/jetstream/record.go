package jetstream

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/protocol"
)

// Limits of what a worker announces about its work: an announcement has at most smallSize bytes.
const (
	maxReason   = 1 << 10 // bytes
	maxPlaying  = 16      // players
	maxFailures = 32
)

// record is what a worker announces about its work. The mutex of its WorkerConn guards it.
type record struct {
	active   int // chunks
	since    time.Time
	idle     time.Time // since when there are no chunks
	failures map[failureKey]*protocol.WorkerFailure
}

type failureKey struct {
	kind               protocol.FailureKind
	experiment, player string
}

func newRecord(now time.Time) record {
	return record{since: now, idle: now, failures: map[failureKey]*protocol.WorkerFailure{}}
}

// began notes that a chunk was taken. A short pause between two chunks is no waiting.
func (r *record) began(now time.Time) {
	if r.active == 0 && (r.since == r.idle || now.Sub(r.idle) > announceEvery) {
		r.since = now
	}
	r.active++
}

// ended notes that a chunk has ended.
func (r *record) ended(now time.Time) {
	if r.active--; r.active == 0 {
		r.idle = now
	}
}

// state returns what the worker does, and for how many seconds.
func (r *record) state(now time.Time) (state protocol.WorkerState, seconds float64) {
	if r.active > 0 {
		return protocol.WorkerPlaying, now.Sub(r.since).Seconds()
	}
	return protocol.WorkerWaiting, now.Sub(r.idle).Seconds()
}

// fail counts failures of one kind at a player. Those of players beyond a limit count together.
func (r *record) fail(kind protocol.FailureKind, l *lease, n int64, reason string) {
	at := failureKey{kind, l.lane.experiment.Name, l.chunk.Player}
	if r.failures[at] == nil && len(r.failures) >= maxFailures {
		at.experiment, at.player = "", ""
	}
	f := r.failures[at]
	if f == nil {
		f = &protocol.WorkerFailure{Kind: kind, Experiment: at.experiment, Player: at.player}
		r.failures[at] = f
	}
	f.Count += n
	f.Reason = reason[:min(len(reason), maxReason)]
}

// all returns the failures in a fixed order.
func (r *record) all() []protocol.WorkerFailure {
	sorted := slices.SortedFunc(maps.Values(r.failures), func(a, b *protocol.WorkerFailure) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Experiment, b.Experiment), cmp.Compare(a.Player, b.Player))
	})
	return each.Of(sorted, func(f *protocol.WorkerFailure) protocol.WorkerFailure { return *f })
}

// playing returns what the cores of a worker play: the players with most cores. Its mutex is held.
func (w *WorkerConn) playing(now time.Time) (all []protocol.PlayedChunks) {
	at := map[[2]string]int{}
	for _, l := range w.held {
		if l.ended {
			continue
		}
		key := [2]string{l.lane.experiment.Name, l.chunk.Player}
		i, known := at[key]
		if !known {
			i = len(all)
			at[key] = i
			all = append(all, protocol.PlayedChunks{Experiment: key[0], Player: key[1]})
		}
		p := &all[i]
		p.Cores++
		if held := now.Sub(l.taken).Seconds(); p.Cores == 1 || held > p.ForS {
			p.First, p.Last, p.ForS = l.chunk.First, l.chunk.First+uint64(l.chunk.Games)-1, held
		}
	}
	slices.SortFunc(all, func(a, b protocol.PlayedChunks) int {
		return cmp.Or(cmp.Compare(b.Cores, a.Cores), cmp.Compare(a.Experiment, b.Experiment), cmp.Compare(a.Player, b.Player))
	})
	return all[:min(len(all), maxPlaying)]
}
