package machines

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	js "github.com/nats-io/nats.go/jetstream"
)

const (
	jobAge    = 14 * 24 * time.Hour
	resultAge = 30 * 24 * time.Hour
	fileAge   = 30 * 24 * time.Hour
	// queueAge is how long the claim of a scheduler lasts after its last renewal.
	queueAge   = 10 * time.Second
	queueEvery = 3 * time.Second
	// workerAge is how long a worker counts as present after its last announcement.
	workerAge   = 20 * time.Second
	workerEvery = 5 * time.Second
	// repeated is the time during which the server recognizes and drops a result that is sent again.
	repeated = 10 * time.Minute
)

// Prepare creates the streams and buckets that do not exist. Existing ones keep their settings.
func (c *Client) Prepare(ctx context.Context) error {
	for _, config := range []js.StreamConfig{
		{Name: jobsStream, Subjects: []string{jobSubject("*", "*", "*")}, Retention: js.WorkQueuePolicy, MaxAge: jobAge},
		{Name: resultsStream, Subjects: []string{resultSubject("*")}, Retention: js.WorkQueuePolicy, MaxAge: resultAge, Duplicates: repeated},
	} {
		if _, err := c.js.CreateStream(ctx, config); err != nil && !errors.Is(err, js.ErrStreamNameAlreadyInUse) {
			return err
		}
	}
	for _, config := range []js.KeyValueConfig{{Bucket: queuesBucket, TTL: queueAge}, {Bucket: workersBucket, TTL: workerAge}} {
		if _, err := c.js.CreateKeyValue(ctx, config); err != nil && !errors.Is(err, js.ErrBucketExists) {
			return err
		}
	}
	_, err := c.js.CreateObjectStore(ctx, js.ObjectStoreConfig{Bucket: filesStore, TTL: fileAge})
	if errors.Is(err, js.ErrBucketExists) {
		return nil
	}
	return err
}

// consumer returns the consumer with a name. All workers that do the same jobs share it.
func (c *Client) consumer(ctx context.Context, name string) (js.Consumer, error) {
	return c.js.CreateOrUpdateConsumer(ctx, jobsStream, js.ConsumerConfig{
		Durable: name, FilterSubject: jobSubject(name, "*", "*"), AckPolicy: js.AckExplicitPolicy, AckWait: c.o.Silence,
		MaxAckPending: -1, MaxWaiting: maxCores, InactiveThreshold: jobAge,
	})
}

// maxCores is the maximum number of cores that may wait for jobs of a consumer.
const maxCores = 100_000

// The names of streams, buckets and the object store.
const (
	jobsStream    = "afterstate-jobs"
	resultsStream = "afterstate-results"
	queuesBucket  = "afterstate-queues"
	workersBucket = "afterstate-workers"
	filesStore    = "afterstate-files"
)

// jobSubject returns the subject of a job. The stream stores at most one message per subject.
func jobSubject(consumer, queue, id string) string {
	return "afterstate.jobs." + consumer + "." + queue + "." + id
}

func resultSubject(queue string) string { return "afterstate.results." + queue }

// consumerName returns the name of the consumer for a build's jobs: builds with the same signature share a consumer;
// builds without a signature share one if they have the same version. Jobs that run other programs have a separate
// consumer, since only some workers allow that.
func consumerName(version, signature string, programs bool) string {
	if signature == "" {
		signature = "version " + version
	}
	sum := sha256.Sum256([]byte(signature))
	name := hex.EncodeToString(sum[:8])
	if programs {
		name += "-programs"
	}
	return name
}

// Kind says what a worker does with the payload of a job.
type Kind string

// The kinds of jobs.
const (
	Games    Kind = "games"    // play a chunk of games
	Training Kind = "training" // train a part of a run
)

// Job is work for a worker.
type Job struct {
	ID      string          `json:"id"` // up to 64 letters, digits, - and _; in a queue, equal work has an equal ID
	Kind    Kind            `json:"kind"`
	Payload json.RawMessage `json:"payload"`

	Queue    string `json:"queue"`              // ID of the queue; Queue.Put sets it
	Name     string `json:"name"`               // name of the experiment, for display; Queue.Put sets it
	Player   string `json:"player"`             // spec of the player, or name of the training run; for display
	Programs bool   `json:"programs,omitempty"` // the job runs other programs, which workers must allow
}

// resultMessage is a worker's answer to a job, in the stream of results.
type resultMessage struct {
	ID      string          `json:"id"`
	Worker  string          `json:"worker"`            // the worker's name
	Build   string          `json:"build"`             // the worker's build: its consumer for jobs without programs
	Payload json.RawMessage `json:"payload,omitempty"` // the result, unless File or Failed is set
	File    string          `json:"file,omitempty"`    // SHA-256 of the file with a payload too large for a message
	Failed  string          `json:"failed,omitempty"`  // why the worker handed the job back
	Lost    bool            `json:"lost,omitempty"`    // the job was given to too many workers that fell silent
}
