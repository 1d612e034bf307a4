package jetstream

import (
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// common is the lane of the players that every worker plays.
const common = "common"

// maxLanes limits the lanes of an experiment, of programs and of others: each has a consumer, and workers ask all of
// them. Players beyond share lanes.
const maxLanes = 32

// laneOf is the lane of a player. Those that some workers may not play are apart, so that these take the chunks of the
// others.
func laneOf(m *arena.Member) string {
	kind := "program"
	if !m.Program {
		if kind = "player"; !m.Demanding {
			return common
		}
	}
	sum := fnv.New32a()
	sum.Write([]byte(m.Identity))
	return fmt.Sprintf("%s%d", kind, sum.Sum32()%maxLanes)
}

// divide sets players and lanes of an experiment, and returns the lanes of the players by identity.
func divide(x *arena.QueueInfo) map[string]string {
	x.Lanes = []arena.Lane{{Name: common}}
	lanes := map[string]string{}
	for i := range x.Members {
		m := &x.Members[i]
		name := laneOf(m)
		at := slices.IndexFunc(x.Lanes, func(l arena.Lane) bool { return l.Name == name })
		if at < 0 {
			at = len(x.Lanes)
			x.Lanes = append(x.Lanes, arena.Lane{Name: name, AllowExec: m.Program})
		}
		x.Lanes[at].Players = append(x.Lanes[at].Players, m.Name)
		x.Players = append(x.Players, m.Name)
		lanes[m.Identity] = name
	}
	return lanes
}

// openLane is a lane of an experiment, from which a worker takes chunks.
type openLane struct {
	experiment *arena.QueueInfo
	arena.Lane
}

// key names the lane among those of all experiments. Its consumer is called so.
func (l *openLane) key() string { return l.experiment.ID + "-" + l.Name }

// refusal is why a worker takes no chunks of the lane.
func (l *openLane) refusal(reason string) arena.Refusal {
	return arena.Refusal{Experiment: l.experiment.Name, Players: l.Players, Reason: reason}
}

// lanesOf returns the lanes of an experiment.
func lanesOf(x *arena.QueueInfo) (all []openLane) {
	for _, l := range x.Lanes {
		if namePattern.MatchString(l.Name) {
			all = append(all, openLane{x, l})
		}
	}
	return all
}
