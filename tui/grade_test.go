package tui

import (
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/player/catalog"
)

// Moves get the class of a review, each after it and not before. The first move at each turn counts, and hints are off.
func TestPlayGrades(t *testing.T) {
	judge, err := review.Named(func(spec string) (catalog.Maker, error) { return maker(t, spec), nil }, "expert(nodes=300)")
	if err != nil {
		t.Fatal(err)
	}
	m, _ := newTestPlay(t, func(o *PlayOptions) { o.Judge, o.Grade = judge.Last(), true })
	cmd := m.start()
	var tally review.Tally
	streak, mistakes := 0, 0
	for range 40 {
		if m.hint.shown = true; strings.Contains(screenText(m), "hint:") {
			t.Fatalf("a hint is shown:\n%s", screenText(m))
		}
		take(t, m, cmd)
		choices, err := judge.Review(t.Context(), review.Choices(eval.Position{Board: m.game.Board(), Score: m.game.Score()}), review.Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		move := choices[m.game.Moves()%len(choices)]
		tally.Add(&move)
		if move.Loss > 0.02 || move.Lost {
			streak = 0
		} else if !move.Forced() {
			streak++
		}
		want := move.Grade.String() + ". Accuracy " + numfmt.Share(tally.Accuracy()) + ", streak " + numfmt.Int(int64(streak)) + "."
		m.move(move.Played)
		if m.message != want {
			t.Errorf("move %d: %q, want %q", m.game.Moves(), m.message, want)
		}
		if move.Loss > 0 {
			mistakes++
			take(t, m, m.back())
			m.move(move.Played)
			if again := strings.Replace(want, ".", ", better: "+move.Best.String()+".", 1); !strings.Contains(m.message, ", better: "+move.Best.String()+". Accuracy ") {
				t.Errorf("again: %q, want %q", m.message, again)
			}
		}
		m.judge.asked = 0
		cmd = m.ask()
	}
	if mistakes == 0 {
		t.Error("no move was worse than the best one")
	}
	press(m, "g")
	m.judge.asked = 0
	if m.move(0); strings.Contains(m.message, "Accuracy") {
		t.Errorf("graded: %q", m.message)
	}
}
