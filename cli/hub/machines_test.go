//go:build unix

package hub_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// A worker that is started with the printed command plays an experiment whose command started a hub itself.
func TestWorkersAt(t *testing.T) {
	l := newLab(t)
	run := l.start("afterstate", append(words("first", "40"), "--workers-at", "127.0.0.1:0", "-j", "0")...)
	run.says("?cert=")
	url := between(t, run.stderr(), "afterstate worker '", "'")
	worker := l.start("afterstate", "worker", url, "-j", "2", "--name", "rack-1")
	worker.says("worker rack-1 with 2 cores")
	run.ends(0)
	worker.signal(syscall.SIGINT)
	worker.ends(0)
	must.Contains(t, worker.stderr(), "ended after 120 games")
	l.equal("first", "40")
}

func between(t *testing.T, text, before, after string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, before)
	found, _, closed := strings.Cut(rest, after)
	if !ok || !closed {
		t.Fatalf("no %s...%s in %s", before, after, text)
	}
	return found
}

// Workers of a hub are listed, play a match, and this process plays too.
func TestHub(t *testing.T) {
	l := newLab(t)
	l.startHub()
	worker := l.worker("--name", "one")
	worker.says("worker one with 1 core ")
	clitest.WaitFor(t, func() bool { return strings.Contains(l.do("workers", "hub"), "one") }) // before the first experiment
	l.do(append(words("first", "40"), "--nats", "hub", "-j", "1")...)
	l.equal("first", "40")

	stage := []string{"random", "greedy", "--start", "2,4,8/0,2,16/0,0,0", "--tries", "30", "--goal", "64"}
	l.do(append([]string{"arena", "run", "stage", "--nats", "hub", "-j", "0"}, stage...)...)
	l.do(append([]string{"arena", "run", "stage-alone"}, stage...)...)
	l.same("stage", "stage-alone")

	match := []string{"arena", "match", "expectimax(eval=gradient,plies=1)", "random", "--size", "3x3", "--json"}
	l.do(append(match, "--name", "here")...)
	there := l.do(append(match, "--name", "there", "--nats", "hub", "-j", "0")...)
	must.Contains(t, there, `"winner"`)

	list := l.do("workers", "hub")
	if !strings.Contains(list, "one") || !strings.Contains(l.do("workers", l.URLs[0], "--json"), `"name":"one"`) {
		t.Error(list)
	}
	worker.signal(syscall.SIGINT)
	worker.ends(0)
	clitest.WaitFor(t, func() bool { return !strings.Contains(l.do("workers", "hub"), "one") })
}

// A network reaches the workers by its hash. The games are the same as on one machine.
func TestNetworkTravels(t *testing.T) {
	l := newLab(t)
	l.startHub()
	l.do("train", "2x3", "--size", "3x3", "--games", "200", "--name", "small", "-j", "1")
	l.worker()
	run := func(name string) []string {
		return []string{"arena", "run", name, "ntuple(model=small)", "greedy", "--size", "3x3", "--games", "20"}
	}
	l.do(append(run("there"), "--nats", "hub", "-j", "0")...)
	l.do(run("here")...)
	l.same("there", "here")
}

// Programs run only on workers that allow them. The experiment reports which player no worker plays and why; the others are
// played meanwhile. A worker finds the files of programs whatever folder it was started in.
func TestPrograms(t *testing.T) {
	l := newLab(t)
	l.startHub()
	l.worker("--name", "careful").says("worker careful")
	folder := t.TempDir()
	bot := filepath.Join(folder, "bot.sh")
	must.Do(t, os.WriteFile(bot, []byte("exec '"+l.bin+"/afterstate' rpc --player greedy\n"), 0o700))
	in := func(dir string, args ...string) *process {
		t.Helper()
		return l.startIn([]string{"env", "-C", dir}, "afterstate", args...)
	}
	const why = "no worker plays afterstate 0.1.0 of bots: worker careful may not run or connect to other programs: start it with --allow-exec\n"
	run := in(folder, "arena", "run", "bots", `exec(cmd="sh bot.sh")`, "random", "--size", "3x3", "--games", "4", "--nats", "hub", "-j", "0")
	run.says(why)
	clitest.WaitFor(t, func() bool { return l.played("bots") == 4 }) // those of random
	run.signal(syscall.SIGINT)
	run.ends(130)
	in("/", "worker", l.URLs[0], "-j", "1", "--allow-exec", "--name", "free").says("worker free")
	in(folder, "arena", "run", "bots", "--nats", "hub", "-j", "0").ends(0)
}

// A worker that was killed is no longer listed.
func TestLostWorker(t *testing.T) {
	soak.Full(t, "it takes 20 s; TestHub lists a worker, and no longer when it has ended")
	l := newLab(t)
	l.startHub()
	w := l.worker("--name", "gone")
	w.says("worker gone")
	l.worker("--name", "here").says("worker here")
	clitest.WaitFor(t, func() bool { return strings.Contains(l.do("workers", "hub"), "gone") })
	w.kill()
	clitest.WaitFor(t, func() bool {
		list := l.do("workers", "hub")
		return strings.Contains(list, "here") && !strings.Contains(list, "gone")
	})
}

// Wrong arguments are reported at once, with what is accepted.
func TestRefusals(t *testing.T) {
	l := newLab(t)
	l.startHub()
	url := l.URLs[0]
	token := between(t, url, "nats://", "@")
	cert := url[strings.Index(url, "?cert=")+6:]
	for want, args := range map[string][]string{
		"Authorization":                               {"worker", strings.Replace(url, token, "wrong"+token, 1)},
		"must be " + strings.Repeat("0", 64):          {"worker", strings.Replace(url, cert, strings.Repeat("0", 64), 1)},
		"has SHA-256 " + cert:                         {"workers", strings.Replace(url, cert, strings.Repeat("0", 64), 1)},
		"certificate":                                 {"worker", strings.Replace(url, "?cert="+cert, "", 1)},
		`path "//x": must be nats://TOKEN@HOST:4222`:  {"worker", "http//x"},
		"no NATS server: give its URL":                {"worker"},
		"--workers 0: must be a whole number from 1":  {"worker", url, "-j", "0"},
		"exclude each other":                          append(words("a", "1"), "--nats", "hub", "--workers-at", "127.0.0.1:0"),
		"--workers 0: must be from 1 to 4096 without": append(words("b", "1"), "-j", "0"),
		`"4222" is not an address`:                    append(words("c", "1"), "--workers-at", "4222"),
		"address already in use":                      append(words("d", "1"), "--workers-at", between(t, url, "@", "?")),
		"another hub is using this folder":            append(words("e", "1"), "--workers-at", "127.0.0.1:0"),
	} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			p := l.start("afterstate", args...)
			p.ends(2)
			if !strings.Contains(p.stderr(), want) || strings.Contains(p.stderr(), token) || strings.Count(p.stderr(), "\n") > 3 {
				t.Errorf("%v: %s, want %s", args, p.stderr(), want)
			}
		})
	}
}

// The address may be in a file or in the environment.
func TestSecretsElsewhere(t *testing.T) {
	l := newLab(t)
	l.startHub()
	file := l.data + "/url"
	writeFile(t, file, l.URLs[0]+"\n")
	l.do("workers", "@"+file)
	l.startIn([]string{"env", "AFTERSTATE_NATS=" + l.URLs[0]}, "afterstate", "workers").ends(0)
}
