package session

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/afterstate2048/afterstate/internal/yield"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// played is a game played by a client.
type played struct {
	*game.Game
	meta     record.Meta
	searches bool // the spawn rule runs a search, which takes time
	undone   int
	times    []int64 // times of all moves, including undone ones, as in record.Record; nil if no time is known
}

// maxPlayed is the maximum number of moves in a played game: more moves do not fit into the message
// that reopens the game.
const maxPlayed = 4 * protocol.MaxLine

// newGame starts the game that seed and index identify, with a spawn rule given as text, from the
// start board or on an empty board of the given size.
func (h *Host) newGame(size board.Size, start board.Board, spawn string, seed, index uint64) (*played, error) {
	rule, err := catalog.ParseSpawner(cmp.Or(spawn, record.Random), h.o.Capabilities)
	if err != nil {
		return nil, invalid("spawn", err)
	}
	p := &played{searches: !rule.Random, meta: rule.Meta(seed, index, "human")}
	if p.Game, err = game.New(game.Options{Size: size, Board: start, Spawner: rule.New(seed, index), StopAtWin: true}); err != nil {
		return nil, invalid("start", err)
	}
	return p, nil
}

// checkEvery is the number of moves that are replayed between two checks of the context. Spawn
// rules that search take up to about ten milliseconds per tile.
const checkEvery = 64

var gameMethods = []Method{
	on[protocol.GameState]("game.open", Immediate, (*Client).openGame),
	on[protocol.GameState]("game.move", Immediate, opened((*Client).moveGame)),
	on[protocol.GameState]("game.undo", Immediate, opened((*Client).undoGame)),
	on[protocol.GameState]("game.redo", Immediate, opened((*Client).redoGame)),
	on[protocol.GameState]("game.keep", Immediate, opened(func(_ *Client, _ context.Context, g *played, _ *none) (any, error) {
		g.KeepPlaying()
		return g.state(nil), nil
	})),
	on[protocol.GameRecord]("game.record", Immediate, opened(func(_ *Client, _ context.Context, g *played, _ *none) (any, error) { return g.record() })),
}

func (c *Client) openGame(ctx context.Context, p *protocol.OpenGame) (any, error) {
	moves, err := unpack(p.Moves, p.MoveCount)
	if err != nil {
		return nil, invalid("moves", err)
	}
	var g *played
	err = c.placed(ctx, "game.open", len(moves) > 0 || p.Spawn != "", func(limited context.Context) (err error) {
		g, err = c.replayed(limited, p, moves)
		return err
	})
	if err != nil {
		return nil, err
	}
	c.played = g
	return g.state(nil), nil
}

// replayed returns the game in a request, after replaying its moves.
func (c *Client) replayed(ctx context.Context, p *protocol.OpenGame, moves []board.Direction) (*played, error) {
	g, err := c.host.newGame(p.Size, p.Start, p.Spawn, p.Seed, p.Game)
	if err != nil {
		return nil, err
	}
	for i, d := range moves {
		if i%checkEvery == 0 {
			yield.Point()
			switch {
			case ctx.Err() == nil:
			case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
				return nil, refusef(protocol.CodeTime, "only %d of %d moves replayed within %v", i, len(moves), c.host.o.SearchTime)
			default:
				return nil, ctx.Err()
			}
		}
		if g.PausedOnWin() {
			g.KeepPlaying()
		}
		if err := g.Move(d); err != nil {
			return nil, invalid("moves", fmt.Errorf("move %d (%v): %v", i+1, d, err))
		}
	}
	return g, nil
}

// unpack decodes the moves of a game from base64, in the standard or the URL alphabet, padded or
// not.
func unpack(text string, count int) ([]board.Direction, error) {
	packed, err := base64.RawStdEncoding.DecodeString(strings.NewReplacer("-", "+", "_", "/", "=", "").Replace(text))
	if err != nil {
		return nil, errors.New("must be base64 with two bits per move")
	}
	if want := (count + 3) / 4; len(packed) != want {
		return nil, fmt.Errorf("%d bytes: must be %d for move_count %d", len(packed), want, count)
	}
	return record.UnpackMoves(packed, count)
}

func (g *played) state(step *protocol.Step) protocol.GameState {
	return protocol.GameState{
		Board: g.Board(), Score: g.Score(), Moves: g.Moves(), Undone: g.undone,
		Over: g.Over(), Won: g.Won(), PausedOnWin: g.PausedOnWin(), Step: step,
	}
}

// step describes a move for the client: the paths of the tiles, and the spawn after it.
func step(before *board.Board, d board.Direction, spawn game.Spawn) *protocol.Step {
	_, reward, _ := before.Slide(d)
	return &protocol.Step{
		Move: d, Reward: reward, Motions: before.Motions(d),
		Spawn: protocol.SpawnedTile{Cell: spawn.Cell, Tile: board.Tile(spawn.Exponent)},
	}
}

// opened returns a function that calls answer with the client's open game. It fails if no game is
// open.
func opened[P any](answer func(*Client, context.Context, *played, *P) (any, error)) func(*Client, context.Context, *P) (any, error) {
	return func(c *Client, ctx context.Context, p *P) (any, error) {
		switch {
		case c.conn == nil:
			return nil, errNeedsSocket
		case c.played == nil:
			return nil, refusef(protocol.CodeInvalidRequest, "no game is open: call game.open first")
		}
		return answer(c, ctx, c.played, p)
	}
}

// moveGame makes a move. An illegal move is not an error, since people try such moves: the state is
// returned unchanged.
func (c *Client) moveGame(ctx context.Context, g *played, p *protocol.MoveGame) (any, error) {
	if g.Moves() >= maxPlayed {
		return nil, refusef(protocol.CodeInvalidRequest, "the game has %d moves, which is the maximum", maxPlayed)
	}
	before := g.Board()
	err := c.placed(ctx, "game.move", g.searches, func(context.Context) error { return g.Move(p.Move) })
	switch {
	case errors.Is(err, game.ErrIllegal) || errors.Is(err, game.ErrOver) || errors.Is(err, game.ErrWon):
		return g.state(nil), nil
	case err != nil:
		return nil, err
	}
	g.undone = 0
	g.timed(p.Time)
	return g.state(step(&before, p.Move, g.LastSpawn())), nil
}

func (c *Client) undoGame(_ context.Context, g *played, _ *none) (any, error) {
	if g.Undo() {
		g.undone++
	}
	return g.state(nil), nil
}

func (c *Client) redoGame(_ context.Context, g *played, _ *none) (any, error) {
	before := g.Board()
	if !g.Redo() {
		return g.state(nil), nil
	}
	g.undone--
	made, _ := g.LastStep()
	return g.state(step(&before, made.Move, made.Spawn)), nil
}

// timed stores the time of the move that was just made; ms is nil if the time is not known. It
// drops the times of undone moves.
func (g *played) timed(ms *int64) {
	if g.times == nil && ms == nil {
		return
	}
	last := g.Moves() - 1
	for len(g.times) <= last {
		g.times = append(g.times, record.UnknownTime)
	}
	if g.times = g.times[:last+1]; ms != nil {
		g.times[last] = *ms
	} else {
		g.times[last] = record.UnknownTime
	}
}

func (g *played) record() (any, error) {
	r := record.Of(g.Game, g.meta)
	if g.times != nil {
		r.Times = g.times[:len(r.Moves)]
	}
	return recordLine(r)
}

// recordLine returns the result of a method that returns a record.
func recordLine(r record.Record) (any, error) {
	line, err := r.MarshalJSON()
	return protocol.GameRecord{Record: string(line)}, err
}
