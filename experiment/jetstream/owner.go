package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"

	js "github.com/nats-io/nats.go/jetstream"
)

// owner is the scheduler of an experiment.
type owner struct {
	Host string `json:"host"`
	PID  int    `json:"pid"`
	// Finished is the number of games that it has stored.
	Finished int    `json:"finished,omitempty"`
	seq      uint64 // of the message
}

func (o *owner) String() string { return fmt.Sprintf("%s, process %d", o.Host, o.PID) }

const (
	ownerTTL   = 10 * time.Second
	ownerRenew = 3 * time.Second
)

// ErrHeld is the error for an experiment that another scheduler plays.
var ErrHeld = errors.New("another scheduler plays this experiment")

// owner returns the scheduler of an experiment, nil if it has none.
func (c *Client) owner(ctx context.Context, experiment string) (*owner, error) {
	s, err := c.js.Stream(ctx, c.names.state())
	if err != nil {
		return nil, err
	}
	m, err := s.GetLastMsgForSubject(ctx, c.names.owner(experiment))
	if errors.Is(err, js.ErrMsgNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if len(m.Data) == 0 { // the server's note that the claim has expired
		return nil, nil
	}
	o := owner{seq: m.Sequence}
	return &o, json.Unmarshal(m.Data, &o)
}

// claim makes this process the scheduler of the experiment. Another one that was killed on this
// machine is replaced at once, one elsewhere when its claim expires.
func (q *Queue) claim(ctx context.Context) error {
	for first := uint64(0); ; {
		other, err := q.extend(ctx, (*owner).dead)
		switch {
		case isConflict(err): // another scheduler was faster
			continue
		case err != nil || other == nil:
			return err
		case first != 0 && other.seq != first: // it renewed its claim
			return fmt.Errorf("%w: %s", ErrHeld, other)
		}
		first = other.seq
		if !wait(ctx, retryEvery) {
			return ctx.Err()
		}
	}
}

// extend renews the claim. If another one has followed it, that one is replaced if it may be, and else its owner is
// returned.
func (q *Queue) extend(ctx context.Context, may func(*owner) bool) (other *owner, err error) {
	if err := q.renew(ctx); !isConflict(err) {
		return nil, err
	}
	now, err := q.c.owner(ctx, q.info.ID)
	switch {
	case err != nil:
		return nil, err
	case now == nil: // the claim expired while the server was away
		q.claimed = 0
	case may(now):
		q.claimed = now.seq
	default:
		return now, nil
	}
	return nil, q.renew(ctx)
}

// renew extends the claim, with the number of finished games. claimed is the message of the former one, 0 if there
// was none.
func (q *Queue) renew(ctx context.Context) error {
	data, _ := json.Marshal(owner{Host: hostname(), PID: os.Getpid(), Finished: int(q.finished.Load())}) // strings and numbers
	ack, err := q.c.js.Publish(ctx, q.c.names.owner(q.info.ID), data, js.WithExpectLastSequencePerSubject(q.claimed), js.WithMsgTTL(ownerTTL))
	if err == nil {
		q.claimed = ack.Sequence
	}
	return err
}

// release ends the claim, which expires anyway.
func (q *Queue) release(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if s, err := q.c.js.Stream(ctx, q.c.names.state()); err == nil {
		_ = s.DeleteMsg(ctx, q.claimed)
	}
}

// isConflict reports whether another scheduler has changed the claim.
func isConflict(err error) bool {
	var api *js.APIError
	return errors.As(err, &api) && api.ErrorCode == js.JSErrCodeStreamWrongLastSequence
}

// isThisProcess reports whether the owner is this process, as where the answer to a renewal was lost.
func (o *owner) isThisProcess() bool { return o.Host == hostname() && o.PID == os.Getpid() }

// dead reports whether the owner was a process of this machine that has ended.
func (o *owner) dead() bool {
	if o.Host != hostname() || runtime.GOOS == "windows" || o.isThisProcess() {
		return false
	}
	p, err := os.FindProcess(o.PID)
	return err != nil || errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

func hostname() string {
	name, _ := os.Hostname() // "" is as good
	return name
}

// holdClaim extends the claim until ctx ends, and then gives it up.
func (q *Queue) holdClaim(ctx context.Context) {
	for wait(ctx, ownerRenew) {
		short, cancel := context.WithTimeout(ctx, ownerRenew)
		other, err := q.extend(short, (*owner).isThisProcess)
		cancel()
		if other != nil || isConflict(err) { // after another error the next renewal decides
			q.end(fmt.Errorf("%s: %w", q.info.Name, ErrHeld))
			return
		}
	}
	q.release(context.WithoutCancel(ctx))
}
