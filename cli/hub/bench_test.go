//go:build unix

package hub_test

import (
	"slices"
	"strconv"
	"testing"
	"time"
)

// BenchmarkTwoWorkers compares two worker processes with a core each with one process that plays two games
// at once, in turn on the same games: the median ratio of games a second, and the processor time of
// scheduler, and of workers and local play, a game.
//
//	go test ./cli/hub -run '^$' -bench TwoWorkers -benchtime 5x
func BenchmarkTwoWorkers(b *testing.B) {
	l := newLabOf(b)
	l.startHub()
	for range 2 {
		l.worker().says("worker ")
	}
	const games = 250
	var ratios, scheduler, local []float64
	for i := range b.N {
		words := func(name string, more ...string) []string {
			return append([]string{"arena", "run", name + strconv.Itoa(i), "snake(depth=1)", "--games", strconv.Itoa(games), "--seed", strconv.Itoa(i + 1)}, more...)
		}
		here, hereTime := l.timed(words("here", "-j", "2")...)
		there, thereTime := l.timed(words("there", "--nats", "hub", "-j", "0")...)
		ratios = append(ratios, float64(here)/float64(there))
		scheduler = append(scheduler, float64(thereTime.Milliseconds())/games)
		local = append(local, float64(hereTime.Milliseconds())/games)
	}
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(median(local), "local-cpu-ms/game")
	b.ReportMetric(median(scheduler), "scheduler-cpu-ms/game")
	b.ReportMetric(0, "ns/op")
}

// timed runs afterstate to its end, and returns the time by the clock and of processors.
func (l *lab) timed(args ...string) (clock, processors time.Duration) {
	l.Helper()
	begun := time.Now()
	p := l.start("afterstate", args...)
	p.ends(0)
	clock = time.Since(begun)
	return clock, p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
}

func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}
