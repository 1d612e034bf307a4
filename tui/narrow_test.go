package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/internal/soak"
)

// In windows of 60 columns no text is cut off. Lines that are too long are wrapped.
func TestSixtyColumns(t *testing.T) {
	const spec = "expectimax(eval=sum(empty=2,gradient=1),plies=2)"
	whole := func(what string, height int, screen string, wanted ...string) {
		t.Helper()
		if strings.Contains(screen, "..") {
			t.Errorf("%s in 60x%d is cut off:\n%s", what, height, screen)
		}
		for _, part := range wanted {
			if !strings.Contains(strings.Join(strings.Fields(screen), " "), part) {
				t.Errorf("%s in 60x%d lacks %q:\n%s", what, height, part, screen)
			}
		}
	}
	heights := []int{16}
	if soak.Wanted() {
		heights = []int{16, 20, 24, 30}
	}
	for _, height := range heights {
		m, _ := newTestPlay(t, func(o *PlayOptions) {
			o.Hint, o.Animate, o.Rule = maker(t, spec), false, rule(t, "adversary(share=0.3)")
		})
		playTo(t, m, "greedy", 64)
		open(m, 60, height)
		take(t, m, press(m, "space"))
		for _, m.hint.decision.Elapsed = range []time.Duration{900 * time.Microsecond, 10900 * time.Microsecond, 123456 * time.Second} {
			whole("play", height, screenText(m), "2 plies", "left")
		}
		m.Update(press(m, "e")())
		played := "95 % intervals"
		if strings.Contains(screenText(m), "no games were played on") { // the machine is busy
			played = "the player is too slow"
		}
		whole("why", height, screenText(m), "Why ", spec, played)
		if len(m.hint.reasons.Line) > 0 { // the machine is not busy
			whole("why", height, screenText(m), "expected line: ")
		}

		w := newTestWatch(t, maker(t, spec).New(), func(o *WatchOptions) {
			o.Name, o.About = spec, "4x4, seed 1234567890, new tiles: adversary(share=0.3)"
		})
		open(w, 60, height)
		whole("watch", height, screenText(w), "4x4, seed 1234567890,")
	}
	for text, want := range map[string]string{
		"hint: expectimax(plies=2)": "hint:|expectimax|(plies=2)", "a bc": "a bc", "0123456789abc d": "0123456789|abc d", "one 0123456789": "one|0123456789",
	} {
		if got := strings.Join(wrap(text, 10), "|"); got != want {
			t.Errorf("%q is wrapped to %s, want %s", text, got, want)
		}
	}
}
