package session

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/search"
)

// enter waits for a search slot, which the caller returns with h.searches.Leave. It waits up to loadTime, since
// the searches in progress may take that long to load their networks. The transport limits how many requests
// wait. The error is a *protocol.Error, or ctx's.
func (h *Host) enter(ctx context.Context) error {
	patient, cancel := context.WithTimeout(ctx, loadTime)
	defer cancel()
	if err := h.searches.Enter(patient); err == nil || ctx.Err() != nil {
		return err
	}
	return protocol.Errorf(protocol.CodeBusy, "no search ended within %v: try again later", loadTime)
}

// Slots limits how many operations run at the same time. The limit is the capacity of the channel.
type Slots chan struct{}

// Enter waits for a slot. It returns ctx.Err() if ctx ends first.
func (s Slots) Enter(ctx context.Context) error {
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TryEnter takes a slot without waiting. It returns false if all slots are taken.
func (s Slots) TryEnter() bool {
	select {
	case s <- struct{}{}:
		return true
	default:
		return false
	}
}

// Leave returns a slot.
func (s Slots) Leave() { <-s }

// more takes all free slots except leave slots, for a search that holds a slot already and can use several
// threads. It returns the number of threads, and a function that returns the slots it took.
func (s Slots) more(leave int) (threads int, done func()) {
	for threads = 1; len(s)+leave < cap(s) && s.TryEnter(); {
		threads++
	}
	return threads, func() {
		for range threads - 1 {
			s.Leave()
		}
	}
}

// LimitTime limits each decision of a player to the time limit and turns its panics into errors.
func LimitTime(p player.Player, limit time.Duration) player.Player { return &timeLimited{p, limit} }

// timeLimited limits the time of each decision, but not of preparation such as loading a network.
type timeLimited struct {
	player.Player
	time time.Duration
}

// Unwrap returns the wrapped player; see [player.As].
func (p *timeLimited) Unwrap() player.Player { return p.Player }

// Decide limits the time of the decision. If the player panics, it returns an error.
func (p *timeLimited) Decide(ctx context.Context, q search.Query) (d player.Decision, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			if err = memory.Fault(cause); err == nil {
				logPanic("a player that thinks about "+q.Board.String(), cause)
				err = errPanic
			}
		}
	}()
	limited := &lazyTimeout{parent: ctx, limit: p.time}
	defer limited.end()
	d, err = p.Player.Decide(limited, q)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("no move within %v: use fewer plies or nodes, or a limit such as time=1s", p.time)
	}
	return d, err
}

// lazyTimeout is a context like one from [context.WithTimeout], but its time starts when one of its methods is
// first called. Quick decisions call none, and starting a timer would take as long as such a decision.
type lazyTimeout struct {
	parent context.Context
	limit  time.Duration
	once   sync.Once
	inner  context.Context
	cancel context.CancelFunc
}

func (c *lazyTimeout) begun() context.Context {
	c.once.Do(func() { c.inner, c.cancel = context.WithTimeout(c.parent, c.limit) })
	return c.inner
}

func (c *lazyTimeout) Deadline() (time.Time, bool) { return c.begun().Deadline() }
func (c *lazyTimeout) Done() <-chan struct{}       { return c.begun().Done() }
func (c *lazyTimeout) Err() error                  { return c.begun().Err() }
func (c *lazyTimeout) Value(key any) any           { return c.begun().Value(key) }

// end ends the context and releases its timer.
func (c *lazyTimeout) end() {
	c.once.Do(func() { c.inner, c.cancel = ended, func() {} })
	c.cancel()
}

// ended is a context that has ended.
var ended = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()
