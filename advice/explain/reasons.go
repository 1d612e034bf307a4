package explain

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/advice/odds"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
)

// WriteReasons writes the reasons as text. Call it after WriteDecision.
func WriteReasons(w io.Writer, r *Reasons) error {
	fmt.Fprintln(w)
	writeGames(w, r)
	return cmp.Or(WriteExact(w, r), writeVerdict(w, r), writeTerms(w, r))
}

func writeGames(w io.Writer, r *Reasons) {
	o := &r.Odds
	switch {
	case o.Games == 0 && r.Decision.Unvalued():
		fmt.Fprintf(w, "no games: there is no other move\n")
		return
	case o.Games == 0:
		fmt.Fprintf(w, "no game ended within the time limit: increase --time\n")
		return
	}
	fmt.Fprintf(w, "%d games after each move, played by %s, with 95 %% intervals\n\n", o.Games, o.PlayedBy)
	t := table.New(table.Words(""), table.Number(fmt.Sprintf("dead within %d moves", Horizon)), table.Words(""))
	for _, e := range o.Requested {
		tile := strconv.FormatInt(board.Tile(e), 10)
		if o.Horizon > 0 {
			tile += fmt.Sprintf(" within %d", o.Horizon)
		}
		t.Columns = append(t.Columns, table.Number(tile), table.Words(""))
	}
	if o.Whole > 0 {
		t.Columns = append(t.Columns, table.Number("final score"), table.Words(""), table.Number("moves to come"), table.Words(""))
	}
	for _, d := range r.Decision.Board.Legal() {
		dead, ci := o.SoonOver(d)
		cells := []string{r.Decision.Marked(d), numfmt.Share(dead), numfmt.Shares(ci.Low, ci.High)}
		for _, e := range o.Requested {
			share, ci, _ := o.Chance(d, e)
			cells = append(cells, numfmt.Share(share), numfmt.Shares(ci.Low, ci.High))
		}
		if o.Whole > 0 {
			cells = slices.Concat(cells, meanCells(&o.Moves[d].Score), meanCells(&o.Moves[d].Length))
		}
		t.Add(cells...)
	}
	_ = t.Write(w) // ignored: if w fails here, so does the last write of WriteReasons, which returns that error
	if o.Whole > 0 {
		fmt.Fprintf(w, "\nscore and moves: means of %s\n", numfmt.Count(o.Whole, "game played to its end", "games played to their end"))
	}
}

func writeTerms(w io.Writer, r *Reasons) error {
	legal := r.Decision.Board.Legal()
	parts := r.Terms[legal[0]]
	if len(parts) == 0 {
		return nil
	}
	t := table.New(table.Words(""))
	for _, part := range parts {
		t.Columns = append(t.Columns, table.Number(part.Name))
	}
	for _, d := range legal {
		cells := []string{r.Decision.Marked(d)}
		for _, part := range r.Terms[d] {
			cells = append(cells, numfmt.Value(part.Value))
		}
		t.Add(cells...)
	}
	fmt.Fprint(w, "\nthe evaluator's terms for the board after each move\n\n")
	return t.Write(w)
}

// WriteExact writes the exact values as text. They get a separate table because they assume optimal
// play, unlike the results of the games in the other table.
func WriteExact(w io.Writer, r *Reasons) error {
	scores, known := r.Scores()
	if !known && len(r.Chances) == 0 {
		return nil
	}
	var phrases []string
	if len(r.Chances) > 0 {
		phrases = append(phrases, "the maximum chance of each tile, by play that aims only at it")
	}
	if known {
		phrases = append(phrases, "the expected final score of optimal play")
	}
	t := table.New(table.Words(""))
	for _, g := range r.Chances {
		name := strconv.FormatInt(g.Tile, 10)
		if g.Walls != "" {
			name += fmt.Sprintf(" (%s)", g.Rule())
		}
		t.Columns = append(t.Columns, table.Number(name))
	}
	if known {
		t.Columns = append(t.Columns, table.Number("final score"))
	}
	for _, d := range r.Decision.Board.Legal() {
		cells := []string{r.Decision.Marked(d)}
		for _, g := range r.Chances {
			cells = append(cells, exactChance(g.Moves[d].Value))
		}
		if known {
			cells = append(cells, fmt.Sprintf("%.2f", scores[d]))
		}
		t.Add(cells...)
	}
	fmt.Fprintf(w, "\nexact: %s\n\n", strings.Join(phrases, "; "))
	return t.Write(w)
}

// exactChance formats an exact chance. The text is 100 % or 0 % only if the chance is exactly 1 or 0.
func exactChance(chance float64) string {
	text := fmt.Sprintf("%.4f %%", 100*chance)
	switch {
	case math.IsNaN(chance): // unknown, because the move shifts a wall of the ending
		return "-"
	case chance == 1 || chance == 0:
		return fmt.Sprintf("%.0f %%", 100*chance)
	case text == "100.0000 %":
		return "> 99.9999 %"
	case text == "0.0000 %":
		return "< 0.0001 %"
	}
	return text
}

// meanCells formats a mean and its interval as two table cells.
func meanCells(e *odds.Estimate) []string {
	ci := e.Interval()
	switch {
	case e.N == 0:
		return []string{"-", ""}
	case !ci.Known():
		return []string{numfmt.Rounded(e.Mean), ""}
	}
	return []string{numfmt.Rounded(e.Mean), fmt.Sprintf("[%s, %s]", numfmt.Rounded(ci.Low), numfmt.Rounded(ci.High))}
}

// writeVerdict writes which move to trust and why, if the decision and the games disagree.
func writeVerdict(w io.Writer, r *Reasons) error {
	v, ok := r.Verdict()
	if !ok || v.Agree() {
		return nil
	}
	o := &r.Odds
	fmt.Fprintf(w, "\nthe player prefers %v, but the games favour %v: they make %d more often, by %s %s of the games",
		v.Advice, v.Games, board.Tile(o.Goal()), numfmt.Share(v.Difference.Chance), numfmt.Shares(v.Difference.ChanceCI.Low, v.Difference.ChanceCI.High))
	if ci := v.Difference.Score.Interval(); ci.Known() {
		fmt.Fprintf(w, ", and score %s points [%s, %s] more", numfmt.Rounded(v.Difference.Score.Mean), numfmt.Rounded(ci.Low), numfmt.Rounded(ci.High))
	}
	reason := "the difference may be due to chance"
	switch {
	case r.Decision.Source == player.Exact:
		reason = "the player's values are exact expected scores"
	case v.Trusted == v.Games:
		reason = "the difference is significant at the 95 % level"
	case r.Decision.Source == "search":
		reason += ", and the player searches deeper than the player of the games"
	}
	_, err := fmt.Fprintf(w, "\ntrust %v: %s\n", v.Trusted, reason)
	return err
}
