package machines

import (
	"context"
	"errors"
	"time"

	js "github.com/nats-io/nats.go/jetstream"
)

const (
	jobAge    = 14 * 24 * time.Hour
	resultAge = 30 * 24 * time.Hour
	fileAge   = 30 * 24 * time.Hour
	// queueAge is when the queue of a scheduler that was killed is free for another one.
	queueAge   = 10 * time.Second
	queueEvery = 3 * time.Second
	// workerAge is when a worker of which nothing was heard counts no more.
	workerAge   = 20 * time.Second
	workerEvery = 5 * time.Second
	// repeated is how long the server recognizes a result that is sent again.
	repeated = 10 * time.Minute
)

// Prepare creates the streams and buckets that do not exist. Those that exist keep their settings.
func (c *Client) Prepare(ctx context.Context) error {
	n := c.names
	for _, config := range []js.StreamConfig{
		{Name: n.jobs(), Subjects: []string{n.job("*", "*", "*")}, Retention: js.WorkQueuePolicy, MaxAge: jobAge},
		{Name: n.results(), Subjects: []string{n.result("*")}, Retention: js.WorkQueuePolicy, MaxAge: resultAge, Duplicates: repeated},
	} {
		if _, err := c.js.CreateStream(ctx, config); err != nil && !errors.Is(err, js.ErrStreamNameAlreadyInUse) {
			return err
		}
	}
	for _, config := range []js.KeyValueConfig{{Bucket: n.queues(), TTL: queueAge}, {Bucket: n.workers(), TTL: workerAge}} {
		if _, err := c.js.CreateKeyValue(ctx, config); err != nil && !errors.Is(err, js.ErrBucketExists) {
			return err
		}
	}
	_, err := c.js.CreateObjectStore(ctx, js.ObjectStoreConfig{Bucket: n.files(), TTL: fileAge})
	if errors.Is(err, js.ErrBucketExists) {
		return nil
	}
	return err
}

// consumer returns the consumer of a lane, from which all its workers take jobs.
func (c *Client) consumer(ctx context.Context, lane string) (js.Consumer, error) {
	return c.js.CreateOrUpdateConsumer(ctx, c.names.jobs(), js.ConsumerConfig{
		Durable: lane, FilterSubject: c.names.job(lane, "*", "*"), AckPolicy: js.AckExplicitPolicy, AckWait: c.o.Silence,
		MaxAckPending: -1, MaxWaiting: maxCores, InactiveThreshold: jobAge,
	})
}

// maxCores is the number of cores that may wait for jobs of a lane.
const maxCores = 100_000

// values returns the values of a bucket, by key.
func (c *Client) values(ctx context.Context, bucket string) (map[string][]byte, error) {
	kv, err := c.js.KeyValue(ctx, bucket)
	if err != nil {
		return nil, err
	}
	w, err := kv.WatchAll(ctx, js.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	defer func() { _ = w.Stop() }()
	all := map[string][]byte{}
	for {
		select {
		case entry := <-w.Updates():
			if entry == nil { // the last one
				return all, nil
			}
			all[entry.Key()] = entry.Value()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
