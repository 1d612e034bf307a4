package tui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

func TestPlayScreens(t *testing.T) {
	m, _ := newTestPlay(t, func(o *PlayOptions) { o.Hint = (&stub{decide: firstMove}).maker() })
	golden(t, "play-start", screenText(m))
	press(m, "?")
	golden(t, "play-help", screenText(m))
	press(m, "?", "n")
	golden(t, "play-asking", screenText(m))
	press(m, "n")
	playTo(t, m, "greedy", 128)
	m.hint.shown = true
	take(t, m, m.ask())
	m.hint.decision.Elapsed = 1234 * time.Microsecond
	golden(t, "play-hint", screenText(m))
	open(m, 30, 14)
	golden(t, "play-narrow", screenText(m))
	open(m, 30, 11)
	golden(t, "play-small", screenText(m))
	open(m, 30, 30)
	golden(t, "play-tall", screenText(m))

	m, _ = newTestPlay(t, func(o *PlayOptions) { o.Size = board.Size{Rows: 6, Cols: 6}; o.Rule = rule(t, "adversary") })
	playTo(t, m, "greedy", 64)
	golden(t, "play-6x6", screenText(m))

	m, _ = newTestPlay(t, func(o *PlayOptions) { o.Size = board.Size{Rows: 2, Cols: 2} })
	playTo(t, m, "greedy", 2048)
	golden(t, "play-over", screenText(m))
}

// take runs a command that returns a hint.
func take(t *testing.T, m tea.Model, cmd tea.Cmd) {
	t.Helper()
	if cmd == nil {
		t.Fatal("no hint was requested")
	}
	msg, ok := cmd().(hintMsg)
	if !ok {
		t.Fatal("the command does not return a hint")
	}
	m.Update(msg)
}

// All keys for moves make moves, and the result is a game by the rules.
func TestPlayKeys(t *testing.T) {
	keys := strings.Fields("up right down left w d s a k l j h W D S A K L J H")
	m, _ := newTestPlay(t, nil)
	want, _ := game.New(game.Options{Spawner: game.NewRandom(7, 0, game.P4)})
	for i := range 200 {
		k := keys[i*7%len(keys)]
		_ = want.Move(board.Direction(i * 7 % len(keys) % 4))
		press(m, k)
		if m.game.Board() != want.Board() || m.game.Score() != want.Score() {
			t.Fatalf("key %d (%s): %v, want %v", i+1, k, m.game.Board(), want.Board())
		}
	}
	if m.game.Moves() < 20 {
		t.Errorf("%d moves", m.game.Moves())
	}
}

// Keys that come during animations are neither lost nor late: 200 keys without a single
// frame between them make their moves (TestPlayKeys), and the picture shows the last
// one.
func TestKeysDuringAnimation(t *testing.T) {
	m, c := newTestPlay(t, nil)
	press(m, "left", "down", "right", "down", "left", "down")
	if !m.slide.running || m.slide.before == m.game.Board() {
		t.Fatal("no slide is running")
	}
	c.Time = c.Add(slideTime / 2)
	if strings.Contains(screenText(m), "No moves left") {
		t.Error("a dialog covers the slide")
	}
	moving := m.View().Content
	c.Time = c.Add(time.Second)
	m.Update(frameMsg(m.slide.number))
	if m.slide.running || m.View().Content == moving {
		t.Error("the slide does not end")
	}
	b := m.game.Board()
	if got := m.slide.picture(c.now(), &b); len(got.tiles) != 16-b.Empty() {
		t.Errorf("%d tiles at rest, want %d", len(got.tiles), 16-b.Empty())
	}
}

func TestPlayUndoRedo(t *testing.T) {
	m, _ := newTestPlay(t, nil)
	start := m.game.Board()
	playTo(t, m, "greedy", 32)
	end, moves := m.game.Board(), m.game.Moves()
	for range moves {
		press(m, "u")
	}
	if m.game.Board() != start || m.best == 0 {
		t.Errorf("after undo: %v, best %d", m.game.Board(), m.best)
	}
	press(m, "backspace")
	must.Contains(t, m.message, "nothing to undo", "message")
	for range moves {
		press(m, "r")
	}
	must.Equal(t, m.game.Board(), end, "redone to")
	press(m, "r")
	must.Contains(t, m.message, "nothing to redo", "message")
}

// The key for a new game asks first. Any key but yes keeps the old game, and a move key also moves.
func TestPlayRestart(t *testing.T) {
	m, _ := newTestPlay(t, nil)
	playTo(t, m, "greedy", 16)
	b := m.game.Board()
	for _, no := range []string{"n", "esc", "x", "N"} {
		press(m, "R", no)
		if m.asking || m.game.Board() != b {
			t.Fatalf("%s: asking %v, board %v", no, m.asking, m.game.Board())
		}
	}
	press(m, "n", "up", "n", "down")
	if m.asking || m.game.Board() == b {
		t.Error("a move after the question is lost")
	}
	press(m, "n", "y")
	if m.game.Moves() != 0 || m.meta.Seed != 7 || m.meta.Game != 1 {
		t.Errorf("%d moves, seed %d, game %d: must be the next game of the seed", m.game.Moves(), m.meta.Seed, m.meta.Game)
	}
	m.o.Fixed = false
	press(m, "n", "enter")
	if m.meta.Seed == 7 || m.meta.Game != 0 {
		t.Errorf("seed %d, game %d: must be a new seed", m.meta.Seed, m.meta.Game)
	}
}

// A 2048 pauses the game until the user continues; undo works there too.
func TestPlayWin(t *testing.T) {
	m, _ := newTestPlay(t, func(o *PlayOptions) { o.Seed = 2 })
	playTo(t, m, "expectimax(eval=weighted-snake,plies=2)", 2048)
	if !m.game.PausedOnWin() {
		t.Fatal("not won")
	}
	golden(t, "play-won", screenText(m))
	b, moves := m.game.Board(), m.game.Moves()
	press(m, "up", "left", "down", "right", "space")
	if m.game.Board() != b || m.hint.requested == m.hint.number {
		t.Error("a won game continues before the user chooses to")
	}
	press(m, "u")
	if m.game.PausedOnWin() || m.game.Moves() != moves-1 {
		t.Error("a win cannot be undone")
	}
	press(m, "r", "enter", "left", "down")
	if m.game.PausedOnWin() || m.game.Board() == b || !m.keep {
		t.Error("the game does not continue")
	}
	press(m, "u", "u", "u", "r")
	if m.game.PausedOnWin() {
		t.Error("the question is asked again")
	}
}

func TestPlayQuit(t *testing.T) {
	m, _ := newTestPlay(t, nil)
	if _, ok := press(m, "q")().(tea.QuitMsg); !ok || m.interrupted {
		t.Error("q does not quit")
	}
	if cmd := press(m, "?", "q"); cmd != nil {
		t.Error("q quits instead of closing the help")
	}
	if _, ok := press(m, "ctrl+c")().(tea.QuitMsg); !ok || !m.interrupted {
		t.Error("ctrl+c does not interrupt")
	}
	if _, ok := press(m, "ctrl+z")().(tea.SuspendMsg); !ok {
		t.Error("ctrl+z does not suspend")
	}
}

// A slow player does not delay keys: the next move cancels the request for a hint, and a late
// answer is not shown.
func TestHintCancelled(t *testing.T) {
	requested, ended := make(chan bool), make(chan bool)
	slow := &stub{decide: func(ctx context.Context, _ search.Query) (player.Decision, error) {
		requested <- true
		<-ctx.Done()
		ended <- true
		return player.Decision{}, ctx.Err()
	}}
	m, _ := newTestPlay(t, func(o *PlayOptions) { o.Hint = slow.maker(); o.Animate = false })
	cmd := press(m, "space")
	if press(m, "space") != nil {
		t.Error("two hints were requested for one board")
	}
	answer := make(chan tea.Msg)
	go func() { answer <- cmd() }()
	<-requested
	must.Contains(t, screenText(m), "thinking", "the screen")
	press(m, "left", "down")
	<-ended
	if msg := <-answer; msg != nil {
		t.Errorf("a cancelled request was answered: %v", msg)
	}
	m.Update(hintMsg{number: m.hint.number - 1})
	if m.hint.shown || m.hint.decision != nil {
		t.Error("an old answer is shown")
	}
}

// Live hints follow the board; the old values are shown faded until the new ones arrive.
func TestHintLive(t *testing.T) {
	m, _ := newTestPlay(t, func(o *PlayOptions) { o.Hint = (&stub{decide: firstMove}).maker(); o.Animate = false })
	take(t, m, press(m, "tab"))
	if !m.hint.current || !m.hint.decision.OK {
		t.Fatal("no hint")
	}
	cmd := press(m, m.hint.decision.Move.String())
	if m.hint.current || m.hint.decision == nil || !strings.Contains(screenText(m), "thinking") {
		t.Error("the old values are not shown")
	}
	take(t, m, cmd)
	must.Equal(t, m.hint.decision.Board, m.game.Board(), "the hint is about")
	take(t, m, press(m, "u"))
	press(m, "tab")
	if m.hint.shown {
		t.Error("tab does not end the hints")
	}
}

// A player that foresees spawns gets the spawns of this game, and a player's error is shown.
func TestHintPlayers(t *testing.T) {
	m, _ := newTestPlay(t, func(o *PlayOptions) { o.Hint = maker(t, "foresight(depth=3)"); o.Animate = false })
	press(m, "left", "down")
	take(t, m, press(m, "space"))
	if m.hint.err != nil || !m.hint.decision.OK {
		t.Errorf("foresight: %v", m.hint.err)
	}
	broken := &stub{decide: func(context.Context, search.Query) (player.Decision, error) {
		return player.Decision{}, errors.New("the bot died")
	}}
	m, _ = newTestPlay(t, func(o *PlayOptions) { o.Hint = broken.maker() })
	take(t, m, press(m, "space"))
	must.Contains(t, screenText(m), "the bot died")
	broken.closed = new(int)
	if err := m.hint.close(); err != nil || *broken.closed != 1 {
		t.Errorf("%v, closed %d times", err, *broken.closed)
	}
}

func playOne(m *play) {
	b := m.game.Board()
	for _, d := range board.Directions {
		if _, _, moved := b.Slide(d); moved {
			press(m, d.String())
			return
		}
	}
}

// Moves get the class of a review, shown after each move and not before. The first move at each turn counts, and hints are off.
func TestPlayGrades(t *testing.T) {
	judge := must.Get(review.Named(func(spec string) (catalog.Maker, error) { return maker(t, spec), nil }, "expert(nodes=300)"))(t)
	m, _ := newTestPlay(t, func(o *PlayOptions) { o.Judge, o.Grade = judge, true })
	cmd := m.start()
	var tally review.Tally
	streak, mistakes := 0, 0
	for range 40 {
		if m.hint.shown = true; strings.Contains(screenText(m), "hint:") {
			t.Fatalf("a hint is shown:\n%s", screenText(m))
		}
		m.Update(cmd())
		choices := must.Get(judge.Review(t.Context(), review.Choices(eval.Position{Board: m.game.Board(), Score: m.game.Score()}), review.Options{Threads: 1}))(t)
		move := choices[m.game.Moves()%len(choices)]
		tally.Add(&move)
		if move.Loss > 0.02 || move.Lost {
			streak = 0
		} else if !move.Forced() {
			streak++
		}
		end := ". Accuracy " + numfmt.Share(tally.Accuracy()) + ", streak " + numfmt.Int(int64(streak)) + "."
		if m.move(move.Played); m.message != move.Grade.String()+end {
			t.Errorf("move %d: %q, want %q", m.game.Moves(), m.message, move.Grade.String()+end)
		}
		if move.Loss > 0 {
			mistakes++
			m.Update(m.undo()())
			m.move(move.Played)
			must.Equal(t, m.message, move.Grade.String()+", better: "+move.Best.String()+end, "again")
		}
		m.grades.at = eval.Position{} // the request of the last move was dropped
		cmd = m.ask()
	}
	if mistakes == 0 {
		t.Error("no move was worse than the best one")
	}
	playOne(m)
	must.Equal(t, m.message, "Not graded: the judge has not answered yet.", "not answered")
	press(m, "g")
	if playOne(m); m.message != "" {
		t.Errorf("graded: %q", m.message)
	}
}
