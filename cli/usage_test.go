package cli_test

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/internal/must"
)

type innerFlags struct {
	Path string `flag:"db" help:"the store, a <FILE>"`
}

type flagWord string

type allFlags struct {
	innerFlags
	games   int           `flag:"games,n" default:"100" range:"1:1000" help:"games of each player"`
	wait    time.Duration `flag:"wait" default:"10s" range:"1ms:1h"`
	share   float64       `flag:"share" range:"0:"`
	names   []string      `flag:"name"`
	own     flagWord      `flag:"own" default:"x"`
	quiet   bool          `flag:"quiet"`
	private int
	left    struct {
		out string `flag:"out"`
	} `flag:"-"`
}

// Tags of fields make flags with their defaults and limits.
func TestFlags(t *testing.T) {
	var o allFlags
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	usage.Flags(set, &o)
	if o.games != 100 || o.wait != 10*time.Second || o.own != "x" || set.Lookup("games").DefValue != "100" || set.Lookup("wait").DefValue != "10s" {
		t.Errorf("defaults: %+v", o)
	}
	if set.Lookup("private") != nil || set.Lookup("out") != nil || o.private != 0 || o.left.out != "" {
		t.Error("a field without a tag, or a struct that is left out, has a flag")
	}
	if name, text := pflag.UnquoteUsage(set.Lookup("db")); name != "FILE" || text != "the store, a FILE" {
		t.Errorf("%q %q", name, text)
	}
	must.Do(t, set.Parse(strings.Fields("-n 7 --wait 1ms --share 1e9 --name a,b --own y --quiet --db p")))
	if o.games != 7 || o.wait != time.Millisecond || o.share != 1e9 || len(o.names) != 2 || o.own != "y" || !o.quiet || o.Path != "p" {
		t.Errorf("%+v", o)
	}
	for args, want := range map[string]string{
		"-n 0":        "0: must be a whole number from 1 to 1000",
		"-n 1001":     "1001: must be a whole number from 1 to 1000",
		"-n x":        "x: must be a whole number from 1 to 1000",
		"--wait 2h":   "2h: must be a time from 1ms to 1h such as 200ms",
		"--share -1":  "-1: must be a number of at least 0",
		"--share NaN": "NaN: must be a number of at least 0",
	} {
		if err := set.Parse(strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}
