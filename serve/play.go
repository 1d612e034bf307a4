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
	"afterstate/wire"
)

// played is a game that a person plays.
type played struct {
	*game.Game
	meta   record.Meta
	undone int
}

// newGame starts game number index of a seed by a rule, as texts have it.
func (s *Server) newGame(method string, size board.Size, spawn string, seed, index uint64) (*played, player.SpawnRule, error) {
	if spawn == "" {
		spawn = record.Random
	}
	rule, err := player.ParseSpawner(spawn, s.o.Capabilities)
	if err != nil {
		return nil, rule, invalid(method, "spawn", err)
	}
	p := &played{meta: record.Meta{Spawn: rule.Spec, Seed: seed, Game: index, Player: "human"}}
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
	g, _, err := t.server.newGame(wire.MethodGameOpen, p.Size, p.Spawn, p.Seed, p.Game)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, t.server.o.SearchTime)
	defer cancel()
	for i, d := range moves {
		if i%checkEvery == 0 && ctx.Err() != nil {
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
	t.played = g
	return g.state(nil), nil
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
func (t *talk) moveGame(_ context.Context, params []byte) (any, error) {
	var p wire.Played
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	g, err := t.opened(wire.MethodGameMove, nil)
	if err != nil {
		return nil, err
	}
	before := g.Board()
	switch err := g.Move(p.Move); {
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
