package review

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/record"

	"pgregory.net/rapid"
)

// Ten moves before the first 512 and two after it, by hand.
func TestTimes(t *testing.T) {
	early, late := must.Get(board.Parse("256,2/0,0"))(t), must.Get(board.Parse("512,2/0,0"))(t)
	ps := make([]Position, 12)
	for i := range ps {
		ps[i].Move, ps[i].Board = i, early
	}
	ps[10].Board, ps[11].Board = late, late
	times := []int64{100, 900, 200, 900, 300, 700, 400, 600, 500, 600, record.UnknownTime, 1300}
	var classes []protocol.MoveClass
	for i := range 11 {
		classes = append(classes, [...]protocol.MoveClass{protocol.ClassBest, protocol.ClassBlunder}[i%2])
	}
	classes[3] = protocol.ClassMistake

	got := Times(ps, times, classes)
	want := `known 11, total 6500, median 600, phases [{to_512 5200} {to_2048 1300}], longest [{11 1300 } {1 900 blunder} {3 900 mistake} {5 700 blunder} {7 600 blunder}], best 300, mistakes 700`
	if text := fmt.Sprintf("known %d, total %d, median %v, phases %v, longest %v, best %v, mistakes %v", got.Known, got.Total, got.Median, got.Phases, got.Longest, *got.Best, *got.Mistakes); text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	// Four mistakes are too few to compare.
	if got = Times(ps, times, classes[:9]); got.Best != nil || got.Mistakes != nil {
		t.Errorf("four mistakes have a median of %v", *got.Mistakes)
	}
	if got := Times(ps, nil, classes); got != nil {
		t.Errorf("without times: %+v", got)
	}
	if got := Times(ps[:1], []int64{record.UnknownTime}, nil); got != nil {
		t.Errorf("without a known time: %+v", got)
	}

	var out bytes.Buffer
	must.Do(t, Write(&out, &protocol.ReviewReport{Judge: "greedy", Moves: 12, Judged: 12, Phases: []protocol.PhaseReview{{Phase: protocol.PhaseTo512}, {Phase: protocol.PhaseTo8192}}, Times: Times(ps, times, classes)}))
	for _, line := range []string{
		"thinking time 6.50 s, median 0.60 s a move, of the 11 of 12 moves whose time is known",
		"median of mistakes and blunders 0.70 s, of best moves 0.30 s",
		"longest: move 12 took 1.30 s (not judged), move 2 took 0.90 s (blunder), move 4 took 0.90 s (mistake), move 6 took 0.70 s (blunder), move 8 took 0.60 s (blunder)",
	} {
		if !slices.Contains(strings.Split(out.String(), "\n"), line) {
			t.Errorf("no line %q in\n%s", line, out.String())
		}
	}
	for _, row := range [][2]string{{"to 512", "80.0 %"}, {"to 8192", "0.0 %"}} {
		if !slices.ContainsFunc(strings.Split(out.String(), "\n"), func(line string) bool {
			return strings.HasPrefix(line, row[0]) && strings.HasSuffix(line, "  "+row[1])
		}) {
			t.Errorf("no row of %s with %s in\n%s", row[0], row[1], out.String())
		}
	}
}

// Times of any moves: the phases make up the total, and the longest are those that sorting finds.
func TestTimesAddUp(t *testing.T) {
	ps := played(t, "random", board.Size{Rows: 4, Cols: 4}, 1)
	rapid.Check(t, func(t *rapid.T) {
		times := make([]int64, len(ps))
		var known []protocol.MoveTime
		for i := range times {
			if times[i] = rapid.Int64Range(record.UnknownTime, 9).Draw(t, "ms"); times[i] >= 0 {
				known = append(known, protocol.MoveTime{Move: i, Time: times[i]})
			}
		}
		got := Times(ps, times, nil)
		slices.SortStableFunc(known, func(a, b protocol.MoveTime) int { return int(b.Time - a.Time) })
		if got == nil || got.Known != len(known) || !slices.Equal(got.Longest, known[:min(maxLongest, len(known))]) {
			t.Fatalf("%v: %+v", times, got)
		}
		sum := int64(0)
		for _, p := range got.Phases {
			sum += p.Time
		}
		if sum != got.Total {
			t.Fatalf("%v: the phases have %d of %d ms", times, sum, got.Total)
		}
	})
}
