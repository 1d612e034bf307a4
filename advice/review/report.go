package review

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Tally sums up judged moves. The zero value is empty.
type Tally struct {
	Moves   int // number of moves that are not forced
	Forced  int
	Inverse float64 // sum of 1/accuracy
	Loss    float64 // sum of the losses
	Classes protocol.ClassCounts
}

// Add adds a move to the tally.
func (t *Tally) Add(m *Judgement) {
	if m.Forced() {
		t.Forced++
		return
	}
	t.Moves++
	t.Inverse += 1 / m.Accuracy
	t.Loss += m.Loss
	if i := slices.Index(Classes[:], m.Class); i >= 0 {
		*counts(&t.Classes)[i]++
	}
}

// Classes lists the classes of moves that are not forced.
var Classes = [...]protocol.MoveClass{
	protocol.ClassBest, protocol.ClassGood, protocol.ClassUndecided,
	protocol.ClassInaccuracy, protocol.ClassMistake, protocol.ClassBlunder,
}

// counts returns pointers to the counts of the classes, in the order of Classes.
func counts(c *protocol.ClassCounts) []*int {
	return []*int{&c.Best, &c.Good, &c.Undecided, &c.Inaccuracy, &c.Mistake, &c.Blunder}
}

// Accuracy returns the harmonic mean of the accuracies of the moves that are not forced, at most 1. It returns NaN if
// there are no such moves.
func (t *Tally) Accuracy() float64 { return min(1, float64(t.Moves)/t.Inverse) }

// MeanLoss returns the mean loss of the moves that are not forced, or NaN if there are no such moves.
func (t *Tally) MeanLoss() float64 { return t.Loss / float64(t.Moves) }

// NewReport sums up the judged moves of a game. It lists the bad moves with the largest losses, at most worst of
// them. ps and times cover all moves of the game; times may be nil. moves may cover only the first moves.
func NewReport(j *Judge, ps []Position, times []int64, moves []Judgement, worst int) *protocol.ReviewReport {
	r := &protocol.ReviewReport{
		Judge: j.Spec, Unit: UnitOf(moves), Exact: AllExact(moves), Moves: len(ps), Judged: len(moves), Phases: []protocol.PhaseReview{}, Worst: []protocol.WorstMove{},
	}
	var game Tally
	var phases [len(Phases)]Tally
	for i := range moves {
		m := &moves[i]
		if m.Goal != 0 {
			r.Endings++
		}
		game.Add(m)
		phases[slices.Index(Phases[:], m.Phase)].Add(m)
		if m.Bad() {
			r.Worst = append(r.Worst, protocol.WorstMove{MoveReview: m.Wire(), Board: m.Board, Score: m.Score})
		}
	}
	r.Game = game.wire()
	for i := range phases {
		if t := &phases[i]; t.Moves+t.Forced > 0 {
			r.Phases = append(r.Phases, protocol.PhaseReview{Phase: Phases[i], ReviewTally: t.wire()})
		}
	}
	slices.SortStableFunc(r.Worst, func(a, b protocol.WorstMove) int { return cmp.Compare(b.Loss, a.Loss) })
	r.Worst = r.Worst[:min(worst, len(r.Worst))]
	r.Times = Times(ps, times, each.Of(moves, func(m Judgement) protocol.MoveClass { return m.Class }))
	return r
}

// PhaseName returns the name of phase i, with spaces instead of underscores.
func PhaseName(i int) string { return strings.ReplaceAll(string(Phases[i]), "_", " ") }

// Write writes a report as text: a table of the phases, the contributions of skill and luck and the thinking times
// (both only if known), and the worst moves with their boards.
func Write(w io.Writer, r *protocol.ReviewReport) error {
	writeSummary(w, r)
	if err := phaseTable(r).Write(w); err != nil {
		return err
	}
	if r.Ledger != nil {
		if err := writeLedger(w, r.Ledger); err != nil {
			return err
		}
	}
	if r.Times != nil {
		writeTimes(w, r)
	}
	if len(r.Worst) > 0 {
		fmt.Fprintln(w, "\nworst moves, with the share of the expected score that each gave away")
	}
	for i := range r.Worst {
		if err := writeWorst(w, &r.Worst[i]); err != nil {
			return err
		}
	}
	return nil
}

// writeSummary writes which moves were judged, the judge, and the accuracy of the game.
func writeSummary(w io.Writer, r *protocol.ReviewReport) {
	if r.Judged < r.Moves {
		fmt.Fprintf(w, "judged: the first %d of %d moves\n", r.Judged, r.Moves)
	}
	exact := ""
	if r.Exact && r.Endings == 0 {
		exact = ", whose values are exact"
	}
	fmt.Fprintf(w, "accuracy %s, by %s%s\n", percent(r.Game.Accuracy), r.Judge, exact)
	if r.Endings > 0 {
		are := "are"
		if r.Endings == 1 {
			are = "is"
		}
		fmt.Fprintf(w, "%d of %d moves %s judged by exact chances of solved endings\n", r.Endings, r.Judged, are)
	}
	fmt.Fprintln(w)
}

// phaseTable returns the table of the phases and the whole game.
func phaseTable(r *protocol.ReviewReport) *table.Table {
	t := table.New(table.Words("phase"))
	t.Columns = append(t.Columns, table.Numbers("moves", "accuracy", "mean loss")...)
	for _, c := range append(Classes[:], protocol.ClassForced) {
		t.Columns = append(t.Columns, table.Number(string(c)))
	}
	if r.Times != nil {
		t.Columns = append(t.Columns, table.Number("time"))
	}
	for i := range r.Phases {
		p := &r.Phases[i]
		addRow(t, PhaseName(slices.Index(Phases[:], p.Phase)), &p.ReviewTally, timeShare(r.Times, p.Phase))
	}
	addRow(t, "game", &r.Game, "")
	return t
}

// writeWorst writes one of the worst moves, why it is bad, and its board.
func writeWorst(w io.Writer, m *protocol.WorstMove) error {
	article, lost := "a", ""
	if m.Goal != 0 {
		lost = fmt.Sprintf(" of the exact chance of the %d (%s after the best move)", m.Goal, percent(m.Value))
	}
	if m.Class == protocol.ClassInaccuracy {
		article = "an"
	}
	if m.Lost {
		lost += " and ends the game"
	}
	fmt.Fprintf(w, "\nmove %d: %v, %s %s, gives away %s%s; %v is better\n", m.Move+1, m.Played, article, m.Class, percent(&m.Loss), lost, m.Best)
	if m.Why != "" {
		fmt.Fprintln(w, m.Why)
	}
	_, err := fmt.Fprintf(w, "%s  %v\n", m.Board.Drawing(), m.Board)
	return err
}

// writeLedger writes the contributions of moves and new tiles to the score.
func writeLedger(w io.Writer, l *protocol.Ledger) error {
	digits, by := 0, "the values of "+l.Player
	if l.Exact {
		digits, by = 1, "exact values"
	}
	points := func(x float64) string { return numfmt.Group(strconv.FormatFloat(x, 'f', digits, 64)) }
	change := func(x float64) string {
		if x < 0 {
			return points(x)
		}
		return "+" + points(x)
	}
	fmt.Fprintf(w, "\nskill and luck, by %s\n", by)
	t := table.New(table.Words(""))
	t.Columns = append(t.Columns, table.Numbers("points")...)
	t.Add("expected at the start", points(l.Expected))
	t.Add("moves", change(l.Moves))
	t.Add("new tiles", change(l.Luck))
	if l.Remaining != 0 {
		t.Add("still expected at the end", change(-l.Remaining))
	}
	t.Add("score", numfmt.Int(l.Score))
	if err := t.Write(w); err != nil || l.Worst == nil {
		return err
	}
	_, err := fmt.Fprintf(w, "luckier than about %s of games; worst new tile: after move %d, %s; best: after move %d, %s\n",
		numfmt.Percent(l.Luckier()), l.Worst.Move+1, change(l.Worst.Luck), l.Best.Move+1, change(l.Best.Luck))
	return err
}

func addRow(to *table.Table, name string, t *protocol.ReviewTally, time string) {
	cells := []string{name, strconv.Itoa(t.Moves), percent(t.Accuracy), percent(t.Loss)}
	for _, n := range append(counts(&t.Classes), &t.Forced) {
		cells = append(cells, strconv.Itoa(*n))
	}
	if len(to.Columns) > len(cells) {
		cells = append(cells, time)
	}
	to.Add(cells...)
}

// percent formats a share as a percentage, with more digits near 0. It returns "-" for nil.
func percent(x *float64) string {
	switch {
	case x == nil:
		return "-"
	case *x > 0 && *x < 0.01:
		return fmt.Sprintf("%.2f %%", 100**x)
	}
	return numfmt.Share(*x)
}

// Wire returns the move as a protocol message.
func (m *Judgement) Wire() protocol.MoveReview {
	out := protocol.MoveReview{
		Move: m.Move, Phase: m.Phase, Played: m.Played, Best: m.Best, Class: m.Class,
		Loss: rounded(m.Loss), Accuracy: rounded(m.Accuracy), Lost: m.Lost, Unclear: m.Unclear,
		Value: finite(m.Moves[m.Best].Value), Expected: finite(m.Expected), After: finite(m.After),
		Goal: m.Goal, NextTile: m.NextTile, Why: m.Why(), Reasons: m.Reasons(), Moves: map[board.Direction]protocol.ReviewedMove{},
	}
	for _, d := range board.Directions {
		if o := &m.Moves[d]; o.Legal {
			out.Moves[d] = protocol.ReviewedMove{Value: finite(o.Value), Loss: rounded(o.Loss), Class: o.Class}
		}
	}
	return out
}

func finite(x float64) *float64 {
	if math.IsInf(x, 0) {
		return nil
	}
	return stats.OrNull(x)
}

// rounded returns x with eight significant digits, as in all JSON output.
func rounded(x float64) float64 { return *stats.OrNull(x) }

// UnitOf returns the unit of the judge's values, or the unit of the endings' values if endings judged all moves. It
// returns nil if there are no moves.
func UnitOf(moves []Judgement) *protocol.Unit {
	if len(moves) == 0 {
		return nil
	}
	first := max(0, slices.IndexFunc(moves, func(m Judgement) bool { return m.Goal == 0 }))
	unit := protocol.Unit(moves[first].Unit)
	return &unit
}

// AllExact reports whether all losses are exact. It returns false if there are no moves.
func AllExact(moves []Judgement) bool {
	return len(moves) > 0 && !slices.ContainsFunc(moves, func(m Judgement) bool { return !m.Exact })
}

// wire returns the tally as a protocol message.
func (t *Tally) wire() protocol.ReviewTally {
	return protocol.ReviewTally{
		Moves: t.Moves, Forced: t.Forced, Accuracy: stats.OrNull(t.Accuracy()), Loss: stats.OrNull(t.MeanLoss()), Classes: t.Classes,
	}
}
