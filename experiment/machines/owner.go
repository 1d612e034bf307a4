package machines

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"

	js "github.com/nats-io/nats.go/jetstream"
)

// owner identifies the scheduler of a queue.
type owner struct {
	Host  string `json:"host"`
	PID   int    `json:"pid"`
	Token string `json:"token"` // random
}

func newOwner() owner { return owner{hostname(), os.Getpid(), rand.Text()} }

func (o *owner) String() string { return fmt.Sprintf("%s, process %d", o.Host, o.PID) }

// claimed is the entry of a queue in the bucket of queues. With this entry, a scheduler claims the queue.
type claimed struct {
	QueueInfo
	Owner owner `json:"owner"`
}

// ErrHeld is returned for an experiment that another scheduler is playing.
var ErrHeld = errors.New("another scheduler is playing this experiment")

// claim makes this process the scheduler of the experiment. It replaces a scheduler that was
// killed: immediately if that scheduler ran on this machine, otherwise when its claim expires. If
// another scheduler is running, the error is ErrHeld.
func (q *queue) claim(ctx context.Context) error {
	for first := uint64(0); ; {
		other, revision, err := q.tryClaim(ctx)
		switch {
		case err != nil || other == nil:
			return err
		case other.dead(): // replace the claim of the dead scheduler, as if it had expired
			q.revision = revision
			if err := q.renew(ctx); !isConflict(err) {
				return err
			}
		case first != 0 && revision != first: // the other scheduler renewed its claim
			return fmt.Errorf("%w: %s", ErrHeld, other)
		}
		first = revision
		if !wait(ctx, retryEvery) {
			return ctx.Err()
		}
	}
}

// tryClaim creates the claim. If the queue is already claimed, it returns the owner and the revision of that
// claim.
func (q *queue) tryClaim(ctx context.Context) (other *owner, revision uint64, err error) {
	kv, err := q.c.js.KeyValue(ctx, queuesBucket)
	if err != nil {
		return nil, 0, err
	}
	q.revision, err = kv.Create(ctx, q.info.ID, q.state())
	if !errors.Is(err, js.ErrKeyExists) {
		return nil, 0, err
	}
	entry, err := kv.Get(ctx, q.info.ID)
	if errors.Is(err, js.ErrKeyNotFound) {
		return q.tryClaim(ctx) // the claim expired meanwhile
	}
	if err != nil {
		return nil, 0, err
	}
	var c claimed
	err = json.Unmarshal(entry.Value(), &c)
	return &c.Owner, entry.Revision(), err
}

// state returns the claim as JSON. It includes the figures shown in lists of experiments.
func (q *queue) state() []byte {
	c := claimed{q.info, q.me}
	c.Finished = int(q.finished.Load())
	data, _ := json.Marshal(c) // cannot fail: there are only strings and numbers
	return data
}

// renew extends the claim.
func (q *queue) renew(ctx context.Context) error {
	kv, err := q.c.js.KeyValue(ctx, queuesBucket)
	if err != nil {
		return err
	}
	revision, err := kv.Update(ctx, q.info.ID, q.state(), q.revision)
	if err == nil {
		q.revision = revision
	}
	return err
}

// holdClaim extends the claim until ctx ends, and then gives it up.
func (q *queue) holdClaim(ctx context.Context) {
	for wait(ctx, queueEvery) {
		short, cancel := context.WithTimeout(ctx, queueEvery)
		err := q.renew(short)
		if isConflict(err) { // the claim expired while the server was unreachable, or the answer to a renewal was lost
			other, revision, err := q.tryClaim(short)
			switch {
			case err != nil || other == nil:
			case other.Token == q.me.Token:
				q.revision = revision
			default:
				q.end(fmt.Errorf("%w: %s", ErrHeld, other))
			}
		} else if errors.Is(err, js.ErrBucketNotFound) {
			_ = q.c.Prepare(short) // the server lost its disk
		}
		cancel()
	}
	if errors.Is(context.Cause(ctx), ErrHeld) {
		return
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWord)
	defer cancel()
	if kv, err := q.c.js.KeyValue(last, queuesBucket); err == nil {
		_ = kv.Delete(last, q.info.ID, js.LastRevision(q.revision)) // on failure, the claim expires
	}
}

// dead reports whether the owner was a process of this machine that has ended.
func (o *owner) dead() bool {
	if o.Host != hostname() || runtime.GOOS == "windows" || o.PID == os.Getpid() {
		return false
	}
	p, err := os.FindProcess(o.PID)
	return err != nil || errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

func hostname() string {
	name, _ := os.Hostname() // "" on failure
	return name
}
