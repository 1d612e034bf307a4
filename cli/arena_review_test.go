//go:build !race

// Builds for the race detector have no network.

package cli_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/internal/stats"
)

// Accuracies are plausible: low for random play, near 100 % for a player like the judge's network, and players rank by
// them as by their mean scores. docs/lab/review.md has more players and games.
func TestReviewRanks(t *testing.T) {
	soak.Full(t, "reviews with the network; TestScripts/review has the command, package review what a judge finds")
	db := filepath.Join(t.TempDir(), "x.db")
	command := func(args ...string) string {
		t.Helper()
		return succeeds(t, append(args, "--db", db)...)
	}
	command("arena", "run", "ranks", "random", "greedy", "minimax(depth=2)", "snake", "ntuple(plies=1)", "--games", "30") // by mean score
	var table experiment.ReviewTable
	must.Do(t, json.Unmarshal([]byte(command("arena", "review", "ranks", "--games", "4", "--json")), &table))
	last := stats.Figure(0)
	for _, p := range table.Players {
		accuracy := p.Accuracy.Value
		if accuracy <= last {
			t.Errorf("%s has an accuracy of %v, the player before it %v", p.Player, accuracy, last)
		}
		if p.Player == "random" && (accuracy < 0.2 || accuracy > 0.4) {
			t.Errorf("random play has an accuracy of %v", accuracy)
		}
		last = accuracy
	}
	if len(table.Players) != 5 || last < 0.99 || last == 1 {
		t.Errorf("%d players, the last one with an accuracy of %v", len(table.Players), last)
	}
	weak := func(player string) stats.Figure {
		t.Helper()
		var table experiment.ReviewTable
		must.Do(t, json.Unmarshal([]byte(command("arena", "review", "ranks/"+player, "--games", "3", "--level", "3000", "--json")), &table))
		return table.Players[0].Accuracy.Value
	}
	if random, greedy := weak("random"), weak("greedy"); !(random < greedy) {
		t.Errorf("at level 3000 random play has an accuracy of %v, greedy play %v", random, greedy)
	}
}
