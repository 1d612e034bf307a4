package player

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/search"
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
		if got, err := splitCommand(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is split into %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{`'`, `a "b`, `"a'`} {
		if got, err := splitCommand(text); err == nil {
			t.Errorf("%q is split into %q", text, got)
		}
	}
}

func TestExecSpecs(t *testing.T) {
	for text, want := range map[string]string{
		`exec`:               `exec: cmd is missing: want cmd=a program and its arguments such as "python3 bot.py"`,
		`exec(cmd="")`:       `exec: cmd="": want a program and its arguments such as "python3 bot.py", quotes closed`,
		`exec(cmd="go 'x")`:  `exec: cmd="go 'x": want a program and its arguments such as "python3 bot.py", quotes closed`,
		`exec(cmd=bot(x=1))`: `exec: cmd is missing: want cmd=a program and its arguments such as "python3 bot.py"`,
		`exec(cmd="no-such-program-here bot.py")`: `exec: cmd="no-such-program-here bot.py": the program no-such-program-here cannot be started: executable file not found in $PATH`,
		`exec(cmd="go",time=2s,timeout=1s)`:       `exec: timeout=1s is less than time=2s: want more`,
		`exec(cmd="go",timeout=2h)`:               `exec: timeout=2h: want 0 for no limit, or a time from 1us to 1h such as 200ms`,
		`exec(cmd="go",timout=1s)`:                `exec has no key "timout": did you mean timeout?`,
	} {
		_, err := Parse(text, Capabilities{Exec: true})
		if err == nil || runtime.GOOS != "windows" && err.Error() != want {
			t.Errorf("%s\n gives %v\n want  %s", text, err, want)
		}
	}
	if _, err := Parse(`exec(cmd="go")`, Capabilities{}); err == nil || !strings.Contains(err.Error(), "programs may not be started here") {
		t.Errorf("without the right to start programs: %v", err)
	}
	for text, timeLimited := range map[string]bool{`exec(cmd="go vet")`: false, `exec(cmd=go,time=50ms)`: true, `exec(cmd=go,time=1m,timeout=0)`: true} {
		m, err := Parse(text, Capabilities{Exec: true})
		if err != nil || m.TimeLimited != timeLimited || m.Spec != text {
			t.Errorf("%s: %+v, %v", text, m, err)
		}
	}
}

// Before it is needed no program runs, a dead board needs none, and one that is
// closed starts no more.
func TestExecStartsLate(t *testing.T) {
	m, err := Parse(`exec(cmd="go no-such-command")`, Capabilities{Exec: true})
	if err != nil {
		t.Fatal(err)
	}
	p := m.New()
	p.Start(1, 2)
	dead, _ := board.Parse("2,4/4,2")
	d, err := p.Decide(t.Context(), search.Query{Position: eval.Position{Board: dead}})
	if err != nil || d.OK || p.(*bot).process != nil {
		t.Errorf("%+v, %v", d, err)
	}
	open, _ := board.Parse("2,0/4,2")
	query := search.Query{Position: eval.Position{Board: open}}
	var lost *Forfeit
	for range 2 { // a game that is lost stays lost
		if _, err = p.Decide(t.Context(), query); !errors.As(err, &lost) || !strings.Contains(lost.Detail, "unknown command") {
			t.Errorf("a program that is no bot: %v", err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	p.Start(1, 3)
	if _, err = p.Decide(ended, query); !errors.Is(err, context.Canceled) || p.(*bot).process != nil {
		t.Errorf("after the end of its context: %v", err)
	}
	if err := Close(p); err != nil {
		t.Error(err)
	}
	if _, err = p.Decide(t.Context(), query); err == nil || errors.As(err, new(*Forfeit)) {
		t.Errorf("a closed bot: %v", err)
	}
	if err := Close(&greedy{}); err != nil {
		t.Error(err)
	}
}

func TestTail(t *testing.T) {
	var tail tail
	for range 5 {
		_, _ = tail.Write([]byte(strings.Repeat("0123456789", 1000)))
		_, _ = tail.Write([]byte("end"))
	}
	if got := string(tail.last); len(got) != mostTail || !strings.HasSuffix(got, "789end") {
		t.Errorf("%d bytes, %q", len(got), got[max(0, len(got)-20):])
	}
}
