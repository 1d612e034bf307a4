package tui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
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

// saveEvery is the delay between a change and its save. A crash loses the moves of that time at
// most.
const saveEvery = 2 * time.Second

type saveMsg struct{}

type savedMsg struct{ err error }

// saveSoon schedules a save if there are changes and none is scheduled.
func (m *play) saveSoon() tea.Cmd {
	if m.saving || m.changed == m.written || m.store.dir == "" {
		return nil
	}
	m.saving = true
	return tea.Tick(saveEvery, func(time.Time) tea.Msg { return saveMsg{} })
}

// save returns a command that writes the state.
func (m *play) save() tea.Cmd {
	st := m.state()
	m.written = m.changed
	return func() tea.Msg { return savedMsg{m.store.write(st)} }
}

// worthKeeping reports whether there is an unfinished game to save.
func (m *play) worthKeeping() bool {
	return !m.game.Over() && (m.game.Moves() > 0 || m.game.Redo() && m.game.Undo())
}

// state returns the state to save. A game without changes does not replace a saved game.
func (m *play) state() state {
	st := state{number: m.changed, path: m.path, key: m.scoreKey(), score: m.best}
	switch {
	case m.worthKeeping():
		data, err := m.session.save()
		if err != nil {
			m.complain(err)
			st.path = ""
		}
		st.game = data
	case m.changed == 0:
		st.path = "" // keep the saved game
	}
	return st
}
