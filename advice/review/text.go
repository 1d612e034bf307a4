package review

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/protocol"
)

// PhaseName returns the name of phase number i as people read it.
func PhaseName(i int) string { return [len(Phases)]string{"to 512", "to 2048", "beyond"}[i] }

// Write writes a report as text: a table of phases, then the worst moves with their boards.
func Write(w io.Writer, r *protocol.ReviewReport) error {
	if r.Judged < r.Moves {
		fmt.Fprintf(w, "judged: the first %d of %d moves\n", r.Judged, r.Moves)
	}
	exact := ""
	if r.Exact {
		exact = ", whose values are exact"
	}
	fmt.Fprintf(w, "accuracy %s, by %s%s\n\n", percent(r.Game.Accuracy), r.Judge, exact)
	t := table.New(table.Words("phase"))
	t.Columns = append(t.Columns, table.Numbers("moves", "accuracy", "mean loss", "best", "good", "inaccuracy", "mistake", "blunder", "forced")...)
	for i := range r.Phases {
		p := &r.Phases[i]
		addRow(t, PhaseName(slices.Index(Phases[:], p.Phase)), &p.ReviewTally)
	}
	addRow(t, "game", &r.Game)
	if err := t.Write(w); err != nil {
		return err
	}
	if len(r.Worst) > 0 {
		fmt.Fprintln(w, "\nworst moves: each gave away a share of the expected score")
	}
	for i := range r.Worst {
		m := &r.Worst[i]
		lost := ""
		if m.Lost {
			lost = " and ends the game"
		}
		fmt.Fprintf(w, "\nmove %d: %v, %s, gives away %s%s; %v is better\n", m.Move+1, m.Played, article(m.Class), percent(&m.Loss), lost, m.Best)
		if _, err := fmt.Fprintf(w, "%s  %v\n", m.Board.Drawing(), m.Board); err != nil {
			return err
		}
	}
	return nil
}

func article(c protocol.MoveClass) string {
	if c == protocol.ClassInaccuracy {
		return "an inaccuracy"
	}
	return "a " + string(c)
}

func addRow(to *table.Table, name string, t *protocol.ReviewTally) {
	cells := []string{name, strconv.Itoa(t.Moves), percent(t.Accuracy), percent(t.Loss)}
	for _, n := range []int{t.Classes.Best, t.Classes.Good, t.Classes.Inaccuracy, t.Classes.Mistake, t.Classes.Blunder, t.Forced} {
		cells = append(cells, strconv.Itoa(n))
	}
	to.Add(cells...)
}

// percent writes a share, with more digits near 0.
func percent(x *float64) string {
	switch {
	case x == nil:
		return "-"
	case *x > 0 && *x < 0.01:
		return fmt.Sprintf("%.2f %%", 100**x)
	}
	return numfmt.Share(*x)
}
