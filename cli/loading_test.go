package cli_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// modelFile writes a network of these patterns, one weight of which is not zero.
func modelFile(t *testing.T, patterns string) string {
	t.Helper()
	l := must.Get(ntuple.ParseLayout(bitboard.Size, patterns))(t)
	n := must.Get(ntuple.New(l))(t)
	defer n.Close()
	n.Table(0, 0)[0] = 7
	path := filepath.Join(t.TempDir(), "some.model")
	must.Do(t, ntuple.Save(path, n, ntuple.Info{}))
	return path
}

// brokenModel writes a model file with a valid header and damaged weights: loading it fails.
func brokenModel(t *testing.T) string {
	t.Helper()
	path := modelFile(t, "0123 4567")
	file := must.Get(os.OpenFile(path, os.O_WRONLY, 0))(t)
	defer file.Close()
	must.Get(file.WriteAt([]byte{1}, 5000))(t)
	return path
}

// Commands that need no network do not load it.
func TestWithoutLoading(t *testing.T) {
	const (
		dead   = "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2"
		forced = "2,4,8,16/4,8,16,32/8,16,32,64/0,0,0,0"
		open   = "2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2"
	)
	spec := fmt.Sprintf("ntuple(model=%q)", brokenModel(t))
	for _, c := range []struct {
		args   []string
		in     string
		status int
		want   string
	}{
		{[]string{"best", dead}, "", 0, "no legal move: the game is over"},
		{[]string{"best", forced}, "", 0, "> down   the only move"},
		{[]string{"best", "--json", forced}, "", 0, `"move":"down"`},
		{[]string{"best", "--why", dead}, "", 0, "no legal move"},
		{[]string{"best", "--why", forced}, "", 0, "no games: there is no other move"},
		{[]string{"best", "-"}, dead + "\n" + dead, 0, "none\t"},
		{[]string{"tree", "-f", "json", dead}, "", 0, `"terminal":true`},
		{[]string{"best", "2,2,0/0,0,0/0,0,0"}, "", 1, "the network is for 4x4 boards, but this board is 3x3"},
		{[]string{"rpc"}, `{"jsonrpc":"2.0","id":1,"method":"analyze","params":{"board":"` + forced + `"}}`, 0, `"move":"down"`},
		{[]string{"rpc"}, `{"jsonrpc":"2.0","id":1,"method":"rules.inspect","params":{"board":"` + open + `"}}`, 0, `"over":false`},
		// These commands need the network, and fail because it cannot be loaded.
		{[]string{"best", open}, "", 2, "the checksum of section weights 0 is wrong"},
		{[]string{"best", "-"}, forced, 2, "the checksum of section weights 0 is wrong"},
		{[]string{"tree", forced}, "", 2, "the checksum of section weights 0 is wrong"},
	} {
		args := append([]string{c.args[0], "-p", spec}, c.args[1:]...)
		status, out, errOut := clitest.Run(t.Context(), strings.NewReader(c.in), args...)
		if status != c.status || !strings.Contains(out+errOut, c.want) {
			t.Errorf("%q: status %d, %s%s, want %q", c.args, status, out, errOut, c.want)
		}
	}
	status, out, errOut := clitest.Run(t.Context(), nil, "inspect", open)
	if status != 0 || !strings.Contains(out, "left") {
		t.Errorf("inspect: %d, %s%s", status, out, errOut)
	}
}

// Two processes that fill the cache at once give the same answer, and leave one file that a third process uses.
func TestFillingTheCacheAtOnce(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv(models.NoCache, "")
	p := clitest.NewProcess(t)
	args := []string{"best", "--json", "-p", fmt.Sprintf("ntuple(model=%q,plies=1)", modelFile(t, "01234 01245 01256 12345 12456")), "2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2"}
	elapsed := regexp.MustCompile(`"elapsed_ms":[0-9.]+`)
	answers := map[string]bool{}
	rounds := 1
	if soak.Wanted() {
		rounds = 3
	}
	for range rounds {
		must.Do(t, os.RemoveAll(filepath.Join(cache, "afterstate")))
		first, firstOut, firstErr := p.Start(args...)
		second, secondOut, secondErr := p.Start(args...)
		if err := errors.Join(first.Wait(), second.Wait()); err != nil {
			t.Fatalf("%v: %s%s", err, firstErr, secondErr)
		}
		files, _ := filepath.Glob(filepath.Join(cache, "afterstate", "*"))
		if len(files) != 1 {
			t.Fatalf("in the cache: %v", files)
		}
		filled := must.Get(os.Stat(files[0]))(t)
		status, third, errOut := p.Run(args...)
		if now, err := os.Stat(files[0]); status != 0 || err != nil || !os.SameFile(filled, now) {
			t.Errorf("the third process: %s, %v", errOut, err)
		}
		for _, answer := range []string{firstOut.String(), secondOut.String(), third} {
			answers[elapsed.ReplaceAllString(answer, "")] = true
		}
	}
	must.Equal(t, len(answers), 1, "answers", answers)
}
