package tui

import (
	"bytes"
	"encoding/json"
	"fmt"

	"afterstate/game"
	"afterstate/game/record"
	"afterstate/player"
)

// session is a game and the data needed to save and resume it.
type session struct {
	game *game.Game
	rule player.SpawnRule
	meta record.Meta
	keep bool // the user chose to continue after the win
}

// newSession starts game number index of a seed.
func newSession(o *PlayOptions, seed, index uint64) (*session, error) {
	s := &session{rule: o.Rule, meta: o.Rule.Meta(seed, index, "human")}
	var err error
	s.game, err = game.New(game.Options{Size: o.Size, Board: o.Start, Spawner: o.Rule.New(seed, index), StopAtWin: true})
	if err == nil && s.game.Won() { // the start board has the winning tile
		s.game.KeepPlaying()
		s.keep = true
	}
	return s, err
}

// savedVersion is the version of the file format.
const savedVersion = 1

// saved is the file format of a session: a record of all moves, including undone ones.
type saved struct {
	Version int             `json:"afterstate_play"`
	Keep    bool            `json:"keep_playing"`
	Undone  int             `json:"undone"` // number of the record's last moves that are undone
	Record  json.RawMessage `json:"record"`
}

// save encodes the session as JSON. The game is unchanged afterwards.
func (s *session) save() ([]byte, error) {
	undone := 0
	for s.game.Redo() {
		undone++
	}
	line, err := record.Of(s.game, s.meta).AppendJSON(nil)
	for range undone {
		s.game.Undo()
	}
	if err != nil {
		return nil, err
	}
	out, err := json.Marshal(saved{savedVersion, s.keep, undone, line})
	return append(out, '\n'), err
}

// load decodes the output of save and replays the game.
func load(data []byte, o *PlayOptions) (*session, error) {
	var from saved
	in := json.NewDecoder(bytes.NewReader(data))
	in.DisallowUnknownFields()
	if err := in.Decode(&from); err != nil {
		return nil, fmt.Errorf("not a saved game: %w", err)
	}
	if from.Version != savedVersion {
		return nil, fmt.Errorf("a saved game of version %d: want %d", from.Version, savedVersion)
	}
	r, err := record.Parse(from.Record)
	if err != nil {
		return nil, err
	}
	if r.Board.Size() != o.Size || r.Meta != o.Rule.Meta(r.Seed, r.Game, r.Player) {
		return nil, fmt.Errorf("a saved game of %v with spawn %s: want %v with %s", r.Board.Size(), r.Spawn, o.Size, o.Rule.Spec)
	}
	if r.Start != o.Start {
		return nil, fmt.Errorf("a saved game from another start board: want %v", o.Start)
	}
	s := &session{rule: o.Rule, meta: r.Meta, keep: from.Keep}
	if s.game, err = r.Resume(o.Rule.New(r.Seed, r.Game), true); err != nil {
		return nil, err
	}
	if from.Keep {
		s.game.KeepPlaying()
	}
	for range from.Undone {
		if !s.game.Undo() {
			return nil, fmt.Errorf("%d moves are undone: there are %d", from.Undone, len(r.Moves))
		}
	}
	return s, nil
}
