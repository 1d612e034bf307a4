package review

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/protocol"
)

const (
	maxLongest = 5 // maximum number of longest thinking times in the list
	minOfClass = 5 // minimum number of best moves, and of mistakes and blunders, to report their median times
)

// Times sums up the thinking times of a game's moves, in milliseconds as in its record; a negative time means unknown.
// It returns nil if no time is known. classes holds the classes of the judged moves, which may be only the first moves
// of the game.
func Times(ps []Position, times []int64, classes []protocol.MoveClass) *protocol.ReviewTimes {
	t := &protocol.ReviewTimes{Phases: []protocol.PhaseTime{}, Longest: []protocol.MoveTime{}}
	var all, best, mistakes []float64
	var phases [len(Phases)]int64
	for i, ms := range times {
		if ms < 0 {
			continue
		}
		m := protocol.MoveTime{Move: i, Time: ms}
		if i < len(classes) {
			m.Class = classes[i]
		}
		switch m.Class {
		case protocol.ClassBest:
			best = append(best, float64(ms))
		case protocol.ClassMistake, protocol.ClassBlunder:
			mistakes = append(mistakes, float64(ms))
		}
		t.Total += ms
		all = append(all, float64(ms))
		phases[slices.Index(Phases[:], Phase(&ps[i].Board))] += ms
		t.Longest = append(t.Longest, m)
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(t.Longest, func(a, b protocol.MoveTime) int { return cmp.Compare(b.Time, a.Time) })
	t.Longest = t.Longest[:min(len(t.Longest), maxLongest)]
	t.Known, t.Median = len(all), stats.Median(all)
	if min(len(best), len(mistakes)) >= minOfClass {
		t.Best, t.Mistakes = stats.OrNull(stats.Median(best)), stats.OrNull(stats.Median(mistakes))
	}
	for i, ms := range phases {
		if ms > 0 {
			t.Phases = append(t.Phases, protocol.PhaseTime{Phase: Phases[i], Time: ms})
		}
	}
	return t
}

// writeTimes writes the thinking times of a game as text.
func writeTimes(w io.Writer, r *protocol.ReviewReport) {
	t := r.Times
	fmt.Fprintf(w, "\nthinking time %s, median %s a move", timeText(t.Total), timeText(t.Median))
	if t.Known < r.Moves {
		fmt.Fprintf(w, ", of the %d of %d moves whose time is known", t.Known, r.Moves)
	}
	fmt.Fprintln(w)
	if t.Best != nil {
		fmt.Fprintf(w, "median of mistakes and blunders %s, of best moves %s\n", timeText(*t.Mistakes), timeText(*t.Best))
	}
	var longest []string
	for _, m := range t.Longest {
		class := cmp.Or(string(m.Class), "not judged")
		longest = append(longest, fmt.Sprintf("move %d took %s (%s)", m.Move+1, timeText(m.Time), class))
	}
	fmt.Fprintf(w, "longest: %s\n", strings.Join(longest, ", "))
}

// timeShare formats the share of the thinking time that a phase took. It returns "" if t is nil.
func timeShare(t *protocol.ReviewTimes, phase protocol.GamePhase) string {
	if t == nil {
		return ""
	}
	share := 0.0
	if i := slices.IndexFunc(t.Phases, func(p protocol.PhaseTime) bool { return p.Phase == phase }); i >= 0 {
		share = float64(t.Phases[i].Time) / float64(t.Total)
	}
	return numfmt.Share(share)
}

// timeText formats a duration in milliseconds.
func timeText[N int64 | float64](ms N) string {
	d := time.Duration(ms * N(time.Millisecond))
	if d >= time.Minute {
		return d.Round(time.Second).String()
	}
	return numfmt.Duration(d)
}
