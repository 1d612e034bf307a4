//go:build !race

// Builds for the race detector have no network, which the judge needs.

package serve

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/player/levels"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

const learnFile = "ui/src/state/learn.json"

// themes lists the themes of the lessons, in order.
var themes = []string{"corner", "order", "recover", "leave", "large", "endings"}

// minLoss is the share of the expected score that every move but the best one of a puzzle gives away.
const minLoss = 0.03

// minMoves is the number of legal moves that a puzzle has at least: of two, guessing finds the best one half the time.
const minMoves = 3

// puzzle is a board with one move that is clearly best. Its grade is from 1 to 5.
type puzzle struct {
	board board.Board
	best  board.Direction
	theme string
	grade int
}

// learnStage is a stage to practise: boards of real games at a sum of tiles.
type learnStage struct {
	From     int64    `json:"from"`
	To       int64    `json:"to"`
	Champion float64  `json:"champion"` // the share of its games that make the stage
	Boards   []string `json:"boards"`
}

// championShares returns the shares of champion that docs/lab/strength.md has, by the sum that a stage begins at.
func championShares(t *testing.T) map[int64]float64 {
	t.Helper()
	_, doc, _ := strings.Cut(string(must.Get(os.ReadFile("../docs/lab/strength.md"))(t)), "\n## Stages of Learn\n")
	all := map[int64]float64{}
	for _, row := range regexp.MustCompile(`\| (\d+) \| \d+ \| \d+ \| ([\d.]+) % `).FindAllStringSubmatch(doc, -1) {
		share := must.Get(strconv.ParseFloat(row[2], 64))(t)
		all[must.Get(strconv.ParseInt(row[1], 10, 64))(t)] = math.Round(share*10) / 1000
	}
	return all
}

// learnData returns what the page's file has.
func learnData(t *testing.T) (puzzles []puzzle, all []learnStage) {
	t.Helper()
	var file struct {
		Puzzles []string
		Stages  []learnStage
	}
	must.Do(t, json.Unmarshal(must.Get(os.ReadFile(learnFile))(t), &file))
	for _, line := range file.Puzzles {
		var p puzzle
		var b, best string
		if n, err := fmt.Sscan(line, &p.theme, &b, &best, &p.grade); n != 4 {
			t.Fatalf("%q: %v", line, err)
		}
		p.board, p.best = must.Get(board.Parse(b))(t), must.Get(board.ParseDirection(best))(t)
		puzzles = append(puzzles, p)
	}
	return puzzles, file.Stages
}

// The puzzles are of all themes and grades, no two are equal up to symmetry, and the judges agree with their answers.
func TestPuzzles(t *testing.T) {
	puzzles, _ := learnData(t)
	count := map[string]int{}
	known := map[bitboard.Board]bool{}
	guessed := 0.0 // puzzles that a random legal move solves
	for _, p := range puzzles {
		count[p.theme]++
		guessed += 1 / float64(len(p.board.Legal()))
		packed, ok := bitboard.From(&p.board)
		if packed = packed.Canonical(); !ok || known[packed] || !slices.Contains(p.board.Legal(), p.best) || len(p.board.Legal()) < minMoves || p.grade < 1 || p.grade > 5 {
			t.Errorf("%v, %v, grade %d: not a puzzle, or there twice", p.board, p.best, p.grade)
		}
		known[packed] = true
		if theme := themeOf(&p.board, p.best); theme != p.theme {
			t.Errorf("%v, %v: theme %s, want %s", p.board, p.best, p.theme, theme)
		}
	}
	for _, theme := range themes {
		if count[theme] != 50 {
			t.Errorf("%d puzzles of theme %s", count[theme], theme)
		}
	}
	if share := guessed / float64(len(puzzles)); share >= 0.33 {
		t.Errorf("guessing solves %.2f of the puzzles", share)
	}
	judge := searchJudge(t)
	step := soak.Count(soak.Pick(30, 10), 1)
	for i := 0; i < len(puzzles); i += step {
		if p := &puzzles[i]; !agrees(t, judge, p) || !levelsAgree(t, p) {
			t.Errorf("%v: the judges do not find %v clearly best", p.board, p.best)
		}
	}
}

// levelsAgree reports whether each level up to 20000 finds a puzzle's move best, and whether the judge of the page's answers
// finds the others bad: level 20000 or, if a tile is larger than 2048, strong. Games of the levels rarely have such tiles.
func levelsAgree(t *testing.T, p *puzzle) bool {
	t.Helper()
	names := []string{"20000", "8000", "3000", "1000"}
	if p.board.Largest() > 11 {
		names = []string{levels.Strong}
	}
	for i, name := range names {
		level := must.Get(levels.Choose(name, &p.board, 0))(t)
		judge := must.Get(review.New(parsePlain, level, bitboard.Size, 1, game.P4))(t)
		moves := must.Get(judge.Review(t.Context(), review.Choices(eval.Position{Board: p.board}), review.Options{Threads: 1}))(t)
		for _, m := range moves {
			if m.Best != p.best || i == 0 && m.Played != p.best && !m.Bad() {
				return false
			}
		}
	}
	return true
}

// searchJudge judges by search alone, without the playouts that confirm what review.board finds bad: a strong player
// recovers from most wrong answers.
func searchJudge(t *testing.T) *review.Judge {
	t.Helper()
	return must.Get(review.Named(parsePlain, "master(nodes=150000,clear_margin=0,min_prob=3e-3,prune_margin=40000,tt=4MB)"))(t)
}

func deepJudge(t *testing.T) *review.Judge {
	t.Helper()
	return must.Get(review.Named(parsePlain, "master(nodes=1000000,clear_margin=0,min_prob=1e-3,prune_margin=40000)"))(t)
}

func parsePlain(spec string) (catalog.Maker, error) {
	return catalog.Parse(spec, catalog.Capabilities{})
}

// agrees reports whether a judge finds a puzzle's move best, and all others clearly worse.
func agrees(t *testing.T, judge *review.Judge, p *puzzle) bool {
	t.Helper()
	moves := must.Get(judge.Review(t.Context(), review.Choices(eval.Position{Board: p.board}), review.Options{Threads: 1}))(t)
	return !slices.ContainsFunc(moves, func(m review.Judgement) bool { return m.Best != p.best || m.Played != p.best && m.Loss < minLoss })
}

// themeOf returns the theme of a board with its best move, "" if it has none.
func themeOf(b *board.Board, best board.Direction) string {
	after, _, _ := b.Slide(best)
	top, in, leaves, breaks, large := b.Largest(), cornered(b), false, false, 0
	for _, d := range b.Legal() {
		other, _, _ := b.Slide(d)
		leaves = leaves || d != best && !cornered(&other)
		breaks = breaks || d != best && cornered(&other) && !ordered(&other)
	}
	for cell := range 16 {
		if b.Cell(cell) >= 9 {
			large++
		}
	}
	switch rest := board.Tile(top+1) - b.Sum(); {
	case in && !cornered(&after):
		return "leave" // the best move takes the largest tile out of the corner
	case !in && top >= 7:
		return "recover" // the largest tile is in no corner
	case top >= 9 && rest <= max(64, board.Tile(top+1)/24):
		return "endings" // the next tile is near
	case large >= 4:
		return "large"
	case in && ordered(b) && ordered(&after) && breaks:
		return "order" // another move keeps the corner, and breaks the order of its edge
	case in && leaves:
		return "corner" // another move leaves it
	}
	return ""
}

// edgeLines are the cells along the edges, from each corner.
var edgeLines = [][]int{{0, 1, 2, 3}, {0, 4, 8, 12}, {3, 2, 1, 0}, {3, 7, 11, 15}, {12, 13, 14, 15}, {12, 8, 4, 0}, {15, 14, 13, 12}, {15, 11, 7, 3}}

// cornered reports whether a largest tile is in a corner.
func cornered(b *board.Board) bool {
	return slices.ContainsFunc(edgeLines, func(l []int) bool { return b.Cell(l[0]) == b.Largest() })
}

// ordered reports whether a full edge has its tiles in order from a largest tile in the corner.
func ordered(b *board.Board) bool {
	return slices.ContainsFunc(edgeLines, func(l []int) bool {
		return b.Cell(l[0]) == b.Largest() && b.Cell(l[0]) >= b.Cell(l[1]) && b.Cell(l[1]) >= b.Cell(l[2]) && b.Cell(l[2]) >= b.Cell(l[3]) && b.Cell(l[3]) > 0
	})
}

// lessonStep is a step of a lesson.
type lessonStep struct {
	board  string
	judged bool // the judge checks the move; otherwise the step has a goal
}

func lessonSteps(t *testing.T) (steps []lessonStep) {
	t.Helper()
	var lessons map[string][]struct {
		Board string
		Moves int
	}
	must.Do(t, json.Unmarshal(must.Get(os.ReadFile("ui/src/state/lessons.json"))(t), &lessons))
	for _, lesson := range lessons {
		for _, s := range lesson {
			steps = append(steps, lessonStep{s.Board, s.Moves == 0})
		}
	}
	return steps
}

// The boards of the lessons that the judge checks are puzzles; TestMakeLearn meets the others in the games.
func TestLessonBoards(t *testing.T) {
	puzzles, _ := learnData(t)
	known := map[string]bool{}
	for _, p := range puzzles {
		text, _ := p.board.Exponents()
		known[text] = true
	}
	steps, judged := lessonSteps(t), 0
	for _, s := range steps {
		if s.judged {
			judged++
		}
		if s.judged && !known[s.board] {
			t.Errorf("%s is not in %s", s.board, learnFile)
		}
	}
	if len(steps) < 20 || judged < 10 {
		t.Errorf("%d steps, %d of them judged", len(steps), judged)
	}
}

// The stages begin at their sums, and the page has the figures of champion that docs/lab/strength.md has.
func TestStageBoards(t *testing.T) {
	_, all := learnData(t)
	shares := championShares(t)
	for i, s := range all {
		if i > 0 && s.From != all[i-1].To || s.To <= s.From || len(s.Boards) < 12 {
			t.Errorf("from %d to %d: %d boards", s.From, s.To, len(s.Boards))
		}
		for _, text := range s.Boards {
			if b := must.Get(board.Parse(text))(t); b.Sum() < s.From || b.Sum() > s.From+2 || b.Terminal() {
				t.Errorf("%s: the sum is %d, want %d", text, b.Sum(), s.From)
			}
		}
		if share, ok := shares[s.From]; !ok || s.Champion != share {
			t.Errorf("%s has %v for the stage from %d: docs/lab/strength.md has %v", learnFile, s.Champion, s.From, share)
		}
	}
	if len(all) != 10 {
		t.Errorf("%d stages", len(all))
	}
}
