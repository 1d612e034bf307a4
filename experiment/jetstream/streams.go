package jetstream

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"

	"github.com/afterstate2048/afterstate/internal/numfmt"
)

const (
	chunkAge   = 14 * 24 * time.Hour
	resultAge  = 30 * 24 * time.Hour
	workerAge  = 10 * time.Minute
	maxWorkers = 1 << 15 // that were heard last: workers can invent others
	maxResults = 4096    // of an experiment that are not stored
	smallSize  = 64 << 10
	// codeNoRoom and codeNoPeers are the errors of a server and of a cluster for a stream that exceeds
	// their storage.
	codeNoRoom, codeNoPeers js.ErrorCode = 10047, 10005
	// leaseKey is the metadata of the stream of chunks with the key of leases. Workers may not read it.
	leaseKey = "afterstate-lease-key"
)

// Prepare creates the streams that do not exist, and keeps room in them until Close, as OpenQueue does, so that
// workers can announce themselves before the first experiment begins.
func (c *Client) Prepare(ctx context.Context) error {
	_, err := c.streams(ctx)
	return err
}

// streams creates the streams that do not exist, guards them, and returns the key of leases.
func (c *Client) streams(ctx context.Context) (key []byte, err error) {
	fresh := make([]byte, 32)
	_, _ = rand.Read(fresh) // never fails
	n := c.names
	chunks, err := c.stream(ctx, js.StreamConfig{
		Name: n.chunks(), Subjects: []string{n.chunk("*", "*", "*")}, Retention: js.WorkQueuePolicy,
		Discard: js.DiscardNew, MaxAge: chunkAge, MaxBytes: 256 << 20, MaxMsgSize: smallSize,
		Metadata: map[string]string{leaseKey: hex.EncodeToString(fresh)},
	})
	if err != nil {
		return nil, err
	}
	if key, err = hex.DecodeString(chunks.CachedInfo().Config.Metadata[leaseKey]); err != nil || len(key) != len(fresh) {
		return nil, fmt.Errorf("stream %s is not one of afterstate: it has no key of leases; choose another namespace", n.chunks())
	}
	for _, config := range []js.StreamConfig{
		{
			Name: n.results(), Subjects: []string{n.result("*"), n.lost("*")}, Retention: js.WorkQueuePolicy,
			Discard: js.DiscardNew, DiscardNewPerSubject: true, MaxMsgsPerSubject: maxResults,
			MaxAge: resultAge, MaxBytes: 1 << 30, Duplicates: 10 * time.Minute,
		},
		{
			Name: n.state(), Subjects: []string{n.experiment("*"), n.owner("*"), n.rejected("*")},
			MaxMsgsPerSubject: 1, MaxBytes: 64 << 20, MaxMsgSize: smallSize, AllowDirect: true, AllowMsgTTL: true,
		},
		{
			Name: n.workers(), Subjects: []string{n.worker("*")}, Storage: js.MemoryStorage,
			MaxMsgsPerSubject: 1, MaxMsgs: maxWorkers, MaxAge: workerAge, MaxBytes: 64 << 20, MaxMsgSize: smallSize, AllowDirect: true,
		},
	} {
		if _, err := c.stream(ctx, config); err != nil {
			return nil, err
		}
	}
	c.guarding.Do(func() { go c.guard() })
	return key, nil
}

// stream returns a stream, and creates it if it does not exist.
func (c *Client) stream(ctx context.Context, config js.StreamConfig) (js.Stream, error) {
	config.Replicas = c.o.Replicas
	s, err := c.js.Stream(ctx, config.Name)
	if !errors.Is(err, js.ErrStreamNotFound) {
		return s, err
	}
	s, err = c.js.CreateStream(ctx, config)
	if errors.Is(err, js.ErrStreamNameAlreadyInUse) { // another scheduler was faster
		return c.js.Stream(ctx, config.Name)
	}
	var api *js.APIError
	if errors.As(err, &api) && (api.ErrorCode == codeNoRoom || api.ErrorCode == codeNoPeers && strings.Contains(api.Description, "storage")) {
		return nil, fmt.Errorf("the server has no room for stream %s: all streams reserve 1.4 GB; free space on its disk, or raise its limit (max_file_store; --max-store of a hub)", config.Name)
	}
	return s, err
}

const (
	guardEvery = 2 * time.Second
	// crowd is the number of results from which on the stream is crowded, whatever their size.
	crowd = 1 << 17
	// refusedFor is how long the server may store nothing before that is reported: the leader of a cluster's
	// stream may change.
	refusedFor = 2 * time.Second
)

// guard purges the stream of results while it fills, and reports a full stream. It returns when the connection is closed.
func (c *Client) guard() {
	n := notice{c: c}
	for more := true; more; more = wait(c.life, guardEvery) {
		ctx, cancel := context.WithTimeout(c.life, confirmTimeout)
		full, err := c.makeRoom(ctx)
		cancel()
		if err == nil {
			n.update(full)
		}
	}
}

// makeRoom removes results that no scheduler waits for from a crowded stream: workers may deliver for experiments
// that do not exist, and for those that are stopped, whose schedulers plan the games again. It returns why the
// stream is full if it still is.
//
// Whatever is older than the first result that a scheduler waits for goes at once: there may be millions of
// subjects.
func (c *Client) makeRoom(ctx context.Context) (full, err error) {
	n := c.names
	s, err := c.js.Stream(ctx, n.results())
	if err != nil {
		return nil, err
	}
	state, room := s.CachedInfo().State, uint64(s.CachedInfo().Config.MaxBytes)
	if state.Bytes <= room/4 && state.Msgs <= crowd {
		return nil, nil
	}
	owners, err := c.subjects(ctx, n.state(), n.owner("*")) // those of later results may be missing
	if err != nil {
		return nil, err
	}
	lost, err := c.subjects(ctx, n.results(), n.lost("*"))
	if err != nil {
		return nil, err
	}
	first := state.LastSeq + 1
	for owner := range owners {
		id := lastToken(owner)
		subjects := []string{n.result(id)}
		for subject := range lost {
			if strings.HasPrefix(lastToken(subject), id+"-") {
				subjects = append(subjects, subject)
			}
		}
		for _, subject := range subjects {
			switch m, err := s.GetMsg(ctx, 1, js.WithGetMsgSubject(subject)); {
			case err == nil:
				first = min(first, m.Sequence)
			case !errors.Is(err, js.ErrMsgNotFound):
				return nil, err
			}
		}
	}
	if first > state.FirstSeq {
		if err := s.Purge(ctx, js.WithPurgeSequence(first)); err != nil {
			return nil, err
		}
	}
	info, err := s.Info(ctx)
	if err == nil && info.State.Bytes > room-room/16 {
		full = fmt.Errorf("stream %s is full: %s MB of results wait for the schedulers of %s", n.results(),
			numfmt.Int(int64(info.State.Bytes/1e6)), numfmt.Count(len(owners), "experiment", "experiments"))
	}
	return full, err
}

// persist is retry for a message that the server is to store. It reports when the server refuses that. Only its
// answers count: the loss of the connection is reported by Options.OnState.
func (c *Client) persist(ctx context.Context, stream string, do func(ctx context.Context) error) error {
	n := notice{c: c}
	defer n.update(nil)
	return c.retry(ctx, func(err error) bool {
		var api *js.APIError
		if errors.As(err, &api) {
			err = errors.New(api.Description)
		} else if !errors.Is(err, js.ErrNoStreamResponse) {
			return !errors.Is(err, nats.ErrMaxPayload) // the server was restarted with less
		}
		n.update(fmt.Errorf("stream %s: %w", stream, err))
		return true
	}, do)
}

// notice is something that the server does not store.
type notice struct {
	c     *Client
	since time.Time // zero: it is stored
	given bool      // it counts in Client.refusals
}

// update notes that it is stored (nil), or why not. Whoever uses the client learns of the first thing that is not stored
// for refusedFor, and when all are stored again.
func (n *notice) update(err error) {
	switch {
	case err == nil && n.given:
		n.c.refuse(-1, n.c.o.URL+" stores games again")
		fallthrough
	case err == nil:
		*n = notice{c: n.c}
	case n.since.IsZero():
		n.since = time.Now()
	case !n.given && time.Since(n.since) >= refusedFor:
		n.given = true
		n.c.refuse(1, fmt.Sprintf("%s stores no more games (%v); trying again", n.c.o.URL, err))
	}
}

// refuse adds to the number of things that the server does not store, and passes the text on if it was or becomes 0.
func (c *Client) refuse(n int, text string) {
	c.reporting.Lock()
	defer c.reporting.Unlock()
	c.refusals += n
	if c.refusals == max(n, 0) {
		c.o.OnNotice(text)
	}
}
