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
	if reason := m.Header.Get("Nats-Marker-Reason"); reason != "" || len(m.Data) == 0 {
		return nil, nil
	}
	o := owner{seq: m.Sequence}
	return &o, json.Unmarshal(m.Data, &o)
}

// claim makes this process the scheduler of an experiment. Another one that was killed on this
// machine is replaced at once, one elsewhere when its claim expires.
func (c *Client) claim(ctx context.Context, experiment string) (seq uint64, err error) {
	var first *owner
	for {
		now, err := c.owner(ctx, experiment)
		if err != nil {
			return 0, err
		}
		switch {
		case now == nil:
		case now.dead():
			seq = now.seq
		case first != nil && now.seq != first.seq: // it renewed its claim
			return 0, fmt.Errorf("%w: %s", ErrHeld, now)
		default:
			if first == nil {
				first = now
			}
			if !wait(ctx, retryEvery) {
				return 0, ctx.Err()
			}
			continue
		}
		if seq, err = c.renew(ctx, experiment, 0, seq); !isConflict(err) {
			return seq, err
		}
		seq = 0 // another one was faster
	}
}

// renew extends a claim with the number of finished games; seq is the message of the former one, 0 if
// there was none.
func (c *Client) renew(ctx context.Context, experiment string, finished int, seq uint64) (uint64, error) {
	o := owner{Host: hostname(), PID: os.Getpid(), Finished: finished}
	data, _ := json.Marshal(o) // strings and numbers
	ack, err := c.js.Publish(ctx, c.names.owner(experiment), data, js.WithExpectLastSequencePerSubject(seq), js.WithMsgTTL(ownerTTL))
	if err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}

// release ends a claim.
func (c *Client) release(ctx context.Context, experiment string, seq uint64) error {
	s, err := c.js.Stream(ctx, c.names.state())
	if err == nil {
		err = s.DeleteMsg(ctx, seq)
	}
	return err
}

// isConflict reports whether another scheduler has changed the claim.
func isConflict(err error) bool {
	var api *js.APIError
	return errors.As(err, &api) && api.ErrorCode == js.JSErrCodeStreamWrongLastSequence
}

// dead reports whether the owner was a process of this machine that has ended.
func (o *owner) dead() bool {
	if o.Host != hostname() || runtime.GOOS == "windows" {
		return false
	}
	if o.PID == os.Getpid() {
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
func (q *Queue) holdClaim(ctx context.Context, seq uint64) {
	for wait(ctx, ownerRenew) {
		short, cancel := context.WithTimeout(ctx, ownerRenew)
		next, err := q.c.renew(short, q.info.ID, int(q.finished.Load()), seq)
		if isConflict(err) { // it expired while the server was away, or is another one's
			next, err = q.c.renew(short, q.info.ID, int(q.finished.Load()), 0)
		}
		cancel()
		switch {
		case err == nil:
			seq = next
		case isConflict(err) && !q.ours(ctx, &seq):
			lost := fmt.Errorf("%s: %w", q.info.Name, ErrHeld)
			q.lost.Store(&lost)
			return
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = q.c.release(ctx, q.info.ID, seq) // it expires anyway
}

// ours reports whether the claim is this process's: the answer to a renewal was lost.
func (q *Queue) ours(ctx context.Context, seq *uint64) bool {
	ctx, cancel := context.WithTimeout(ctx, ownerRenew)
	defer cancel()
	now, err := q.c.owner(ctx, q.info.ID)
	if err != nil {
		return true // not known; the next renewal decides
	}
	if now == nil || now.Host != hostname() || now.PID != os.Getpid() {
		return now == nil
	}
	*seq = now.seq
	return true
}
