package odds

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Write writes the odds as text, to follow the decision.
func (a *Answer) Write(w io.Writer) error {
	o := a.Odds
	if o.Games == 0 {
		_, err := fmt.Fprintf(w, "\nno games ended in the time given; see --time and --games\n")
		return err
	}
	fmt.Fprintf(w, "\n%d games played on after each move by %s%s; with 95 %% intervals\n\n", o.Games, o.PlayedBy, stopText[o.Stopped])
	t := table.New(table.Words(""))
	for _, e := range o.Asked {
		t.Columns = append(t.Columns, table.Number(strconv.FormatInt(board.Tile(e), 10)), table.Words(""))
	}
	t.Columns = append(t.Columns, table.Number("final score"), table.Words(""), table.Number("moves to come"), table.Words(""))
	for _, d := range o.Position.Board.Legal() {
		cells := []string{a.Decision.Marked(d)}
		for _, e := range o.Asked {
			share, ci, _ := o.Chance(d, e)
			cells = append(cells, numfmt.Share(share), numfmt.Shares(ci.Low, ci.High))
		}
		t.Add(slices.Concat(cells, o.Moves[d].Score.cells(), o.Moves[d].Length.cells())...)
	}
	if err := t.Write(w); err != nil {
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
	t := table.New(table.Words(""))
	for _, g := range a.Chances {
		t.Columns = append(t.Columns, table.Number(strconv.FormatInt(g.Tile, 10)))
	}
	if known {
		t.Columns = append(t.Columns, table.Number("final score"))
	}
	for _, d := range a.Odds.Position.Board.Legal() {
		cells := []string{a.Decision.Marked(d)}
		for _, g := range a.Chances {
			cells = append(cells, exactChance(g.Moves[d].Value))
		}
		if known {
			cells = append(cells, fmt.Sprintf("%.2f", scores[d]))
		}
		t.Add(cells...)
	}
	fmt.Fprintf(w, "\nexact: %s\n\n", strings.Join(what, "; "))
	return t.Write(w)
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

// cells returns the mean and its interval.
func (e *Estimate) cells() []string {
	if e.N == 0 {
		return []string{"-", ""}
	}
	ci := e.Interval()
	if !ci.Known() {
		return []string{numfmt.Rounded(e.Mean), ""}
	}
	return []string{numfmt.Rounded(e.Mean), fmt.Sprintf("[%s, %s]", numfmt.Rounded(ci.Low), numfmt.Rounded(ci.High))}
}

// writeVerdict reports where the decision and the games disagree.
func (a *Answer) writeVerdict(w io.Writer) error {
	v, ok := a.Verdict()
	if !ok || v.Agree() {
		return nil
	}
	o := a.Odds
	fmt.Fprintf(w, "\nthe player advises %v, the games %v: %d in %s %s more of them", v.Advice, v.Games,
		board.Tile(o.Goal()), numfmt.Share(v.Difference.Chance), numfmt.Shares(v.Difference.ChanceCI.Low, v.Difference.ChanceCI.High))
	if ci := v.Difference.Score.Interval(); ci.Known() {
		fmt.Fprintf(w, ", and %s points [%s, %s] more", numfmt.Rounded(v.Difference.Score.Mean), numfmt.Rounded(ci.Low), numfmt.Rounded(ci.High))
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
