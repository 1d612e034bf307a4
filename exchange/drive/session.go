package drive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
	"github.com/afterstate2048/afterstate/search"
)

// Site is a game in another program, such as a page. Next may be called while another method runs.
type Site interface {
	// First returns the view at the start of the session.
	First() View
	// Next waits until there is a view that differs from last, but at most for the duration within. changed
	// is false if the view stays the same.
	Next(ctx context.Context, last *View, within time.Duration) (v View, changed bool, err error)
	// Press presses the key of a move. The site may make the move later, or not at all.
	Press(ctx context.Context, d board.Direction) error
	// KeepPlaying lets the game continue after a win.
	KeepPlaying(ctx context.Context) error
	// Show shows advice; nil removes it.
	Show(ctx context.Context, a *Advice) error
}

// Options configures a session.
type Options struct {
	Until  int64   // end the session when this tile is made; 0 means never
	Speed  float64 // maximum number of moves per second; 0 means as fast as the site allows
	Advise bool    // show moves instead of pressing keys
	// Report, if not nil, is called with each event from the goroutine of Run.
	Report func(e Event)
}

// patience is the maximum time for the site to react to a key, and to replace an illegal board with a legal
// one: pages show illegal boards while tiles move.
const patience = 3 * time.Second

// Event is a change of the game.
type Event struct {
	Kind  EventKind
	Moves int // for Undone: number of undone moves
}

// EventKind is the kind of an [Event].
type EventKind int

// Kinds of events.
const (
	Began     EventKind = iota // the first board of a game
	Moved                      // at least one move was made
	Continued                  // the game continues after a win
	Undone                     // the page went back to an earlier board
)

// End is the reason why a session ended without an error.
type End int

// Ends of sessions.
const (
	GameOver End = iota // no legal move is left
	Reached             // the board has the tile Options.Until or a larger one
)

// Session plays on a site, or advises the person who plays there.
type Session struct {
	site   Site
	player *player.Driver
	o      Options

	view    View
	history *history
	past    []record.Record // finished games
	spec    string
	pressed time.Time // time of the last key press
	keys    []keyPress
}

// keyPress is a key that the session pressed and whose move has not appeared on the page yet.
type keyPress struct {
	move board.Direction
	at   time.Time
}

// NewSession returns a session. seed is the player's seed, and spec is the player's name in
// records. The caller closes the player.
func NewSession(site Site, p player.Player, spec string, seed uint64, o Options) *Session {
	if o.Report == nil {
		o.Report = func(Event) {}
	}
	d := &player.Driver{Player: p}
	d.Start(seed, 0, nil)
	return &Session{site: site, player: d, spec: spec, o: o}
}

// Records returns the records of the games so far; the last game may be unfinished. It omits games
// in which no move was seen.
func (s *Session) Records() []record.Record {
	all := s.past
	if s.history != nil && s.history.game.Moves() > 0 {
		all = append(slices.Clip(all), record.Of(s.history.game.Game, record.Meta{Spawn: SpawnRule, Player: s.spec}))
	}
	return all
}

// Game returns the current game, or nil before Run.
func (s *Session) Game() *game.Game {
	if s.history == nil {
		return nil
	}
	return s.history.game.Game
}

// Run plays until the game is over, Options.Until is reached, or ctx ends. With Options.Advise it
// waits for the next game when a game is over. The records remain valid after an error.
func (s *Session) Run(ctx context.Context) (End, error) {
	if err := s.begin(s.site.First()); err != nil {
		return 0, err
	}
	for {
		b := &s.view.Board
		switch {
		case s.o.Until != 0 && board.Tile(b.Largest()) >= s.o.Until:
			return Reached, nil
		case b.Terminal() && !s.o.Advise:
			return GameOver, nil
		}
		if err := s.turn(ctx); err != nil {
			return 0, err
		}
	}
}

func (s *Session) begin(v View) (err error) {
	s.view = v
	s.history, err = newHistory(&v)
	if err == nil {
		s.o.Report(Event{Kind: Began})
	}
	return err
}

// turn handles one change of the view. Usually turn itself causes the change by making a move.
func (s *Session) turn(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	change := s.watch(ctx)
	switch b := &s.view.Board; {
	case s.view.Won:
		return s.afterWin(ctx, change)
	case b.Terminal(): // only when advising; otherwise Run has returned GameOver
		if err := s.show(ctx, &Advice{Title: "Game over", Note: "no move is left"}); err != nil {
			return err
		}
		return s.follow(ctx, <-change, nil)
	case s.view.Over:
		return fmt.Errorf("the page says that the game is over, but its board %v has legal moves: %s", b, strings.Join(each.Of(b.Legal(), board.Direction.String), ", "))
	}
	return s.play(ctx, change)
}

// changed is the next view of a site, or an error.
type changed struct {
	view View
	err  error
}

// watchTime is the maximum waiting time of one call of Site.Next in watch.
const watchTime = 5 * time.Second

// watch starts a goroutine that waits for the next view and sends it, or the first error, to the channel.
func (s *Session) watch(ctx context.Context) <-chan changed {
	out := make(chan changed, 1)
	last := s.view
	go func() {
		for {
			v, ok, err := s.site.Next(ctx, &last, watchTime)
			if ok || err != nil {
				out <- changed{v, err}
				return
			}
		}
	}()
	return out
}

// think asks the player for a decision. If the view changes first, decided is nil and c is the change.
func (s *Session) think(ctx context.Context, change <-chan changed) (decided *player.Decision, c changed, err error) {
	ctx, stop := context.WithCancel(ctx)
	type thought struct {
		d   player.Decision
		err error
	}
	done := make(chan thought, 1)
	q := search.NewQuery(s.view.Board, s.history.offset+s.history.game.Score())
	if s.o.Advise {
		q = q.Exact() // the advice compares all moves, so each needs an exact value
	}
	go func() {
		d, err := s.player.Ask(ctx, q)
		done <- thought{d, err}
	}()
	var slow <-chan time.Time
	if s.o.Advise {
		slow = time.After(slowAdvice)
	}
	for waiting := true; waiting && err == nil; {
		select {
		case t := <-done:
			stop()
			return &t.d, c, t.err
		case <-slow:
			err = s.show(ctx, &Advice{Title: "Thinking", Note: "the player is searching for a move", Old: true})
		case c = <-change:
			waiting = false
		}
	}
	stop()
	<-done // the player answers only one query at a time
	return nil, c, err
}

// slowAdvice is the time after which the page shows that the player is thinking, instead of the advice for the
// previous board.
const slowAdvice = 200 * time.Millisecond

// play makes the player's move, or shows it and waits until the person moves.
func (s *Session) play(ctx context.Context, change <-chan changed) error {
	decided, c, err := s.think(ctx, change)
	if err != nil {
		return err
	}
	if decided == nil {
		return s.follow(ctx, c, nil)
	}
	if s.o.Advise {
		if err := s.show(ctx, adviceOf(decided)); err != nil {
			return err
		}
		return s.follow(ctx, <-change, &decided.Move)
	}
	if s.o.Speed > 0 {
		select {
		case c := <-change:
			return s.follow(ctx, c, nil)
		case <-time.After(time.Until(s.pressed.Add(time.Duration(float64(time.Second) / s.o.Speed)))):
		}
	}
	const (
		tries = 3
		// lateKeys is the time after which a key press is forgotten, in units of patience: a slow
		// page may react late, and twice to a repeated key.
		lateKeys = 5
	)
	d := decided.Move
	s.keys = slices.DeleteFunc(s.keys, func(k keyPress) bool { return time.Since(k.at) > lateKeys*patience })
	for range tries {
		s.pressed = time.Now()
		s.keys = append(s.keys, keyPress{d, s.pressed})
		if err := s.site.Press(ctx, d); err != nil {
			return err
		}
		select {
		case c := <-change:
			return s.follow(ctx, c, &d)
		case <-time.After(patience):
		}
	}
	after, _, _ := s.view.Board.Slide(d)
	return fmt.Errorf("%v was pressed %d times, and the page still shows %v: expected %v and a new tile; does the page use other keys, or does something cover it?", d, tries, &s.view.Board, &after)
}

// show shows advice on the site.
func (s *Session) show(ctx context.Context, a *Advice) error {
	a.Board = s.view.Board.String()
	return s.site.Show(ctx, a)
}

// afterWin lets the game continue after a win, or advises the person to do so.
func (s *Session) afterWin(ctx context.Context, change <-chan changed) error {
	if s.o.Advise {
		if err := s.show(ctx, &Advice{Title: "Won", Note: "to get more advice, keep playing"}); err != nil {
			return err
		}
		return s.follow(ctx, <-change, nil)
	}
	if err := s.site.KeepPlaying(ctx); err != nil {
		return err
	}
	select {
	case c := <-change:
		if c.err == nil && c.view.Board == s.view.Board {
			s.o.Report(Event{Kind: Continued})
		}
		return s.follow(ctx, c, nil)
	case <-time.After(patience):
		return errors.New("the game is won, but the page does not continue after a click on its button to keep playing")
	}
}

// Advice is the advice shown on the page.
type Advice struct {
	// Move is "" if no move is advised: before the player has answered, or if the game is won or over.
	Move  string `json:"move"`
	Title string `json:"title"`
	Note  string `json:"note"`
	Old   bool   `json:"old"` // the player is still searching; the page dims the advice
	Board string `json:"board"`
}

// adviceOf returns the advice for a decision: its move, and how much worse the other moves are.
func adviceOf(d *player.Decision) *Advice {
	move := d.Move.String()
	a := &Advice{Move: move, Title: strings.ToUpper(move[:1]) + move[1:]}
	dirs := slices.DeleteFunc(slices.Clone(board.Directions[:]), func(dir board.Direction) bool { return !d.Moves[dir].Legal || dir == d.Move })
	slices.SortStableFunc(dirs, func(x, y board.Direction) int { return cmp.Compare(d.Moves[y].Value, d.Moves[x].Value) })
	var others []string
	grades, graded := d.Grades()
	for _, dir := range dirs {
		text := dir.String()
		if d.Moves[dir].Lost() {
			text += " loses"
		} else if graded { // only grades are in a unit that a person knows
			text += strings.TrimRight(" "+strings.ReplaceAll(grades[dir].String(), "-", "−"), " ")
		}
		others = append(others, text)
	}
	switch {
	case len(others) == 0:
		a.Note = "the only legal move"
	case graded:
		a.Note = strings.Join(others, " · ")
	default:
		a.Note = "next best: " + strings.Join(others, ", ")
	}
	return a
}
