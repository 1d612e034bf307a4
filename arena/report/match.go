package report

import (
	"fmt"
	"io"

	"afterstate/stats"
)

// MatchOdds say in words how near the end of a match is.
func MatchOdds(m *stats.Match) string {
	a, b := m.Odds()
	who, capital := m.A, a
	if b > a {
		who, capital = m.B, b
	}
	return fmt.Sprintf("%.3g : 1 that %s is better, after %d pairs; %.3g : 1 decides", capital, who, m.Pairs(), m.Needed())
}

// Match writes the verdict of a match for a terminal.
func Match(w io.Writer, m *stats.Match) error {
	confidence := fmt.Sprintf("%.4g %%", 100*m.Confidence())
	winner := m.A
	if m.Winner() < 0 {
		winner = m.B
	}
	if m.Winner() == 0 {
		fmt.Fprintf(w, "not clear: %s\n", MatchOdds(m))
	} else {
		fmt.Fprintf(w, "%s is better: found after %d pairs of games, with %s confidence\n", winner, m.Decided(), confidence)
	}
	interval := "not known yet"
	if ci := m.Interval(); ci.Known() {
		interval = fmt.Sprintf("from %+.0f to %+.0f", ci.Low, ci.High)
	}
	_, err := fmt.Fprintf(w, "score of %s - %s: %+.0f a game, %s interval %s\nthe games are kept as %s\n", m.A, m.B, m.Mean(), confidence, interval, m.Name)
	return err
}
