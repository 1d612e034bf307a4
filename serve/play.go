package serve

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"afterstate/board"
	"afterstate/game"
	"afterstate/game/record"
	"afterstate/player"
	"afterstate/player/catalog"
	"afterstate/wire"
)

// played is a game that a person plays.
type played struct {
	*game.Game
	meta     record.Meta
	searches bool // the spawn rule does
	undone   int
}

const (
	// mostPlayed is how many moves a game of a connection may have: more do not fit into
	// the message that would open it again.
	mostPlayed = 4 * wire.MaxLine
	// mostKept is how many moves all open games together may have, at about 4 bytes each.
	mostKept = 16 << 20
	// keptAtOnce is for how many moves room is made when a game grows.
	keptAtOnce = 1024
)

// keep sees to it that there is room for the moves of this connection's game.
func (t *talk) keep(moves int64) error {
	more := moves - t.kept
	if total := t.server.kept.Add(more); more > 0 && total > mostKept {
		t.server.kept.Add(-more)
		return wire.Errorf(wire.CodeBusy, "the open games have %d moves, as many as are kept here: want you to ask again later", total-more)
	}
	t.kept = moves
	return nil
}

// newGame starts game number index of a seed by a rule, as texts have it.
func (s *Server) newGame(method string, size board.Size, spawn string, seed, index uint64) (*played, player.SpawnRule, error) {
	if spawn == "" {
		spawn = record.Random
	}
	rule, err := catalog.ParseSpawner(spawn, s.o.Capabilities)
	if err != nil {
		return nil, rule, invalid(method, "spawn", err)
	}
	p := &played{searches: !rule.Random, meta: record.Meta{Spawn: rule.Spec, Seed: seed, Game: index, Player: "human"}}
	if rule.Random {
		p.meta.Spawn, p.meta.P4 = record.Random, rule.P4
	}
	p.Game, err = game.New(game.Options{Size: size, Spawner: rule.New(seed, index)})
	return p, rule, err
}

// checkEvery is how many moves of a game that is opened are played between two looks
// at the time; rules that search take up to some ten milliseconds a tile.
const checkEvery = 64

func (t *talk) openGame(ctx context.Context, params []byte) (any, error) {
	var p wire.OpenGame
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	moves, err := unpack(p.Moves, p.MoveCount)
	if err != nil {
		return nil, invalid(wire.MethodGameOpen, "moves", err)
	}
	if p.Undone > len(moves) {
		return nil, invalid(wire.MethodGameOpen, "undone", fmt.Errorf("%d: there are %d moves", p.Undone, len(moves)))
	}
	if err := t.keep(t.kept + int64(len(moves))); err != nil { // beside the game that is open
		return nil, err
	}
	var g *played
	if len(moves) == 0 && p.Spawn == "" {
		g, err = t.replayed(ctx, &p, nil) // takes no time
	} else {
		err = t.placed(ctx, wire.MethodGameOpen, func(limited context.Context) (err error) {
			g, err = t.replayed(limited, &p, moves)
			return err
		})
	}
	if err != nil {
		_ = t.keep(t.kept - int64(len(moves)))
		return nil, err
	}
	t.played = g
	_ = t.keep(int64(len(moves)))
	return g.state(nil), nil
}

// replayed is the game of a request after its moves.
func (t *talk) replayed(ctx context.Context, p *wire.OpenGame, moves []board.Direction) (*played, error) {
	g, _, err := t.server.newGame(wire.MethodGameOpen, p.Size, p.Spawn, p.Seed, p.Game)
	if err != nil {
		return nil, err
	}
	for i, d := range moves {
		if i%checkEvery == 0 && ctx.Err() != nil {
			if errors.Is(ctx.Err(), context.Canceled) {
				return nil, ctx.Err()
			}
			return nil, wire.Errorf(wire.CodeTime, "%s: no more than %d of %d moves within %v", wire.MethodGameOpen, i, len(moves), t.server.o.SearchTime)
		}
		if g.Waiting() {
			g.KeepPlaying()
		}
		if err := g.Move(d); err != nil {
			return nil, invalid(wire.MethodGameOpen, "moves", fmt.Errorf("move %d (%v): %v", i+1, d, err))
		}
	}
	if p.Keep {
		g.KeepPlaying()
	}
	for range p.Undone {
		g.Undo()
	}
	g.undone = p.Undone
	return g, nil
}

// unpack reads the moves of a game, in either alphabet of base64, padded or not.
func unpack(text string, count int) ([]board.Direction, error) {
	text = strings.NewReplacer("-", "+", "_", "/", "=", "").Replace(text)
	packed, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil, errors.New("want base64 of two bits a move")
	}
	if want := (count + 3) / 4; len(packed) != want {
		return nil, fmt.Errorf("%d bytes: want %d for move_count %d", len(packed), want, count)
	}
	return record.UnpackMoves(packed, count)
}

func (g *played) state(step *wire.Step) wire.GameState {
	return wire.GameState{
		Board: g.Board(), Score: g.Score(), Moves: g.Moves(), Undone: g.undone,
		Over: g.Over(), Won: g.Won(), Waiting: g.Waiting(), Step: step,
	}
}

// step tells how the way of a slide and the tile after it.
func step(before *board.Board, d board.Direction, spawn game.Spawn) *wire.Step {
	_, reward, _ := before.Slide(d)
	return &wire.Step{
		Move: d, Reward: reward, Motions: before.Motions(d),
		Spawn: wire.SpawnedTile{Cell: spawn.Cell, Tile: board.Tile(spawn.Exponent)},
	}
}

// opened is the connection's game, for a method without params.
func (t *talk) opened(method string, params []byte) (*played, error) {
	if err := wire.ReadNone(method, params); err != nil {
		return nil, err
	}
	switch {
	case t.viewer == nil:
		return nil, needsSocket(method)
	case t.played == nil:
		return nil, wire.Errorf(wire.CodeInvalidRequest, "%s: no game is open: want %s first", method, wire.MethodGameOpen)
	}
	return t.played, nil
}

// moveGame makes a move; one that changes nothing is no error, since people try.
func (t *talk) moveGame(ctx context.Context, params []byte) (any, error) {
	var p wire.Played
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	g, err := t.opened(wire.MethodGameMove, nil)
	if err != nil {
		return nil, err
	}
	if g.Moves() >= mostPlayed {
		return nil, wire.Errorf(wire.CodeInvalidRequest, "%s: the game has %d moves, as many as are kept here", wire.MethodGameMove, mostPlayed)
	}
	if int64(g.Moves()) >= t.kept {
		if err := t.keep(t.kept + keptAtOnce); err != nil {
			return nil, err
		}
	}
	before := g.Board()
	move := func(context.Context) error { return g.Move(p.Move) }
	if g.searches {
		err = t.placed(ctx, wire.MethodGameMove, move)
	} else {
		err = move(ctx)
	}
	switch {
	case errors.Is(err, game.ErrIllegal) || errors.Is(err, game.ErrOver) || errors.Is(err, game.ErrWon):
		return g.state(nil), nil
	case err != nil:
		return nil, err
	}
	g.undone = 0
	return g.state(step(&before, p.Move, g.LastSpawn())), nil
}

func (t *talk) undoGame(_ context.Context, params []byte) (any, error) {
	g, err := t.opened(wire.MethodGameUndo, params)
	if err != nil {
		return nil, err
	}
	if g.Undo() {
		g.undone++
	}
	return g.state(nil), nil
}

func (t *talk) redoGame(_ context.Context, params []byte) (any, error) {
	g, err := t.opened(wire.MethodGameRedo, params)
	if err != nil {
		return nil, err
	}
	before := g.Board()
	if !g.Redo() {
		return g.state(nil), nil
	}
	g.undone--
	made, _ := g.LastStep()
	return g.state(step(&before, made.Move, made.Spawn)), nil
}

func (t *talk) keepGame(_ context.Context, params []byte) (any, error) {
	g, err := t.opened(wire.MethodGameKeep, params)
	if err != nil {
		return nil, err
	}
	g.KeepPlaying()
	return g.state(nil), nil
}

func (t *talk) recordGame(_ context.Context, params []byte) (any, error) {
	g, err := t.opened(wire.MethodGameRecord, params)
	if err != nil {
		return nil, err
	}
	line, err := record.Of(g.Game, g.meta).AppendJSON(nil)
	return wire.Recorded{Record: string(line)}, err
}
