//go:build !race

// Builds for the race detector have no network, which the judge needs.

package serve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/stages"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/player/levels"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

const (
	perTheme   = 50
	perStage   = 12
	perGame    = 4 // boards of a theme that may come from a game
	puzzleSeed = 2048
)

// sources are the players of the games, and how many games each plays.
var sources = []struct {
	spec  string
	games uint64
}{{"greedy", 5000}, {"expectimax(eval=snake,plies=1)", 2500}, {"snake", 250}, {"ntuple(plies=1)", 70}}

// weak are the players that grade the puzzles, and sieve finds candidates.
var (
	weak  = []string{"greedy", "expectimax(eval=empty,plies=1)", "minimax(depth=2)", "snake"}
	sieve = "ntuple(plies=1)"
)

// The lessons, puzzles and stages of the page are made from real games. The boards are of games that weak and strong players play
// here, and of the stage sets. The grade of a puzzle is one more than the number of weak players that miss its move.
//
//	SOAK=1 UPDATE=1 go test ./serve -run MakeLearn
func TestMakeLearn(t *testing.T) {
	if soak.Count(1, 0) == 1 {
		t.Skip("only in make soak: it plays and judges for minutes; TestPuzzles checks the file")
	}
	m := learnMaker{T: t, look: asker(t, sieve), known: map[bitboard.Board]bool{}, games: map[string]int{}, met: map[string]bool{}}
	for _, to := range []int64{2048, 4096, 8192} {
		m.stages = append(m.stages, learnStage{From: to / 2, To: to})
	}
	for _, s := range sources {
		for i := range s.games {
			m.play(s.spec, i)
		}
	}
	for _, sum := range stages.Sums() {
		if sum < 32768 {
			m.set(sum)
		}
	}
	for _, s := range lessonSteps(t) {
		if !m.met[s.board] {
			t.Errorf("the board %s of a lesson occurs in none of the games", s.board)
		}
	}
	t.Logf("%d candidates", len(m.found))
	got := m.file(m.choose())
	must.Golden(t, learnFile, got)
}

// learnMaker collects boards.
type learnMaker struct {
	*testing.T
	look   func(board.Board) player.Decision
	found  []puzzle
	known  map[bitboard.Board]bool // up to symmetry
	games  map[string]int          // boards of each game and theme
	stages []learnStage
	met    map[string]bool // the exponents of all boards
}

// asker returns a function that asks a player. The values of all moves come from the whole search.
func asker(t *testing.T, spec string) func(board.Board) player.Decision {
	m := must.Get(catalog.Parse(spec, catalog.Capabilities{}))(t)
	d := player.Driver{Player: m.New()}
	d.Start(0, 0, nil)
	return func(b board.Board) player.Decision {
		return must.Get(d.Ask(context.Background(), search.NewQuery(b, 0).Exact()))(t)
	}
}

// play collects the boards of a game.
func (m *learnMaker) play(spec string, index uint64) {
	maker := must.Get(catalog.Parse(spec, catalog.Capabilities{}))(m)
	g := must.Get(game.New(game.Options{Spawner: game.NewRandom(puzzleSeed, index, game.P4)}))(m)
	d := player.Driver{Player: maker.New(), Game: g}
	defer d.Close()
	must.Do(m, d.Begin(m.Context(), puzzleSeed, index))
	for must.Get(d.Move(m.Context()))(m) {
	}
	ps := review.Positions(g)
	for i := range ps { // in an order that takes boards of the whole game
		m.add(ps[(i*619+7)%len(ps)].Board, fmt.Sprint(spec, index))
	}
	for i := range m.stages {
		if s := &m.stages[i]; spec != "greedy" && len(s.Boards) < perStage {
			for _, b := range arena.BoardsAtSums(g, []int64{s.From}) {
				s.add(b)
			}
		}
	}
}

// set collects the boards of a stage set.
func (m *learnMaker) set(sum int64) {
	s := learnStage{From: sum, To: stages.Next(sum).Sum}
	parent := ""
	for _, start := range must.Get(stages.Open(sum))(m) {
		if start.Parent != parent && start.Board.Sum() < sum+4 && len(s.Boards) < perStage {
			s.add(start.Board)
		}
		parent = start.Parent
		m.add(start.Board, fmt.Sprint(sum, parent))
	}
	m.stages = append(m.stages, s)
}

func (s *learnStage) add(b board.Board) {
	if text, ok := b.Exponents(); ok {
		s.Boards = append(s.Boards, text)
	}
}

// add keeps a board that may be a puzzle.
func (m *learnMaker) add(b board.Board, from string) {
	if text, ok := b.Exponents(); ok {
		m.met[text] = true
	}
	packed, ok := bitboard.From(&b)
	if !ok || b.Sum() < 200 || len(b.Legal()) < minMoves || m.known[packed.Canonical()] {
		return
	}
	d := m.look(b)
	grades, ok := d.Grades()
	for _, dir := range b.Legal() {
		if !ok || dir != d.Move && grades[dir].Loss < minLoss {
			return
		}
	}
	if theme := themeOf(&b, d.Move); theme != "" && m.games[from+theme] < perGame {
		m.known[packed.Canonical()] = true
		m.games[from+theme]++
		m.found = append(m.found, puzzle{board: b, best: d.Move, theme: theme, grade: 1})
	}
}

// choose returns the puzzles of the file: of each theme as many of each grade as there are, up to perTheme.
func (m *learnMaker) choose() (chosen []puzzle) {
	for _, spec := range weak {
		ask := asker(m.T, spec)
		for i := range m.found {
			if p := &m.found[i]; ask(p.board).Move != p.best {
				p.grade++
			}
		}
	}
	judges := []*review.Judge{searchJudge(m.T), deepJudge(m.T)}
	rand.New(rand.NewPCG(puzzleSeed, 0)).Shuffle(len(m.found), func(i, j int) { m.found[i], m.found[j] = m.found[j], m.found[i] })
	slices.SortStableFunc(m.found, func(a, b puzzle) int { return len(b.board.Legal()) - len(a.board.Legal()) }) // guessing solves fewer
	for _, theme := range themes {
		var by [6][]puzzle
		for _, p := range m.found {
			if p.theme == theme {
				by[p.grade] = append(by[p.grade], p)
			}
		}
		first := len(chosen)
		for i := range m.found {
			for _, all := range by {
				if i < len(all) && len(chosen) < first+perTheme && likely(m.T, &all[i]) && levelsAgree(m.T, &all[i]) &&
					!slices.ContainsFunc(judges, func(j *review.Judge) bool { return !agrees(m.T, j, &all[i]) }) {
					chosen = append(chosen, all[i])
				}
			}
		}
		slices.SortStableFunc(chosen[first:], func(a, b puzzle) int { return cmp.Compare(a.grade, b.grade) })
		m.Logf("%s: %d puzzles; candidates by grade: %d %d %d %d %d", theme, len(chosen)-first, len(by[1]), len(by[2]), len(by[3]), len(by[4]), len(by[5]))
	}
	return chosen
}

// likely reports whether levelsAgree is likely to accept a puzzle, which takes a hundred times as long.
func likely(t *testing.T, p *puzzle) bool {
	if p.board.Largest() > 11 {
		return true
	}
	level := must.Get(levels.Parse("20000", bitboard.Size))(t)
	values, legal := must.Get(level.Ahead(&p.board))(t), p.board.Legal()
	best := values[slices.Index(legal, p.best)]
	stake := float64(game.Worth(&p.board)) + best
	return !slices.ContainsFunc(legal, func(d board.Direction) bool {
		return d != p.best && best-values[slices.Index(legal, d)] < minLoss*stake
	})
}

// file formats puzzles and stages, one a line.
func (m *learnMaker) file(puzzles []puzzle) []byte {
	shares := championShares(m.T)
	list := func(n int, line func(i int) any) []byte {
		lines := make([][]byte, n)
		for i := range lines {
			lines[i] = must.Get(json.Marshal(line(i)))(m)
		}
		return bytes.Join(lines, []byte(",\n"))
	}
	return fmt.Appendf(nil, "{\"puzzles\":[\n%s\n],\"stages\":[\n%s\n]}\n", list(len(puzzles), func(i int) any {
		p := puzzles[i]
		text, _ := p.board.Exponents() // it was packed, so it has one 32768 at most
		return fmt.Sprintf("%s %s %v %d", p.theme, text, p.best, p.grade)
	}), list(len(m.stages), func(i int) any {
		s := m.stages[i]
		s.Champion = shares[s.From]
		return s
	}))
}
