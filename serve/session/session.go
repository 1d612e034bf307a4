package session

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/player/levels"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// Options configures a Session or a Host. Player is required.
type Options struct {
	Name    string // as reported by the method hello
	Version string
	Player  catalog.Maker // the player for requests that name no player
	// Capabilities says what the specs in requests may use. The zero value is right for untrusted requests: it
	// permits neither programs nor files.
	Capabilities catalog.Capabilities
	// Solve lets clients solve small boards, which takes seconds to minutes and disk space. A Host solves one size at
	// a time.
	Solve bool

	// PrepareOnHello makes the method hello prepare Player for the size in the request. It is for
	// sessions that serve many requests.
	PrepareOnHello bool
	// Threads is the number of threads that the methods explain and solve use; 0: GOMAXPROCS.
	Threads int
	// Fits returns a *memory.Error if the given number of bytes cannot be allocated. If it is nil, memory.Check
	// is used.
	Fits func(bytes int64) error

	// Only a Host uses the fields below.

	Searches    int           // maximum number of concurrent searches; 0: GOMAXPROCS
	SearchTime  time.Duration // limit for one search; 0: 10 s
	Games       int           // maximum number of watched games; 0: 16
	Experiments Experiments   // nil: no experiments
	Training    Training      // nil: no training runs
	// Links returns the addresses at which other devices can open the page, each with the given fragment. If it is nil,
	// there are none.
	// origin is the origin of the client's page, or "".
	Links func(origin, fragment string) []protocol.WatchLink
}

// Session serves one client.
type Session struct {
	Options
	busy   Slots // one slot, held by the running call
	states map[string]*playerState
	closed bool
}

// playerState is a player with the seed and the number of its current game.
type playerState struct {
	player.Driver
	memory     int64   // bytes; see catalog.Maker
	p4         float64 // see catalog.Maker
	seed, game uint64
}

// maxPlayers is the maximum number of players that a session keeps. Before it creates one more, it
// closes all others.
const maxPlayers = 16

// New returns a session. It fails if the player needs future spawns, which requests cannot provide.
// The caller closes the session.
func New(o Options) (*Session, error) {
	if err := askable(o.Player); err != nil {
		return nil, err
	}
	if o.Fits == nil {
		o.Fits = memory.Check
	}
	return &Session{Options: o, busy: make(Slots, 1), states: map[string]*playerState{}}, nil
}

// askable returns an error if the player needs future spawns.
func askable(m catalog.Maker) error {
	if m.Foresees {
		return fmt.Errorf("%s knows the coming spawns, which the protocol does not provide: use another player", m.Spec)
	}
	return nil
}

// Close waits for the running call and closes the players.
func (s *Session) Close() error {
	s.busy <- struct{}{}
	defer s.busy.Leave()
	s.closed = true
	return s.closePlayers()
}

func (s *Session) closePlayers() error {
	var errs []error
	for name, state := range s.states {
		errs = append(errs, state.Close())
		delete(s.states, name)
	}
	return errors.Join(errs...)
}

// Call answers one request. It waits for a running call to finish, or until ctx ends.
func (s *Session) Call(ctx context.Context, method string, params []byte) (result any, err error) {
	defer memory.CatchFaults(&err)() // reading a memory-mapped network can fault
	if err := s.busy.Enter(ctx); err != nil {
		return nil, err
	}
	defer s.busy.Leave()
	if s.closed {
		return nil, errors.New("the session has ended")
	}
	answer, ok := methodOf[method].handle.(handler[*Session])
	if !ok {
		return nil, unknownMethod(method, namesOf(sessionMethods))
	}
	return answer(s, ctx, params)
}

func (s *Session) hello(ctx context.Context, theirs *protocol.Hello) (any, error) {
	if theirs.Protocol != protocol.Protocol {
		return nil, refusef(protocol.CodeInvalidParams, "protocol is %d: must be %d", theirs.Protocol, protocol.Protocol)
	}
	if s.PrepareOnHello && theirs.Size != (board.Size{}) {
		state, err := s.state("")
		if err != nil {
			return nil, err
		}
		if err := state.Prepare(ctx, theirs.Size); err != nil {
			return nil, err
		}
	}
	ours := protocol.Hello{Name: s.Name, Version: s.Version, Protocol: protocol.Protocol, WantsSeed: true}
	for r := board.MinSide; r <= board.MaxSide; r++ {
		for c := board.MinSide; c <= board.MaxSide; c++ {
			ours.Sizes = append(ours.Sizes, board.Size{Rows: r, Cols: c})
		}
	}
	return ours, nil
}

// players returns the players, evaluators and spawn rules that requests may name.
func (s *Session) players(context.Context, *none) (any, error) {
	var out protocol.Players
	if _, err := catalog.Parse(s.Player.Spec, s.Capabilities); err != nil { // not permitted, but requests may select it
		out.Players = append(out.Players, protocol.PlayerInfo{Name: s.Player.Spec, Spec: s.Player.Spec, Keys: []protocol.KeyInfo{}, Summary: "the player of this server"})
	}
	for _, e := range catalog.Players(s.Capabilities.Trusted) {
		if m, err := catalog.Parse(e.Name, s.Capabilities); err == nil && askable(m) == nil {
			out.Players = append(out.Players, e)
		}
	}
	out.Evaluators, out.SpawnRules = catalog.Evaluators(), catalog.SpawnRules(s.Capabilities.Trusted)
	return out, nil
}

func (s *Session) analyze(ctx context.Context, p *protocol.Analyze) (any, error) {
	state, err := s.state(p.Player)
	if err != nil {
		return nil, err
	}
	q := search.NewQuery(p.Board, p.Score).Exact()
	d, err := state.Ask(ctx, q)
	if err != nil || p.Level == "" {
		return d.Wire(), err
	}
	if _, err := levels.Choose(p.Level, &p.Board, 0); err != nil {
		return nil, invalid("level", err)
	}
	judge, err := s.state(catalog.WithP4(levels.Spec(p.Level, levels.Playouts), game.ChanceOf4(state.p4)))
	if err != nil {
		return nil, err
	}
	graded, err := judge.Ask(ctx, q)
	if bad := new(player.BoardError); errors.As(err, &bad) {
		return nil, invalid("level", err)
	}
	d.Level = &graded
	return d.Wire(), err
}

func (s *Session) bestMove(ctx context.Context, p *protocol.BestMove) (any, error) {
	state, err := s.state(p.Player)
	if err != nil {
		return nil, err
	}
	state.follow(p)
	if p.Board.Terminal() {
		return protocol.MoveReply{}, nil
	}
	q := search.NewQuery(p.Board, p.Score)
	if err := state.PrepareFor(ctx, &q); err != nil {
		return nil, err
	}
	limited := ctx
	if p.TimeMS > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, milliseconds(p.TimeMS))
		defer cancel()
	}
	d, err := state.Decide(limited, q)
	switch {
	case err != nil && limited.Err() != nil && ctx.Err() == nil:
		return nil, protocol.Errorf(protocol.CodeTime, "no move within %v ms: allow more time, or a player that needs less", p.TimeMS)
	case err != nil:
		return nil, err
	case !d.OK:
		return protocol.MoveReply{}, nil
	}
	return protocol.MoveReply{Move: &d.Move}, nil
}

// state returns the state of the player with this spec, which it creates on first use. An empty
// spec means Options.Player.
func (s *Session) state(text string) (*playerState, error) {
	if state := s.states[text]; state != nil {
		return state, nil
	}
	maker, err := s.maker(text)
	if err != nil {
		return nil, err
	}
	if err := s.makeRoom(maker.Memory); err != nil {
		return nil, err
	}
	fresh := &playerState{Driver: player.Driver{Player: maker.New()}, memory: maker.Memory, p4: maker.P4}
	fresh.Start(0, 0, nil)
	s.states[text] = fresh
	return fresh, nil
}

// maker returns the maker of a player spec in a request.
func (s *Session) maker(text string) (catalog.Maker, error) {
	return parseAskable(text, s.Player, s.Capabilities)
}

// makeRoom closes all players of the session if there are too many, or if the memory for a new one would not
// fit. It counts all memory that the players may allocate, because they may not have used all of it yet.
func (s *Session) makeRoom(needed int64) error {
	all := needed
	for _, other := range s.states {
		all = memory.Plus(all, other.memory)
	}
	err := s.Fits(all)
	if len(s.states) == 0 || err == nil && len(s.states) < maxPlayers {
		return err
	}
	if errClose := s.closePlayers(); errClose != nil || err == nil {
		return errClose
	}
	debug.FreeOSMemory() // otherwise the players' tables still count as used memory
	return s.Fits(needed)
}

// follow starts a new game if the request belongs to another game than the previous request did.
func (t *playerState) follow(p *protocol.BestMove) {
	seed, game := t.seed, t.game
	if p.Seed != nil {
		seed = *p.Seed
	}
	if p.Game != nil {
		game = *p.Game
	}
	if p.Turn == 1 || seed != t.seed || game != t.game {
		t.seed, t.game = seed, game
		t.Start(seed, game, nil)
	}
}

// Inspect applies the rules to a board. With motions, each slide includes the paths of the tiles.
func Inspect(b board.Board, motions bool) protocol.Inspection {
	slide := func(d board.Direction) protocol.Slide {
		after, reward, moved := b.Slide(d)
		s := protocol.Slide{Moved: moved, Reward: reward, After: after}
		if motions && moved {
			s.Motions = b.Motions(d)
		}
		return s
	}
	return protocol.Inspection{
		Board: b, Over: b.Terminal(),
		Moves: protocol.Slides{Up: slide(board.Up), Right: slide(board.Right), Down: slide(board.Down), Left: slide(board.Left)},
	}
}
