package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// A person at a terminal gets the page in a browser, with its token; nobody else does, and without a browser that
// opens it nothing is said.
func TestServeOpens(t *testing.T) {
	soak.Full(t, "serves from programs on terminals; TestServeOpensNothing has a machine without a browser")
	t.Parallel()
	const desk = "DISPLAY=:7"
	for name, c := range map[string]struct {
		o     clitest.Options
		args  []string
		opens bool
	}{
		"terminal":           {clitest.Options{Env: []string{desk}}, nil, true},
		"Wayland":            {clitest.Options{Env: []string{"WAYLAND_DISPLAY=w"}}, nil, true},
		"windows over SSH":   {clitest.Options{Env: []string{desk, "SSH_CONNECTION=1 2 3 4"}}, nil, true},
		"SSH":                {clitest.Options{Env: []string{"SSH_CONNECTION=1 2 3 4"}}, nil, false},
		"no desktop":         {clitest.Options{}, nil, false},
		"CI":                 {clitest.Options{Env: []string{desk, "CI=true"}}, nil, false},
		"forbidden":          {clitest.Options{Env: []string{desk}}, []string{"--no-open"}, false},
		"stdin from a file":  {clitest.Options{Env: []string{desk}, NoKeys: true}, nil, false},
		"stdout into a pipe": {clitest.Options{Env: []string{desk}, Shell: `"$0" "$@" | cat`}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bin := t.TempDir()
			opened := filepath.Join(bin, "opened")
			script := "#!/bin/sh\necho noise >&2\necho \"$1\" > " + opened + ".new\nmv " + opened + ".new " + opened + "\nexit 3\n"
			syscall.ForkLock.RLock() // a child that another test starts meanwhile would keep the file open: "text file busy"
			err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte(script), 0o700)
			syscall.ForkLock.RUnlock()
			if err != nil {
				t.Fatal(err)
			}
			c.o.Rows, c.o.Cols = 50, 100
			c.o.Env = append(c.o.Env, "PATH="+bin+":"+os.Getenv("PATH"))
			s := clitest.Start(t, c.o, append([]string{"serve", "--player", "greedy", "--listen", "127.0.0.1:0", "--token", "sesame-sesame-16"}, c.args...)...)
			s.Sees(`serving; Ctrl-C ends`)
			address := regexp.MustCompile(`http://127\S+token=sesame-sesame-16`).FindString(s.Sees(`http://127\S+`))
			if c.opens {
				clitest.WaitFor(t, func() bool {
					_, err := os.Stat(opened)
					return err == nil
				})
			}
			s.Press("ctrl+c")
			if c.o.Shell == "" {
				s.Ends(0)
			}
			got, _ := os.ReadFile(opened)
			if want := map[bool]string{true: address + "\n"}[c.opens]; string(got) != want || address == "" {
				t.Errorf("opened %q, want %q", got, want)
			}
			if strings.Contains(s.Output(), "noise") {
				t.Errorf("the terminal shows the browser's messages: %s", s.Output())
			}
		})
	}
}
