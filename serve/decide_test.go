package serve

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/protocol"
)

// decided waits until an experiment that ends at a verdict is not played any more, and returns its evidence.
func decided(c *client, name string) protocol.Evidence {
	c.t.Helper()
	eventually(c.t, "the verdict", func() bool {
		for _, x := range decode[protocol.ExperimentList](c.t, c.ask("experiments.list", "")).Experiments {
			if x.Name == name {
				if x.Games != 0 {
					c.t.Fatalf("%+v", x)
				}
				return !x.Running
			}
		}
		return false
	})
	return decode[protocol.Evidence](c.t, c.ask("experiments.evidence", fmt.Sprintf(`{"name":%q}`, name)))
}

// A match and a ranking are played to their verdicts, which another server with the same store finds too.
func TestDecide(t *testing.T) {
	soak.Full(t, "it plays thousands of games; package experiment has verdicts in the quick suite, and TestExperiments the requests")
	path := filepath.Join(t.TempDir(), "experiments.db")
	runner := runnerAt(path, "1", 2)
	c := start(t, Options{Runner: runner})
	match := decode[protocol.ExperimentRef](t, c.ask("experiments.start", `{"players":["random","greedy"],"size":"3x3","seed":4,"games":0}`)).Name
	first := decided(c, match)
	if len(first.Tests) != 1 || first.Left != nil || *first.Tests[0].Winner != "greedy" || first.Players[0].Player != "greedy" || first.Players[0].Worst != 1 {
		t.Fatalf("%+v", first)
	}
	test := first.Tests[0]
	last := len(test.After) - 1
	if test.Threshold < 39.9 || test.After[0] != 0 || test.EvidenceA[0] != 1 || test.After[last] != *test.Decided || test.EvidenceB[last] != test.WealthB || test.WealthB < test.Threshold {
		t.Errorf("the curve %+v", test)
	}
	ladder := decode[protocol.ExperimentRef](t, c.ask("experiments.start", `{"players":["random","greedy","snake(depth=0)"],"size":"3x3","name":"ladder","games":0}`)).Name
	ranks := decided(c, ladder)
	for i, name := range []string{"snake(depth=0)", "greedy", "random"} {
		if p := ranks.Players[i]; p.Player != name || p.Best != i+1 || p.Worst != i+1 {
			t.Errorf("rank %d: %+v", i+1, p)
		}
	}
	if len(ranks.Tests) != 2 || ranks.Tests[0].Threshold < 119 {
		t.Errorf("%d tests, %v decides", len(ranks.Tests), ranks.Tests[0].Threshold)
	}
	for params, want := range map[string]string{
		`{"name":"ladder"}`:                `-32602 experiments.start: "ladder" already has its verdict`,
		`{"players":["greedy"],"games":0}`: `-32602 experiments.start: games: 0: playing until a verdict requires a server and at least two players`,
		`{"name":"none"}`:                  "-32602 experiments.start: no experiment has this name",
	} {
		if got := c.ask("experiments.start", params); got != want {
			t.Errorf("%s: %s\nwant %s", params, got, want)
		}
	}
	// Players that play alike have no verdict. Such a match is stopped long before its 10,000 games, and another server resumes it.
	c.ask("experiments.start", `{"players":["expectimax(plies=1)","expectimax(plies=1,prune=star1)"],"size":"4x4","name":"twins","games":0}`)
	eventually(t, "games", func() bool {
		v := decode[protocol.Evidence](t, c.ask("experiments.evidence", `{"name":"twins"}`))
		return v.Left != nil && v.Left.AtLeast > 1e6
	})
	c.ask("experiments.stop", `{"name":"twins"}`)
	eventually(t, "its end", func() bool { return runner.Running() == 0 })
	runner.Close()
	again := runnerAt(path, "1", 1)
	t.Cleanup(again.Close)
	d := start(t, Options{Runner: again})
	if got := decided(d, match); *got.Tests[0].Decided != *test.Decided || got.Tests[0].WealthB != test.WealthB {
		t.Errorf("later: %+v\nwant %+v", got.Tests[0], test)
	}
	if got := d.ask("experiments.start", `{"name":"twins"}`); got != `{"name":"twins"}` || again.Running() != 1 {
		t.Errorf("resumed: %s, %d running", got, again.Running())
	}
	d.ask("experiments.remove", `{"name":"twins"}`)
	if got := d.ask("experiments.evidence", `{"name":"twins"}`); got != "-32602 experiments.evidence: no experiment has this name" {
		t.Errorf("removed: %s", got)
	}
}
