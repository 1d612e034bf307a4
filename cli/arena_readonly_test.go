//go:build unix

package cli_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// copyProgram copies a program that may be another user's alone, or on another disk, unless the copy exists.
func copyProgram(from, to string) error {
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(to, data, 0o755), os.Chmod(to, 0o755)) // whatever the umask
}

// reader is the program as a user who is not root runs it, since root may write anywhere.
func (p *arenaProcess) reader(args ...string) (out string, errOut string, status int) {
	p.t.Helper()
	program := p.program
	var who *syscall.SysProcAttr
	if os.Getuid() == 0 {
		test := must.Get(os.Executable())(p.t)
		program = filepath.Join(filepath.Dir(p.db), "afterstate")
		must.Do(p.t, copyProgram(test, program))
		must.Do(p.t, os.Chmod(filepath.Dir(filepath.Dir(p.db)), 0o755))
		who = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	cmd := exec.Command(program, append(args, "--db", p.db)...)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = &o, &e, who
	cmd.Env = []string{"HOME=/nonexistent", "PATH=" + os.Getenv("PATH"), "TZ=UTC"}
	err := cmd.Run()
	if cmd.ProcessState == nil {
		p.t.Fatal(err)
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}

// A store that may only be read is read, by its file's mode or its folder's; writing says
// what is wrong.
func TestArenaReadOnly(t *testing.T) {
	soak.Full(t, "starts programs as another user; TestLuck of package store opens a store that may only be read")
	p := newArenaProcess(t)
	p.says("run", "first", "random", "greedy", "--games", "20", "--size", "3x3")
	folder := filepath.Dir(p.db)
	t.Cleanup(func() { _ = os.Chmod(folder, 0o755) })
	for _, c := range []struct{ file, folder os.FileMode }{{0o444, 0o755}, {0o644, 0o555}, {0o444, 0o555}, {0o444, 0o777}} {
		must.Do(t, os.Chmod(folder, 0o755))
		must.Do(t, os.Chmod(p.db, c.file))
		p.reader("arena", "list") // copies the program into the folder
		must.Do(t, os.Chmod(folder, c.folder))
		for _, words := range [][]string{
			{"arena", "list"}, {"arena", "show", "first"}, {"arena", "compare", "first/1", "first/2"}, {"arena", "report", "first", "--format", "md"},
			{"arena", "export", "first"}, {"arena", "export", "first", "--format", "records"}, {"watch", "--game", "first/greedy/3"},
		} {
			want, errOut := new(bytes.Buffer), ""
			cmd := exec.Command(p.program, append(words, "--db", p.db)...)
			cmd.Env = append(os.Environ(), "TZ=UTC") // the list has times
			cmd.Stdout = want
			must.Do(t, cmd.Run())
			out, errOut, status := p.reader(words...)
			if status != 0 || out != want.String() {
				t.Errorf("%o in %o: %v: status %d, %s", c.file, c.folder, words, status, errOut)
			}
		}
		for _, words := range [][]string{{"arena", "rm", "first"}, {"arena", "run", "first", "--games", "30"}, {"arena", "run", "second", "greedy", "--games", "3"}} {
			_, errOut, status := p.reader(words...)
			if status != 1 || !strings.Contains(errOut, "x.db cannot be ") || strings.Contains(errOut, "SQL") {
				t.Errorf("%o in %o: %v: status %d, %s", c.file, c.folder, words, status, errOut)
			}
		}
	}
}
