package clitest

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/afterstate2048/afterstate/cli"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// Scripts runs the scripts in testdata/script. UPDATE=1 rewrites their golden outputs.
//
//	run best -p greedy - <boards.txt   # a command line in this process, with a file as its standard input
//	exec afterstate version            # the same in another process, which takes longer to start
//
// Lines with the condition [full] run only in make check (FULL=1): they are slow repetitions of other tests.
func Scripts(t *testing.T) {
	p := testscript.Params{
		Dir: "testdata/script", UpdateScripts: must.Updating(),
		Setup: func(e *testscript.Env) error {
			e.Setenv("XDG_CACHE_HOME", os.Getenv("XDG_CACHE_HOME"))
			e.Values[environment{}] = e.Vars
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"run": func(ts *testscript.TestScript, neg bool, args []string) { runInScript(t.Context(), ts, neg, args) },
		},
		Condition: func(name string) (bool, error) {
			if name != "full" {
				return false, fmt.Errorf("unknown condition %s", name)
			}
			return soak.Wanted(), nil
		},
	}
	if deadline, ok := t.Deadline(); ok {
		p.Deadline = deadline
	}
	testscript.RunT(oneByOne{t}, p)
}

// oneByOne runs scripts one after another, since run changes the working folder and the environment of this
// process.
type oneByOne struct{ *testing.T }

func (oneByOne) Parallel() {}

func (o oneByOne) Run(name string, f func(testscript.T)) {
	o.T.Run(name, func(t *testing.T) { f(oneByOne{t}) })
}

func (oneByOne) Verbose() bool { return testing.Verbose() }

// environment is the key in testscript.Env.Values for the initial environment variables of a script.
type environment struct{}

// scriptVariables lists environment variables that scripts may set and commands read, in addition
// to those that every script starts with.
var scriptVariables = []string{"XDG_DATA_HOME", "XDG_STATE_HOME", models.NoCache}

// runInScript implements the script command run.
func runInScript(ctx context.Context, ts *testscript.TestScript, neg bool, args []string) {
	var in string
	if last := len(args) - 1; last >= 0 && strings.HasPrefix(args[last], "<") {
		in, args = ts.ReadFile(args[last][1:]), args[:last]
	}
	defer enter(ts)()
	status := cli.Run(ctx, args, strings.NewReader(in), ts.Stdout(), ts.Stderr())
	if neg && status == 0 {
		ts.Fatalf("unexpected success of %q", args)
	} else if !neg && status != 0 {
		ts.Fatalf("%q: exit status %d", args, status)
	}
}

// enter gives this process the working folder and the environment of a script; leave restores the previous
// ones.
func enter(ts *testscript.TestScript) (leave func()) {
	folder, err := os.Getwd()
	ts.Check(err)
	own := os.Environ()
	script := []string{"PWD=" + ts.MkAbs(".")}
	for _, v := range ts.Value(environment{}).([]string) {
		name, _, _ := strings.Cut(v, "=")
		script = append(script, name+"="+ts.Getenv(name))
	}
	for _, name := range scriptVariables {
		script = append(script, name+"="+ts.Getenv(name))
	}
	ts.Check(os.Chdir(ts.MkAbs(".")))
	setEnvironment(script)
	return func() {
		setEnvironment(own)
		ts.Check(os.Chdir(folder))
	}
}

// setEnvironment replaces all environment variables of this process.
func setEnvironment(variables []string) {
	os.Clearenv()
	for _, v := range variables {
		name, value, _ := strings.Cut(v, "=")
		_ = os.Setenv(name, value)
	}
}
