package catalog

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/bot/remote"
)

func TestExecSpecs(t *testing.T) {
	for text, want := range map[string]string{
		`exec`:               `exec: cmd is missing: give cmd=a program and its arguments such as "python3 bot.py"`,
		`exec(cmd="")`:       `exec: cmd="": must be a program and its arguments such as "python3 bot.py", with closed quotes`,
		`exec(cmd="go 'x")`:  `exec: cmd="go 'x": must be a program and its arguments such as "python3 bot.py", with closed quotes`,
		`exec(cmd=bot(x=1))`: `exec: cmd is missing: give cmd=a program and its arguments such as "python3 bot.py"`,
		`exec(cmd="no-such-program-here bot.py")`: `exec: cmd="no-such-program-here bot.py": the program no-such-program-here cannot be started: executable file not found in $PATH`,
		`exec(cmd="go",time=2s,timeout=1s)`:       `exec: timeout=1s is less than time=2s: must be at least as long`,
		`exec(cmd="go",timeout=2h)`:               `exec: timeout=2h: must be 0 for no limit, or a time from 1us to 1h such as 200ms`,
		`exec(cmd="go",name="")`:                  `exec: name="": must be a name of at most 60 bytes, in double quotes if it is not one word`,
		`exec(cmd="go",name=" x")`:                `exec: name=" x": must be a name of at most 60 bytes, in double quotes if it is not one word`,
		`exec(go vet)`:                            `spec "exec(go vet)", column 9: found 'v', expected "=" after go; to run a program, write exec(cmd="python3 bot.py"), in single quotes on a command line`,
		`my/bot.py 7`:                             `spec "my/bot.py 7", column 3: found '/', expected the end, or arguments in round brackets as in snake(depth=2); to run a program, write exec(cmd="python3 bot.py"), in single quotes on a command line`,
		`snake depth=2`:                           `spec "snake depth=2", column 7: found 'd', expected the end, or arguments in round brackets as in snake(depth=2)`,
		`remote`:                                  `remote: url is missing: give url=a URL with ws, wss, http or https, such as "ws://host:8080/bot"`,
		`remote(url="host:80")`:                   `remote: url="host:80": the scheme is "host": must be a URL with ws, wss, http or https, such as "ws://host:8080/bot"`,
		`remote(url="https://a:b@host")`:          `remote: url="https://a:b@host": the URL has a user name or password, which reports would show: must be a URL with ws, wss, http or https, such as "ws://host:8080/bot"`,
		`remote(url="http:///x")`:                 `remote: url="http:///x": the host is missing: must be a URL with ws, wss, http or https, such as "ws://host:8080/bot"`,
		`remote(url="ws://host:x/")`:              `remote: url="ws://host:x/": invalid port ":x" after host: must be a URL with ws, wss, http or https, such as "ws://host:8080/bot"`,
		`exec(cmd="go",timout=1s)`:                `exec has no key "timout": did you mean timeout?`,
	} {
		_, err := Parse(text, Capabilities{Exec: true, Connect: remote.Connect})
		if err == nil || runtime.GOOS != "windows" && err.Error() != want {
			t.Errorf("%s\n gives %v\n want  %s", text, err, want)
		}
	}
	for text, want := range map[string]string{
		`exec(cmd="go")`:                `exec: starting programs is not allowed here: use a built-in player`,
		`exec(go vet)`:                  `spec "exec(go vet)", column 9: found 'v', expected "=" after go`,
		`remote(url="ws://127.0.0.1")`:  `remote: connecting to programs is not allowed here: use a built-in player`,
		`remote(url="http://10.0.0.1")`: `remote: connecting to programs is not allowed here: use a built-in player`,
	} {
		_, err := Parse(text, Capabilities{})
		must.Equal(t, fmt.Sprint(err), want, text, "without the right to use programs")
	}
	if _, err := Parse(`remote(url="ws://127.0.0.1")`, Capabilities{Exec: true}); err == nil {
		t.Error("remote is accepted without a way to connect")
	}
	for text, timeLimited := range map[string]bool{`exec(cmd="go vet")`: false, `exec(cmd=go,time=50ms)`: true, `exec(cmd=go,time=1m,timeout=0)`: true} {
		m, err := Parse(text, Capabilities{Exec: true})
		if err != nil || m.TimeLimited != timeLimited || m.Spec != text {
			t.Errorf("%s: %+v, %v", text, m, err)
		}
	}
}
