//go:build unix

package hub_test

import (
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// BenchmarkTwoWorkers compares two worker processes with a core each with one process that plays two games
// at once, in turn on the same games: the median ratio of games a second, and the processor time of all
// processes, a game. That of workers and hub includes their start.
//
//	go test ./cli/hub -run '^$' -bench TwoWorkers -benchtime 5x
func BenchmarkTwoWorkers(b *testing.B) {
	l := newLabOf(b)
	l.startHub()
	workers := []*process{l.worker(), l.worker()}
	for _, w := range workers {
		w.says("worker ")
	}
	const games = 1500 // about 40 s: the start and the last chunks of 2 s weigh little
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
	all := float64(games * b.N)
	var played time.Duration
	for _, w := range workers {
		w.signal(syscall.SIGINT)
		w.ends(0)
		played += w.processorTime()
	}
	b.ReportMetric(float64(played.Milliseconds())/all, "workers-cpu-ms/game")
	l.hub.signal(syscall.SIGINT)
	l.hub.ends(0)
	b.ReportMetric(float64(l.hub.processorTime().Milliseconds())/all, "hub-cpu-ms/game")
	b.ReportMetric(0, "ns/op")
}

// timed runs afterstate to its end, and returns the time by the clock and of processors.
func (l *lab) timed(args ...string) (clock, processors time.Duration) {
	l.Helper()
	begun := time.Now()
	p := l.start("afterstate", args...)
	p.ends(0)
	return time.Since(begun), p.processorTime()
}

// processorTime is that of a process that has ended.
func (p *process) processorTime() time.Duration {
	return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
}

func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}
