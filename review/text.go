package review

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"afterstate/explain"
	"afterstate/wire"
)

// phaseNames are the phases as people read them.
var phaseNames = [...]string{"to 512", "to 2048", "beyond"}

// PhaseName returns the name of a phase as people read it.
func PhaseName(i int) string { return phaseNames[i] }

// Write writes the report as text: a table of phases, then the worst moves with their boards.
func (r *Report) Write(w io.Writer) error {
	if r.Judged < r.Total {
		fmt.Fprintf(w, "judged: the first %d of %d moves\n", r.Judged, r.Total)
	}
	exact := ""
	if r.Exact {
		exact = ", whose values are exact"
	}
	fmt.Fprintf(w, "accuracy %s, by %s%s\n\n", percent(r.Game.Accuracy()), r.Judge, exact)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "phase\tmoves\taccuracy\tmean loss\tbest\tgood\tinaccuracy\tmistake\tblunder\tforced\t")
	for i := range r.Phases {
		if p := &r.Phases[i]; p.Moves+p.Forced > 0 {
			p.writeRow(t, phaseNames[i])
		}
	}
	r.Game.writeRow(t, "game")
	if err := t.Flush(); err != nil {
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
		fmt.Fprintf(w, "\nmove %d: %v, %s, gives away %s%s; %v is better\n", m.Move+1, m.Played, article(m.Class), percent(m.Loss), lost, m.Best)
		explain.DrawBoard(w, &m.Board)
		if _, err := fmt.Fprintf(w, "  %v\n", m.Board); err != nil {
			return err
		}
	}
	return nil
}

func article(c wire.MoveClass) string {
	if c == wire.ClassInaccuracy {
		return "an inaccuracy"
	}
	return "a " + string(c)
}

func (t *Tally) writeRow(w io.Writer, name string) {
	c := &t.Classes
	fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t\n", name, t.Moves, percent(t.Accuracy()), percent(t.MeanLoss()),
		c.Best, c.Good, c.Inaccuracy, c.Mistake, c.Blunder, t.Forced)
}

// percent writes a share, with more digits near 0.
func percent(x float64) string {
	switch {
	case math.IsNaN(x):
		return "-"
	case x > 0 && x < 0.01:
		return fmt.Sprintf("%.2f %%", 100*x)
	}
	return fmt.Sprintf("%.1f %%", 100*x)
}
