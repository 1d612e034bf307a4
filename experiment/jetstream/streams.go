package jetstream

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	js "github.com/nats-io/nats.go/jetstream"
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
	if _, err := rand.Read(fresh); err != nil {
		return nil, err
	}
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
