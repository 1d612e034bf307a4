package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"afterstate/bitboard"
	"afterstate/internal/clitest"
	"afterstate/ntuple"
)

// brokenModel is a model file whose header is sound and whose weights are not: whoever loads it
// fails.
func brokenModel(t *testing.T) string {
	t.Helper()
	l, err := ntuple.Named(bitboard.Size, "2x4")
	if err != nil {
		t.Fatal(err)
	}
	n, err := ntuple.New(l)
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	path := filepath.Join(t.TempDir(), "broken.model")
	if err := ntuple.Save(path, n, ntuple.Info{}); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteAt([]byte{1}, 5000); err != nil {
		t.Fatal(err)
	}
	return path
}

// What needs no network is answered without loading it.
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
		{[]string{"best", "--why", forced}, "", 0, "no rollouts: there is no other move"},
		{[]string{"best", "-"}, dead + "\n" + dead, 0, "none\t"},
		{[]string{"tree", "-f", "json", dead}, "", 0, `"terminal":true`},
		{[]string{"best", "2,2,0/0,0,0/0,0,0"}, "", 1, "the network is for 4x4 boards, this one is 3x3"},
		{[]string{"rpc"}, `{"jsonrpc":"2.0","id":1,"method":"analyze","params":{"board":"` + forced + `"}}`, 0, `"move":"down"`},
		{[]string{"rpc"}, `{"jsonrpc":"2.0","id":1,"method":"rules.inspect","params":{"board":"` + open + `"}}`, 0, `"over":false`},
		// The network is needed for these, which shows that it cannot be loaded.
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
