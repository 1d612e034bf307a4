package serve

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/stages"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

// hardBoard is an entry of the page's file.
type hardBoard struct {
	Stage, Tile int64
	Board       string
	Games       int
	Made        map[board.Direction]int
}

func hardBoards(t *testing.T) (all []hardBoard) {
	t.Helper()
	must.Do(t, json.Unmarshal(must.Get(os.ReadFile("ui/src/hard.json"))(t), &all))
	return all
}

// The hard boards are of their stage sets, and have the chance after each legal move, and a choice. They were chosen once, by 4000
// games of the champion's network after each move of candidates (package odds): the move of snake gives away at least 6 % of the chance
// to make the next tile, master agrees on the best move, and the second-best one keeps a fifth of the chance. Of each set there are the
// ten at most that lose most.
func TestHardBoards(t *testing.T) {
	all := hardBoards(t)
	for _, h := range all {
		b := must.Get(board.Parse(h.Board))(t)
		starts := must.Get(stages.Open(h.Stage))(t)
		if !slices.ContainsFunc(starts, func(s arena.Start) bool { return s.Board == b }) {
			t.Errorf("%v is not of stage %d", h.Board, h.Stage)
		}
		if h.Tile != board.Tile(b.Largest()+1) {
			t.Errorf("%v: the next tile is not %d", h.Board, h.Tile)
		}
		for _, d := range board.Directions {
			_, _, legal := b.Slide(d)
			if n, ok := h.Made[d]; ok != legal || n < 0 || n > h.Games {
				t.Errorf("%v: %v is legal: %v, made %d of %d", h.Board, d, legal, n, h.Games)
			}
		}
		if len(h.Made) < 2 {
			t.Errorf("%v has no choice", h.Board)
		}
	}
	if len(all) < 20 {
		t.Errorf("%d boards", len(all))
	}
}

// tablePlayer is a row of the tables of players in docs/lab/review.md.
type tablePlayer struct {
	player   string
	score    string
	accuracy float64 // percent
}

// tableOfPlayers are the players with which the page compares its visitors.
func tableOfPlayers(t *testing.T) (all []tablePlayer) {
	t.Helper()
	source := must.Get(os.ReadFile("ui/src/strength.ts"))(t)
	for _, m := range regexp.MustCompile(`\{ player: '(.*)', score: (\d+), accuracy: ([\d.]+) \}`).FindAllStringSubmatch(string(source), -1) {
		accuracy, _ := strconv.ParseFloat(m[3], 64) // it is digits and a dot
		all = append(all, tablePlayer{m[1], m[2], accuracy})
	}
	return all
}

// The players with which the page compares its visitors are those of docs/lab/review.md, and are stronger one by one.
func TestPlayersOfStrength(t *testing.T) {
	doc := must.Get(os.ReadFile("../docs/lab/review.md"))(t)
	rows := map[string][]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]*)` \\| ([\\d,]+) \\| ([\\d.]+) % ").FindAllStringSubmatch(string(doc), -1) {
		rows[m[1]] = m[2:]
	}
	all := tableOfPlayers(t)
	for i, p := range all {
		row := rows[p.player]
		if row == nil {
			t.Errorf("docs/lab/review.md has no %s", p.player)
			continue
		}
		accuracy, _ := strconv.ParseFloat(row[1], 64)
		if strings.ReplaceAll(row[0], ",", "") != p.score || accuracy != p.accuracy {
			t.Errorf("%s has score %s and accuracy %v on the page, %v in docs/lab/review.md", p.player, p.score, p.accuracy, row)
		}
		if i > 0 && all[i-1].accuracy >= p.accuracy {
			t.Errorf("%s is not stronger than %s", p.player, all[i-1].player)
		}
	}
	if len(all) < 10 {
		t.Errorf("%d players", len(all))
	}
}
