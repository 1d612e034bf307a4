package odds

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"afterstate/board"
	"afterstate/internal/numfmt"
	"afterstate/player"
)

// Write writes the odds as text, to follow the decision.
func (a *Answer) Write(w io.Writer) error {
	o := a.Odds
	if o.Games == 0 {
		_, err := fmt.Fprintf(w, "\nno games ended in the time given; see --time and --games\n")
		return err
	}
	fmt.Fprintf(w, "\n%d games played on after each move by %s%s; with 95 %% intervals\n\n", o.Games, o.PlayedBy, stopText[o.Stopped])
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "\t")
	for _, e := range o.Asked {
		fmt.Fprintf(t, "%d\t\t", board.Tile(e))
	}
	fmt.Fprint(t, "final score\t\tmoves to come\t\n")
	for _, d := range o.legal() {
		mark := " "
		if d == a.Decision.Move {
			mark = ">"
		}
		fmt.Fprintf(t, "%s %v\t", mark, d)
		for _, e := range o.Asked {
			share, ci, _ := o.Chance(d, e)
			fmt.Fprintf(t, "%5.1f %%\t[%.1f, %.1f]\t", 100*share, 100*ci.Low, 100*ci.High)
		}
		fmt.Fprintf(t, "%s\t%s\n", o.Moves[d].Score.text(), o.Moves[d].Length.text())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if o.Whole > 0 {
		fmt.Fprintf(w, "\nscore and moves are those of %d games that were played to the end\n", o.Whole)
	}
	if err := a.writeExact(w); err != nil {
		return err
	}
	return a.writeVerdict(w)
}

// writeExact writes the exact values, apart from the shares of the games: these are of another play.
func (a *Answer) writeExact(w io.Writer) error {
	scores, known := a.Scores()
	if !known && len(a.Chances) == 0 {
		return nil
	}
	var what []string
	if len(a.Chances) > 0 {
		what = append(what, "the greatest chance of each tile, for play that aims at it alone")
	}
	if known {
		what = append(what, "the expected final score of optimal play")
	}
	fmt.Fprintf(w, "\nexact: %s\n\n", strings.Join(what, "; "))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "\t")
	for _, g := range a.Chances {
		fmt.Fprintf(t, "%d\t", g.Tile)
	}
	if known {
		fmt.Fprint(t, "final score\t")
	}
	fmt.Fprintln(t)
	for _, d := range a.Odds.legal() {
		mark := " "
		if d == a.Decision.Move {
			mark = ">"
		}
		fmt.Fprintf(t, "%s %v\t", mark, d)
		for _, g := range a.Chances {
			fmt.Fprintf(t, "%s\t", exactChance(g.Moves[d].Value))
		}
		if known {
			fmt.Fprintf(t, "%.2f\t", scores[d])
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// exactChance formats an exact chance: 100 % and 0 % are certain.
func exactChance(chance float64) string {
	text := fmt.Sprintf("%.4f %%", 100*chance)
	switch {
	case chance == 1 || chance == 0:
		return fmt.Sprintf("%.0f %%", 100*chance)
	case text == "100.0000 %":
		return "> 99.9999 %"
	case text == "0.0000 %":
		return "< 0.0001 %"
	}
	return text
}

var stopText = map[Reason]string{Clear: ", until one move was clearly better", TimeUp: ", until the time was up"}

// text is the mean with its interval, in two columns.
func (e *Estimate) text() string {
	if e.N == 0 {
		return "-\t"
	}
	ci := e.Interval()
	if !ci.Known() {
		return whole(e.Mean) + "\t"
	}
	return fmt.Sprintf("%s\t[%s, %s]", whole(e.Mean), whole(ci.Low), whole(ci.High))
}

func whole(x float64) string { return numfmt.Rounded(x) }

// writeVerdict reports where the decision and the games disagree.
func (a *Answer) writeVerdict(w io.Writer) error {
	v, ok := a.Verdict()
	if !ok || v.Agree() {
		return nil
	}
	o := a.Odds
	fmt.Fprintf(w, "\nthe player advises %v, the games %v: %d in %.1f %% [%.1f, %.1f] more of them", v.Advice, v.Games,
		board.Tile(o.Goal()), 100*v.Difference.Chance, 100*v.Difference.ChanceCI.Low, 100*v.Difference.ChanceCI.High)
	if ci := v.Difference.Score.Interval(); ci.Known() {
		fmt.Fprintf(w, ", and %s points [%s, %s] more", whole(v.Difference.Score.Mean), whole(ci.Low), whole(ci.High))
	}
	reason := "that may be chance"
	switch {
	case a.Decision.Source == player.Exact:
		reason = "its values are exact, and they are points"
	case v.Trusted == v.Games:
		reason = "the difference is clear at 95 %"
	case a.Decision.Source == "search":
		reason += ", and the player looks further than the games' player"
	}
	_, err := fmt.Fprintf(w, "\ntrust %v: %s\n", v.Trusted, reason)
	return err
}
