package bot

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

func TestSplitCommand(t *testing.T) {
	for text, want := range map[string][]string{
		"":                              nil,
		"  ":                            nil,
		"bot":                           {"bot"},
		" python3\tbot.py  -v ":         {"python3", "bot.py", "-v"},
		`'my bot' --name "a b"`:         {"my bot", "--name", "a b"},
		`a'b c'd ""`:                    {"ab cd", ""},
		`C:\bots\bot.exe "it's"`:        {`C:\bots\bot.exe`, "it's"},
		`sh -c 'a | b && echo "$HOME"'`: {"sh", "-c", `a | b && echo "$HOME"`},
	} {
		if got, err := SplitCommand(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is split into %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{`'`, `a "b`, `"a'`} {
		if got, err := SplitCommand(text); err == nil {
			t.Errorf("%q is split into %q", text, got)
		}
	}
}

// A player starts its program only when it needs it, which a dead board does not, and never after it is
// closed.
func TestStartsLate(t *testing.T) {
	p := NewProgram(Options{Spec: "bot", Command: []string{"go", "no-such-command"}, Timeout: 10 * time.Second, Startup: 30 * time.Second}).New()
	p.Start(1, 2)
	dead, _ := board.Parse("2,4/4,2")
	d, err := p.Decide(t.Context(), search.NewQuery(dead, 0))
	if err != nil || d.OK || p.conn != nil {
		t.Errorf("%+v, %v", d, err)
	}
	open, _ := board.Parse("2,0/4,2")
	query := search.NewQuery(open, 0)
	var lost *player.ForfeitError
	for range 2 { // a game that is lost stays lost
		if _, err = p.Decide(t.Context(), query); !errors.As(err, &lost) || !strings.Contains(lost.Detail, "unknown command") {
			t.Errorf("a program that is no bot: %v", err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	p.Start(1, 3)
	if _, err = p.Decide(ended, query); !errors.Is(err, context.Canceled) || p.conn != nil {
		t.Errorf("after the end of its context: %v", err)
	}
	must.Do(t, player.Close(p))
	if _, err = p.Decide(t.Context(), query); err == nil || errors.As(err, new(*player.ForfeitError)) {
		t.Errorf("a closed bot: %v", err)
	}
}

func TestTail(t *testing.T) {
	var tail tail
	for range 5 {
		_, _ = tail.Write([]byte(strings.Repeat("0123456789", 1000)))
		_, _ = tail.Write([]byte("end"))
	}
	if got := string(tail.last); len(got) != maxTail || !strings.HasSuffix(got, "789end") {
		t.Errorf("%d bytes, %q", len(got), got[max(0, len(got)-20):])
	}
}
