package catalog

import (
	"runtime"
	"strings"
	"testing"
)

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
