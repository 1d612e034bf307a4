package tui

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

// leave ends a session as Play does.
func leave(t *testing.T, m *play) {
	t.Helper()
	must.Do(t, m.store.write(m.state()))
	m.store.release()
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

// An unfinished game is restored with its history, including undone moves, and continues
// with the same spawns.
func TestComeBack(t *testing.T) {
	for _, spawn := range []string{"random", "random(p4=0.5)", "adversary", "friendly(plies=2)"} {
		dir := t.TempDir()
		options := func(o *PlayOptions) { o.State, o.Rule, o.Fixed, o.Animate = dir, rule(t, spawn), false, false }
		m, _ := newTestPlay(t, options)
		playTo(t, m, "greedy", 16)
		press(m, "u", "u", "u")
		leave(t, m)

		back, _ := newTestPlay(t, func(o *PlayOptions) { options(o); o.Seed = 99 })
		if back.game.Board() != m.game.Board() || back.game.Moves() != m.game.Moves() || back.best != m.best || back.meta != m.meta {
			t.Fatalf("%s: %v after %d moves, best %d; want %v after %d, best %d", spawn,
				back.game.Board(), back.game.Moves(), back.best, m.game.Board(), m.game.Moves(), m.best)
		}
		must.Contains(t, back.message, "continues", "message")
		for _, keys := range [][]string{{"r", "r"}, {"left", "up", "right", "down", "left", "up"}, {"u", "u", "u"}} {
			press(m, keys...)
			press(back, keys...)
			if back.game.Board() != m.game.Board() || back.game.Moves() != m.game.Moves() {
				t.Errorf("%s: after %v %v, want %v", spawn, keys, back.game.Board(), m.game.Board())
			}
		}
		for back.game.Undo() && m.game.Undo() {
			if back.game.Board() != m.game.Board() {
				t.Fatalf("%s: the histories differ at move %d", spawn, m.game.Moves())
			}
		}
	}
}

// The question after a win is restored, and so is its answer.
func TestComeBackAfterWin(t *testing.T) {
	dir := t.TempDir()
	options := func(o *PlayOptions) { o.State, o.Seed, o.Animate = dir, 2, false }
	m, _ := newTestPlay(t, options)
	playTo(t, m, "expectimax(eval=weighted-snake,plies=2)", 2048)
	leave(t, m)
	m, _ = newTestPlay(t, options)
	if !m.game.PausedOnWin() {
		t.Fatal("the question is not restored")
	}
	press(m, "enter", "down", "right", "left", "u", "u", "u", "u")
	if m.game.PausedOnWin() || m.game.Won() {
		t.Fatal("the game is not at the win")
	}
	leave(t, m)
	m, _ = newTestPlay(t, options)
	press(m, "r", "r", "r", "r")
	if m.game.PausedOnWin() || !m.game.Won() {
		t.Error("the answer is not restored")
	}
}

// Each size, rule and fixed seed has a separate saved game; best scores are kept by size
// and rule.
func TestSlots(t *testing.T) {
	dir := t.TempDir()
	begin := func(size board.Size, spawn string, seed uint64, fixed bool) *play {
		m, _ := newTestPlay(t, func(o *PlayOptions) {
			o.State, o.Size, o.Rule, o.Seed, o.Fixed = dir, size, rule(t, spawn), seed, fixed
		})
		return m
	}
	three := board.Size{Rows: 3, Cols: 3}
	for i, m := range []*play{
		begin(four, "random", 1, false), begin(three, "random(p4=0.1)", 1, false), begin(four, "adversary", 1, false),
		begin(four, "adversary(plies=2)", 1, false), begin(four, "random", 5, true), begin(four, "random", 6, true),
	} {
		if m.game.Moves() > 0 {
			t.Errorf("game %d was resumed from another slot", i)
		}
		playTo(t, m, "greedy", 8)
		leave(t, m)
	}
	got := begin(four, "random", 3, false)
	got.store.release()
	if got.meta.Seed != 1 || got.game.Moves() == 0 {
		t.Errorf("resumed seed %d", got.meta.Seed)
	}
	var best bestScores
	data, err := os.ReadFile(filepath.Join(dir, "best.json"))
	if err == nil {
		err = json.Unmarshal(data, &best)
	}
	if err != nil || len(best.Scores) != 4 || best.Scores["4x4"] == 0 || best.Scores["4x4 adversary(plies=2)"] == 0 {
		t.Errorf("%v, %s", err, data)
	}
	if got := names(t, dir); strings.Contains(got, ".json.") || strings.Contains(got, " .") {
		t.Errorf("temporary files are left: %s", got)
	}
}

// Concurrent sessions do not overwrite each other: each saves a separate game, and the best
// score is the best of all.
func TestSessionsAtOnce(t *testing.T) {
	dir := t.TempDir()
	begin := func(seed uint64) *play {
		m, _ := newTestPlay(t, func(o *PlayOptions) { o.State, o.Seed, o.Fixed, o.Animate = dir, seed, false, false })
		return m
	}
	first := begin(1)
	playTo(t, first, "greedy", 16)
	if err := first.store.write(first.state()); err != nil { // sessions save from time to time
		t.Fatal(err)
	}
	second := begin(2)
	if second.meta.Seed != 2 || !strings.Contains(second.message, "Your first game is open in another terminal; this is game 2") {
		t.Errorf("seed %d, %q", second.meta.Seed, second.message)
	}
	playTo(t, second, "greedy", 64)
	third := begin(3)
	if third.meta.Seed != 3 || !strings.Contains(third.message, "game 3") {
		t.Errorf("seed %d, %q", third.meta.Seed, third.message)
	}
	third.store.release()
	played, err := second.end(nil)
	if err != nil || played.Best != second.game.Score() {
		t.Errorf("%+v, %v", played, err)
	}
	// The first one ends last with a lower score.
	if played, err := first.end(nil); err != nil || played.Best != second.game.Score() || played.Score >= played.Best {
		t.Errorf("%+v, %v", played, err)
	}
	must.Equal(t, names(t, dir), "best.json game-4x4-2.json game-4x4.json", "left")

	// Both games are resumed, in the order of their slots.
	first, second = begin(4), begin(5)
	if first.meta.Seed != 1 || second.meta.Seed != 2 || first.best != second.best || strings.Contains(first.message, "Another") {
		t.Errorf("resumed seeds %d and %d, %q", first.meta.Seed, second.meta.Seed, first.message)
	}
	leave(t, second)
	// After a game is given up, the game in the next slot is resumed.
	press(first, "n", "y")
	leave(t, first)
	again := begin(6)
	if again.meta.Seed != 2 || again.message != "Your game continues where you left it." {
		t.Errorf("resumed seed %d, %q", again.meta.Seed, again.message)
	}
	fresh, _ := newTestPlay(t, func(o *PlayOptions) { o.State, o.Seed, o.Fixed, o.New = dir, 7, false, true })
	if fresh.game.Moves() != 0 || fresh.path == again.path {
		t.Errorf("a new game beside it is at move %d in %s", fresh.game.Moves(), fresh.path)
	}
	leave(t, fresh)
	leave(t, again)
}

// An unreadable file is renamed, not lost, and reported.
func TestBrokenFiles(t *testing.T) {
	dir := t.TempDir()
	options := func(o *PlayOptions) { o.State, o.Animate = dir, false }
	m, _ := newTestPlay(t, options)
	playTo(t, m, "greedy", 16)
	leave(t, m)
	good := must.Get(os.ReadFile(m.path))(t)
	for i, bad := range []string{
		"", "{", string(good[:len(good)/2]), strings.Replace(string(good), `"score":`, `"score":4`, 1),
		strings.Replace(string(good), `"afterstate_play":1`, `"afterstate_play":2`, 1),
		strings.Replace(string(good), `"undone":0`, `"undone":9999`, 1), strings.Replace(string(good), "4x4", "4x5", 1),
	} {
		must.Do(t, os.WriteFile(m.path, []byte(bad), 0o600))
		again, _ := newTestPlay(t, options)
		again.store.release()
		if again.game.Moves() != 0 || !again.failure || !strings.Contains(strings.Join(strings.Fields(screenText(again)), " "), "cannot be used") {
			t.Errorf("%d: %d moves, %q", i, again.game.Moves(), again.message)
		}
		aside := m.path + ".broken"
		if i > 0 {
			aside += string(rune('1' + i))
		}
		if kept, err := os.ReadFile(aside); err != nil || string(kept) != bad {
			t.Errorf("%d: %v, %s", i, err, names(t, dir))
		}
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, "best.json"), []byte("{]"), 0o600))
	m, _ = newTestPlay(t, options)
	if m.best != 0 || !strings.Contains(m.message, "best.json.broken") {
		t.Errorf("best %d, %q", m.best, m.message)
	}
}

// A game without moves is not saved, a finished game is removed, and --new replaces the
// old game only at its first move.
func TestWhatIsKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "state")
	options := func(o *PlayOptions) { o.State, o.Size = dir, board.Size{Rows: 2, Cols: 2} }
	m, _ := newTestPlay(t, options)
	leave(t, m)
	must.Equal(t, names(t, dir), "", "left of an untouched game:")
	playOne(m)
	leave(t, m)
	m, _ = newTestPlay(t, func(o *PlayOptions) { options(o); o.New = true })
	must.Equal(t, m.game.Moves(), 0, "moves with --new")
	leave(t, m)
	m, _ = newTestPlay(t, options)
	must.Equal(t, m.game.Moves(), 1, "moves of the old game")
	playTo(t, m, "greedy", 2048)
	if !m.game.Over() {
		t.Fatal("not over")
	}
	leave(t, m)
	must.Equal(t, names(t, dir), "best.json", "left of a finished game:")
	m, _ = newTestPlay(t, options)
	playOne(m)
	leave(t, m)
	press(m, "n", "y")
	leave(t, m)
	must.Equal(t, names(t, dir), "best.json", "left of a game given up:")
}

// Changes are written at intervals, an older state never replaces a newer one, and a
// folder that cannot be written is reported.
func TestAutosave(t *testing.T) {
	dir := t.TempDir()
	m, _ := newTestPlay(t, func(o *PlayOptions) { o.State, o.Animate = dir, false })
	playOne(m)
	if !m.saving {
		t.Fatal("no save is scheduled")
	}
	old := m.save()
	playOne(m)
	leave(t, m)
	m.Update(old())
	back, _ := newTestPlay(t, func(o *PlayOptions) { o.State = dir })
	must.Equal(t, back.game.Moves(), 2, "came back to move")
	file := filepath.Join(dir, "file")
	must.Do(t, os.WriteFile(file, nil, 0o600))
	m.store.dir, m.path = file, filepath.Join(file, "game")
	m.Update(m.save()())
	if !m.failure || !strings.Contains(m.message, "cannot be saved") {
		t.Errorf("message %q", m.message)
	}
}

// A game from a start board has a separate slot and best score: it replaces no other game, and is
// resumed with the same board.
func TestStartBoard(t *testing.T) {
	dir := t.TempDir()
	plain := func(o *PlayOptions) { o.State, o.Fixed, o.Animate = dir, false, false }
	start := must.Get(board.Parse("2,2,4,8/2048,1024,512,256/2,4,8,16/0,0,0,0"))(t)
	from := func(o *PlayOptions) {
		plain(o)
		o.Start = start
	}
	first, _ := newTestPlay(t, plain)
	press(first, "left", "down", "left", "down")
	leave(t, first)

	m, _ := newTestPlay(t, from)
	if m.game.Board() != start || m.game.PausedOnWin() || m.game.Score() != 0 {
		t.Fatalf("the game begins from %v, paused %v, score %d", m.game.Board(), m.game.PausedOnWin(), m.game.Score())
	}
	press(m, "left", "down")
	if m.game.Moves() == 0 {
		t.Fatal("no move was made")
	}
	leave(t, m)

	again, _ := newTestPlay(t, from)
	if again.game.Board() != m.game.Board() || again.game.Moves() != m.game.Moves() || again.failure {
		t.Errorf("resumed at %v after %d moves, %q; want %v after %d", again.game.Board(), again.game.Moves(), again.message, m.game.Board(), m.game.Moves())
	}
	leave(t, again)

	back, _ := newTestPlay(t, plain)
	if back.game.Board() != first.game.Board() || back.best != first.best || back.failure {
		t.Errorf("the other game is at %v, best %d, %q; want %v, best %d", back.game.Board(), back.best, back.message, first.game.Board(), first.best)
	}
	press(back, "n", "y")
	leave(t, back)

	restarted, _ := newTestPlay(t, from)
	press(restarted, "n", "y")
	if restarted.game.Board() != start || restarted.game.Moves() != 0 {
		t.Errorf("a new game begins from %v", restarted.game.Board())
	}
	leave(t, restarted)
}
