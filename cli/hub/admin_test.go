//go:build unix

package hub_test

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// The units, container lines and backups of docs/administration.md.

// block returns the commands of docs/administration.md that a test runs.
func block(t *testing.T, test string) string {
	t.Helper()
	page := must.Get(os.ReadFile("../../docs/administration.md"))(t)
	for found := range strings.SplitSeq(string(page), "```sh\n# not run: ") {
		if why, rest, ok := strings.Cut(found, "\n"); ok && strings.Contains(why, test+" runs") {
			commands, _, _ := strings.Cut(rest, "\n```")
			return commands
		}
	}
	t.Fatalf("no commands that %s runs", test)
	return ""
}

// shell runs documented commands in a folder, with the paths of the page replaced by paths of this test.
func shell(t *testing.T, folder, commands string, paths ...string) {
	t.Helper()
	cmd := exec.Command("sh", "-e", "-c", strings.NewReplacer(paths...).Replace(commands))
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", commands, err, out)
	}
}

// stranger is another user, if the tests run as root, who owns only one folder.
type stranger struct {
	*lab
	folder string   // to write to
	as     []string // a command that starts others as this user
}

func newStranger(t *testing.T, user string) *stranger {
	t.Helper()
	s := &stranger{lab: newLab(t), folder: t.TempDir()}
	s.bin = t.TempDir()
	for _, folder := range []string{filepath.Dir(s.bin), s.bin} {
		must.Do(t, os.Chmod(folder, 0o755))
	}
	self := must.Get(os.Executable())(t)
	from := must.Get(os.Open(self))(t)
	defer from.Close()
	program := filepath.Join(s.bin, "afterstate")
	syscall.ForkLock.RLock() // a child that another test starts meanwhile would keep the file open: "text file busy"
	to, err := os.OpenFile(program, os.O_CREATE|os.O_WRONLY, 0o755)
	if err == nil {
		_, err = io.Copy(to, from)
		err = errors.Join(err, to.Close(), os.Link(program, filepath.Join(s.bin, "afterstate-hub")))
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		s.as = []string{"chroot", "--userspec=" + user, "/"}
		s.gives(s.folder)
	}
	return s
}

// gives makes the user the owner of a file or folder.
func (s *stranger) gives(path string) {
	s.Helper()
	if s.as == nil {
		return
	}
	user, group, _ := strings.Cut(strings.TrimPrefix(s.as[1], "--userspec="), ":")
	uid, _ := strconv.Atoi(user)
	gid, _ := strconv.Atoi(group)
	must.Do(s, os.Chown(path, uid, gid))
}

// runs starts a program as the user, with only these environment variables.
func (s *stranger) runs(env []string, program string, args ...string) *process {
	s.Helper()
	before := slices.Concat(s.as, []string{"env", "-i", clitest.ParentVariable + "=" + strconv.Itoa(os.Getpid())}, env)
	return s.startIn(before, program, args...)
}

// listens waits for the address that a hub prints for workers.
func (s *stranger) listens(hub *process) (address string) {
	s.Helper()
	printed := regexp.MustCompile(`(?m)^afterstate worker '(.*)'$`)
	clitest.WaitFor(s, func() bool {
		if !hub.running() {
			s.Fatal(hub.stderr())
		}
		found := printed.FindStringSubmatch(hub.stdout())
		if found != nil {
			address = found[1]
		}
		return found != nil
	})
	return address
}

// service returns the settings of a unit, and checks that it does not run as root.
func service(t *testing.T, name string) map[string][]string {
	t.Helper()
	text := must.Get(os.ReadFile("../../deploy/" + name + ".service"))(t)
	all := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(key, "#") {
			all[key] = append(all[key], value)
		}
	}
	for key, want := range map[string]string{"DynamicUser": "yes", "NoNewPrivileges": "yes", "ProtectSystem": "strict", "ProtectHome": "yes", "CapabilityBoundingSet": "", "Restart": "always"} {
		if got := all[key]; len(got) != 1 || got[0] != want {
			t.Errorf("%s: %s=%q, want %q", name, key, got, want)
		}
	}
	return all
}

// starts starts the program of a unit, with only the unit's environment variables. paths are the values of systemd's specifiers and the address.
func (s *stranger) starts(unit map[string][]string, paths ...string) *process {
	s.Helper()
	r := strings.NewReplacer(paths...)
	words := strings.Fields(r.Replace(unit["ExecStart"][0]))
	var env []string
	for _, v := range unit["Environment"] {
		env = append(env, r.Replace(v))
	}
	return s.runs(env, strings.TrimPrefix(words[0], "/usr/bin/"), words[1:]...)
}

// The programs of the units work as an unprivileged user without a home; SIGTERM, which systemd sends, ends them.
func TestUnits(t *testing.T) {
	s := newStranger(t, "65534:65534")
	hub := s.starts(service(t, "afterstate-hub"), "%S", s.folder, "0.0.0.0:4222", "127.0.0.1:0")
	address := s.listens(hub)

	credential := filepath.Join(s.folder, "hub-url")
	writeFile(t, credential, address+"\n")
	s.gives(credential)
	worker := s.starts(service(t, "afterstate-worker"), "%d", s.folder, "%C", s.folder)
	worker.says("worker ")

	here := t.TempDir()
	shell(t, here, block(t, "TestUnits"), "/var/lib/afterstate-hub", filepath.Join(s.folder, "afterstate-hub"))
	owner := "@" + filepath.Join(here, "hub-url")
	s.do(append(words("first", "40"), "--nats", owner, "-j", "0")...)
	clitest.WaitFor(t, func() bool { return strings.Contains(s.do("workers", owner), " 120 ") })
	s.equal("first", "40")
	for _, p := range []*process{worker, hub} {
		p.signal(syscall.SIGTERM)
		p.ends(0)
	}
}

// systemd accepts the units.
func TestUnitsVerify(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		notRun(t, "there is no systemd-analyze")
	}
	l := newLab(t)
	for _, name := range []string{"afterstate-hub", "afterstate-worker"} {
		text := must.Get(os.ReadFile("../../deploy/" + name + ".service"))(t)
		file := filepath.Join(t.TempDir(), name+".service")
		writeFile(t, file, strings.ReplaceAll(string(text), "/usr/bin/", l.bin+"/"))
		if out, err := exec.Command("systemd-analyze", "verify", file).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// The container commands start programs that work together, with only the image's environment variables and its user.
func TestContainerLines(t *testing.T) {
	image := must.Get(os.ReadFile("../../Containerfile"))(t)
	setting := func(name string) string {
		return regexp.MustCompile(`(?m)^` + name + ` (.*)$`).FindStringSubmatch(string(image))[1]
	}
	s := newStranger(t, setting("USER"))
	var lines [][]string
	for line := range strings.Lines(block(t, "TestContainerLines")) {
		lines = append(lines, strings.Fields(strings.ReplaceAll(line, `"`, "")))
	}
	// runs starts the program of a line, with the address of a hub.
	runs := func(line int, address string) *process {
		t.Helper()
		options, args := lines[line], []string(nil)
		program, volume := "afterstate", ""
		for i, word := range options {
			switch {
			case word == "--entrypoint":
				program = filepath.Base(options[i+1])
			case strings.HasSuffix(word, ":/data"):
				volume = filepath.Join(s.folder, strings.TrimSuffix(word, ":/data"))
			case word == "afterstate" && args == nil:
				args = options[i+1:]
			}
		}
		must.Do(t, os.MkdirAll(volume, 0o755))
		s.gives(volume)
		env := strings.Fields(strings.ReplaceAll(setting("ENV"), "/data", volume))
		if slices.Contains(options, "AFTERSTATE_NATS") {
			env = append(env, "AFTERSTATE_NATS="+address)
		}
		for i, word := range args {
			args[i] = strings.NewReplacer("0.0.0.0:4222", "127.0.0.1:0", "0.0.0.0:2048", "127.0.0.1:0", "$AFTERSTATE_NATS", address).Replace(word)
		}
		return s.runs(env, program, args...)
	}
	here := strings.NewReplacer("hub.lab.example", "127.0.0.1").Replace
	worker := runs(1, here(s.listens(runs(0, ""))))
	worker.says("worker rack-1 ")
	state := must.Get(os.ReadFile(filepath.Join(s.folder, "hub/afterstate/hub/hub.json")))(t)
	owner := between(t, string(state), `"url":"`, `"`)
	page := runs(2, owner)
	runs(3, owner).ends(0)
	clitest.WaitFor(t, func() bool {
		all, _ := workers(t, s.calls(page))
		return all["rack-1"].Games == 80
	})
	must.Equal(t, len(lines), 4)
}

// A hub started on a copy of its folder, even an old one, continues from there: no game is lost or counted twice.
func TestHubRestored(t *testing.T) {
	soak.Full(t, quicker)
	l := newLab(t)
	l.startHub()
	l.worker()
	folder, here := filepath.Join(l.data, "afterstate", "hub"), t.TempDir()
	page := must.Get(os.ReadFile("../../docs/administration.md"))(t)
	commands := regexp.MustCompile(`(?m)^tar -C .*$`).FindAllString(string(page), -1) // to copy and to unpack
	if len(commands) != 2 {
		t.Fatalf("commands %q", commands)
	}
	stop := func() {
		l.hub.signal(syscall.SIGTERM)
		l.hub.ends(0)
	}
	run, size := l.begin(8000)
	stage := func() {
		t.Helper()
		before := l.played("first")
		clitest.WaitFor(t, func() bool { return l.played("first") > before || !run.running() })
		run.signal(syscall.SIGINT)
		<-run.ended
	}
	stage()
	stop()
	shell(t, here, commands[0], "/var/lib/afterstate-hub", folder)
	l.startHub()
	run, _ = l.begin(8000)
	stage()
	stop()
	must.Do(t, os.RemoveAll(folder))
	must.Do(t, os.Mkdir(folder, 0o700))
	shell(t, here, commands[1], "/var/lib/afterstate-hub", folder)
	l.startHub()
	run, _ = l.begin(8000)
	run.ends(0)
	l.equal("first", size)
}
