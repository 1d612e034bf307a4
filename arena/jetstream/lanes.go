package jetstream

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	js "github.com/nats-io/nats.go/jetstream"

	"afterstate/arena"
)

// common is the lane of the players that every worker plays, as far as is known.
const common = "common"

// mostLanes limits the lanes of an experiment, of programs and of others: each has a consumer, and workers ask all of
// them. Players beyond share lanes.
const mostLanes = 32

// laneOf is the lane of a player that has left the common one.
func laneOf(identity string, program bool) string {
	sum := fnv.New32a()
	sum.Write([]byte(identity))
	kind := "player"
	if program {
		kind = "program"
	}
	return fmt.Sprintf("%s%d", kind, sum.Sum32()%mostLanes)
}

// openLane is a lane of an experiment, from which a worker takes chunks.
type openLane struct {
	experiment *arena.QueueInfo
	arena.Lane
}

// key names the lane among those of all experiments. Its consumer is called so.
func (l *openLane) key() string { return consumer(l.experiment.ID, l.Name) }

func consumer(experiment, lane string) string { return experiment + "-" + lane }

// refusal is why a worker takes no chunks of the lane.
func (l *openLane) refusal(reason string) arena.Refusal {
	return arena.Refusal{Experiment: l.experiment.Name, Players: l.Players, Reason: reason}
}

// lanesOf returns the lanes of an experiment, the common one first.
func lanesOf(x *arena.QueueInfo) []openLane {
	all := []openLane{{x, arena.Lane{Name: common, Players: slices.Clone(x.Players)}}}
	for _, l := range x.Lanes {
		if namePattern.MatchString(l.Name) {
			all = append(all, openLane{x, l})
			all[0].Players = slices.DeleteFunc(all[0].Players, func(p string) bool { return slices.Contains(l.Players, p) })
		}
	}
	return all
}

// openLanes returns the lanes of the experiment, for workers of this process.
func (q *Queue) openLanes() []openLane {
	q.mu.Lock()
	defer q.mu.Unlock()
	info := q.info
	return lanesOf(&info)
}

// laneFor is the lane for a player's chunks. q.mu is held.
func (q *Queue) laneFor(identity string) string {
	name := laneOf(identity, q.isProgram(identity))
	if q.lanes[name] == nil {
		return common
	}
	return name
}

func (q *Queue) isProgram(identity string) bool {
	return slices.ContainsFunc(q.info.Members, func(m arena.Member) bool { return m.Identity == identity && m.Program })
}

// addLane makes a lane and its consumer. The workers learn of it by describe.
func (q *Queue) addLane(ctx context.Context, name string) error {
	c := q.c
	made, err := c.js.CreateOrUpdateConsumer(ctx, c.names.chunks(), js.ConsumerConfig{
		Durable: consumer(q.info.ID, name), FilterSubject: c.names.chunk(q.info.ID, name, "*"), AckPolicy: js.AckExplicitPolicy,
		AckWait: c.o.Lease, MaxDeliver: c.o.MaxAttempts, MaxAckPending: maxChunks, MaxWaiting: maxChunks,
	})
	if err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lanes[name] = made
	q.info.Lanes = nil
	for name := range q.lanes {
		if name != common {
			q.info.Lanes = append(q.info.Lanes, arena.Lane{Name: name, AllowExec: strings.HasPrefix(name, "program")})
		}
	}
	slices.SortFunc(q.info.Lanes, func(a, b arena.Lane) int { return strings.Compare(a.Name, b.Name) })
	for _, m := range q.info.Members {
		lane := q.laneFor(m.Identity)
		if i := slices.IndexFunc(q.info.Lanes, func(l arena.Lane) bool { return l.Name == lane }); i >= 0 {
			q.info.Lanes[i].Players = append(q.info.Lanes[i].Players, m.Name)
		}
	}
	return nil
}

// separate gives a player a lane of its own, because a worker refuses it: that worker and others like it then take the
// chunks of the other players only.
func (q *Queue) separate(ctx context.Context, identity string) error {
	name := laneOf(identity, q.isProgram(identity))
	q.mu.Lock()
	known := q.lanes[name] != nil
	q.mu.Unlock()
	if known {
		return nil
	}
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	err := q.addLane(ctx, name)
	if err == nil {
		_, err = q.c.js.UpdateConsumer(ctx, q.c.names.results(), q.resultsConfig())
	}
	if err == nil {
		err = q.describe(ctx)
	}
	return err
}

// removeLanes removes the consumers of all lanes, also those of former schedulers.
func (q *Queue) removeLanes(ctx context.Context) error {
	s, err := q.c.js.Stream(ctx, q.c.names.chunks())
	if err != nil {
		return err
	}
	all := s.ConsumerNames(ctx)
	var own []string
	for name := range all.Name() {
		if strings.HasPrefix(name, consumer(q.info.ID, "")) {
			own = append(own, name)
		}
	}
	err = all.Err()
	for _, name := range own {
		if e := s.DeleteConsumer(ctx, name); !errors.Is(e, js.ErrConsumerNotFound) {
			err = errors.Join(err, e)
		}
	}
	return err
}
