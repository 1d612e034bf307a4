//go:build browser

package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// BenchmarkShare measures the speed of the engine as a share of the program's: both play the same games
// in turn, once for warm-up and then five times; the result is the median of the ratios of processor
// times. In sparse the engine has sparse tables, in dense complete tables, which the program always has.
func BenchmarkShare(b *testing.B) {
	file := must.Get(os.ReadFile(network))(b)
	n := must.Get(quant.DequantizeInt16(file))(b)
	b.Cleanup(n.Close)
	caps := with(n)
	for _, form := range []string{"sparse", "dense"} {
		e := start(b, form == "dense")
		for _, q := range []protocol.StartExperiment{
			{Players: []string{"ntuple(plies=1)"}, Games: 40},
			{Players: []string{"champion"}, Games: 5, Until: 2048},
			{Players: []string{"master"}, Games: 1, Until: 256},
			{Players: []string{"expert"}, Games: 2, Until: 256}, // this player and the next one use no network
			{Players: []string{"snake"}, Games: 8, Until: 1024},
		} {
			q.Size, q.Seed = board.Size{Rows: 4, Cols: 4}, 5
			b.Run(form+"/"+q.Players[0], func(b *testing.B) {
				var shares, speeds []float64
				for b.Loop() {
					for round := range 6 {
						moves, here := playHere(b, &q, caps)
						there := e.play(b, &q)
						if round > 0 {
							shares, speeds = append(shares, here.Seconds()/there.Seconds()), append(speeds, float64(moves)/there.Seconds())
						}
					}
				}
				b.ReportMetric(median(shares), "share")
				b.ReportMetric(median(speeds), "moves/s")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}

// playHere plays games in this process and returns the number of moves and the processor time.
func playHere(b *testing.B, q *protocol.StartExperiment, caps catalog.Capabilities) (moves int64, took time.Duration) {
	r := runner(b, caps)
	began := processorTime(b, os.Getpid())
	name := must.Get(r.Start(b.Context(), q))(b)
	x := waitFor(b, func() (*protocol.ExperimentResults, error) { return r.Show(b.Context(), name) })
	return x.Report.Players[0].Moves, processorTime(b, os.Getpid()) - began
}

// play plays games in the engine and returns the processor time.
func (e *engine) play(b *testing.B, q *protocol.StartExperiment) time.Duration {
	began := processorTime(b, e.pid)
	var ref protocol.ExperimentRef
	must.Do(b, json.Unmarshal(e.ask("experiments.start", q), &ref))
	waitFor(b, func() (x *protocol.ExperimentResults, err error) {
		return x, json.Unmarshal(e.ask("experiments.show", ref), &x)
	})
	return processorTime(b, e.pid) - began
}

// waitFor returns an experiment when its games are finished.
func waitFor(b *testing.B, show func() (*protocol.ExperimentResults, error)) *protocol.ExperimentResults {
	for {
		x, err := show()
		switch {
		case err != nil:
			b.Fatal(err)
		case x.Error != "":
			b.Fatal(x.Error)
		case !x.Running:
			return x
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// processorTime returns the time that a process has computed, of all its threads.
func processorTime(b *testing.B, pid int) time.Duration {
	text := must.Get(os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)))(b)
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	ticks := 0
	for _, f := range fields[11:13] { // utime and stime, in hundredths of a second
		n := must.Get(strconv.Atoi(string(f)))(b)
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}
