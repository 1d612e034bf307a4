package session

import (
	"context"
	"fmt"
	"time"

	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/search"
)

// enter waits for a search slot, which the caller returns with h.searches.Leave. It waits up to loadTime,
// since the searches in progress may take that long to load their networks. The transport limits how many
// requests wait. The error is a *protocol.Error or ctx.Err().
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

// takeFree takes all free slots, for a search that already holds one slot and can use several
// threads. threads includes the slot already held; done returns the others.
func (s Slots) takeFree() (threads int, done func()) {
	for threads = 1; s.TryEnter(); {
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
	limited, cancel := context.WithTimeout(ctx, p.time)
	defer cancel()
	d, err = p.Player.Decide(limited, q)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("no move within %v: use fewer plies or nodes, or a limit such as time=1s", p.time)
	}
	return d, err
}
