package report

import (
	"fmt"
	"io"

	"github.com/afterstate2048/afterstate/internal/stats"
)

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
