package frozen_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// sizes are the board sizes of the recorded games. The quick suite plays the first ones.
var sizes = []string{"3x3", "4x4", "2x3", "2x2", "3x4", "5x3", "5x5", "6x6"}

const quickSizes = 2

// players are the recorded players: every preset, every kind of player, every evaluator, and the
// options of the searches. Time limits are replaced by depths, so that the games are reproducible.
var players = []string{
	"random", "greedy", "auto", "best", "expert", "snake", "snake(depth=0)", "deepening(time=0,depth=2)", "alphabeta", "minimax(depth=3)",
	"weighted-snake", "foresight", "foresight(depth=10,beam=16)", "foresight(depth=3,eval=empty)",
	"expectimax(eval=product,plies=1)", "expectimax(eval=snake,plies=1)", "expectimax(eval=snake-empty,plies=1)",
	"expectimax(eval=gradient,plies=1)", "expectimax(eval=weighted-snake,plies=1)", "expectimax(eval=smoothness,plies=1)",
	"expectimax(eval=lines,plies=1)", "expectimax(eval=edges,plies=1)", "expectimax(eval=adjacency,plies=1)", "expectimax(eval=duplicates,plies=1)",
	"expectimax(eval=empty,plies=1)", "expectimax(eval=largest,plies=1)", "expectimax(eval=monotonicity,plies=1)",
	"expectimax(eval=sum(empty=2,smoothness=1),plies=2)", "expectimax(eval=expert,plies=2,tt=2MB)", "expectimax(eval=expert,plies=2,min_prob=0.01)",
	"expectimax(eval=snake,plies=2,leaf=spawn,prune=star1)",
	"expectimax(eval=expert,nodes=3000)", "expectimax(eval=expert,plies=2,p4=0.3)",
}

// networkPlayers play 4x4 only.
var networkPlayers = []string{
	"champion", "master", "ntuple(plies=1)", "ntuple(plies=2,tt=2MB)", "ntuple(plies=2,impl=generic)", "champion(nodes=500)", "champion(endings=none)",
	"ntuple(plies=1,downgrade=0)",
}

// lateBoard is an ending: six walls and two 2s.
const lateBoard = "16384,8192,4096,2048/1024,512,0,0/0,2,0,0/0,0,2,0"

type recordedGame struct {
	MoveCount int             `json:"move_count"`
	Moves     string          `json:"moves"`
	Board     json.RawMessage `json:"board"`
	Score     int64           `json:"score"`
}

// The seeded games of every player stay the same, move by move.
func TestGames(t *testing.T) {
	for i, size := range sizes {
		if i == quickSizes && !soak.Wanted() && !must.Updating() {
			break
		}
		specs := slices.Clone(players)
		switch size {
		case "4x4":
			specs = append(specs, networkPlayers...)
		case "2x2", "2x3":
			specs = append(specs, "perfect", "perfect(goal=16)")
		}
		var lines []string
		for _, spec := range specs {
			lines = append(lines, spec+": "+playedGame(t, spec, "--size", size, "--until", "64"))
		}
		for _, spawn := range []string{"random(p4=0.5)", "adversary", "friendly", "adversary(plies=2,share=0.5)"} {
			lines = append(lines, fmt.Sprintf("greedy, %s: %s", spawn, playedGame(t, "greedy", "--size", size, "--spawn", spawn, "--until", "64")))
		}
		clitest.Golden(t, "games-"+size+".txt", lines)
	}
}

// The games of the network's players in an ending stay the same.
func TestLateGames(t *testing.T) {
	soak.Full(t, "searches hundreds of boards with the network; TestGames has the beginnings, package player/catalog the endings")
	var lines []string
	for _, spec := range []string{"champion", "master", "ntuple(plies=1)", "champion(endings=none)"} {
		lines = append(lines, fmt.Sprintf("%s, %s: %s", spec, lateBoard, playedGame(t, spec, "--start", lateBoard, "--until", "32768")))
	}
	clitest.Golden(t, "games-late.txt", lines)
}

// playedGame plays a game and returns its score, number of moves, and a hash of its moves.
func playedGame(t *testing.T, spec string, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "game.json")
	if status, _, errOut := clitest.Run(t.Context(), nil, append([]string{"watch", spec, "--seed", "7", "--record", file}, args...)...); status != 0 {
		t.Errorf("%s %q: %s", spec, args, errOut)
		return "error"
	}
	text := must.Get(os.ReadFile(file))(t)
	var g recordedGame
	must.Do(t, json.Unmarshal(text, &g))
	hash := sha256.Sum256(append([]byte(g.Moves), g.Board...))
	return fmt.Sprintf("%d in %d moves, %x", g.Score, g.MoveCount, hash[:8])
}
