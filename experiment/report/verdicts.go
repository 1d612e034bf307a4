package report

import (
	"fmt"
	"io"
	"strconv"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/internal/table"
)

// Comparison writes a comparison of two named players as text.
func Comparison(w io.Writer, c *arena.Comparison) error {
	t := &textReport{width: 80}
	if c.Unpaired {
		t.printf("A  %s, %s\nB  %s, %s\nimported games have no seeds: their means are compared\n\n", c.A, countGames(c.Games), c.B, countGames(c.Others))
		t.printf("score of A - B  %s, %s\nwith a 95 %% interval by Welch's t test\n", difference(c.Difference, c.CI), c.Verdict)
		_, err := io.WriteString(w, t.out.String())
		return err
	}
	t.printf("A  %s\nB  %s\n%s of the same seed\n\n", c.A, c.B, countGames(c.Games))
	t.printf("score of A - B  %s, %s\n", difference(c.Difference, c.CI), c.Verdict)
	t.printf("A has more      in %s of the games; B in %s\n\n",
		shareWords(c.WonShare, c.WonCI), numfmt.Share(float64(c.Lower)/float64(c.Games)))
	all := table.New(table.Words("tile"), table.Number("A reaches"), table.Number("B reaches"), table.Number("A - B"))
	for _, r := range c.Reach {
		all.Add(strconv.FormatInt(r.Tile, 10), numfmt.Share(r.Value.Share), numfmt.Share(r.Value.Other),
			fmt.Sprintf("%+5.1f %%  [%+.1f, %+.1f]", 100*r.Value.Difference, 100*r.Value.CI.Low, 100*r.Value.CI.High))
	}
	t.out.WriteString(all.Text(t.width))
	t.printf("all with 95 %% intervals\n")
	_, err := io.WriteString(w, t.out.String())
	return err
}

func countGames(n int) string {
	if n == 1 {
		return "1 game"
	}
	return fmt.Sprintf("%d games", n)
}

// MatchWealth is one line on how near a verdict is.
func MatchWealth(m *stats.Match) string {
	a, b := m.Wealth()
	better, e := m.A, a
	if b > a {
		better, e = m.B, b
	}
	return fmt.Sprintf("e-value %.3g for %s being better, after %d pairs; %.3g decides", e, better, m.Pairs(), m.Threshold())
}

// Match writes the verdict of a match for a terminal.
func Match(w io.Writer, m *stats.Match) error {
	confidence := fmt.Sprintf("%.4g %%", 100*m.Confidence())
	winner := m.A
	if m.Winner() < 0 {
		winner = m.B
	}
	if m.Winner() == 0 {
		fmt.Fprintf(w, "not clear: %s\n", MatchWealth(m))
	} else {
		fmt.Fprintf(w, "%s is better: found after %d pairs of games, with %s confidence\n", winner, m.DecidedAfter(), confidence)
	}
	interval := "not known yet"
	if ci := m.Interval(); ci.Known() {
		interval = fmt.Sprintf("from %+.0f to %+.0f", ci.Low, ci.High)
	}
	_, err := fmt.Fprintf(w, "score of %s - %s: %+.0f a game, %s interval %s\nthe games are stored as %s\n", m.A, m.B, m.Mean(), confidence, interval, m.Name)
	return err
}
