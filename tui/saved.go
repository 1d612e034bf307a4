package tui

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/internal/filelock"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// session is a game and the data needed to save and resume it.
type session struct {
	game *game.Game
	meta record.Meta
	keep bool // the user chose to continue after the win
}

// newSession starts the game that seed and index identify.
func newSession(o *PlayOptions, seed, index uint64) (_ *session, err error) {
	s := &session{meta: o.Rule.Meta(seed, index, "human")}
	s.game, err = game.New(game.Options{Size: o.Size, Board: o.Start, Spawner: o.Rule.New(seed, index), StopAtWin: true})
	if err == nil && s.game.Won() { // the start board has the winning tile
		s.game.KeepPlaying()
		s.keep = true
	}
	return s, err
}

// savedVersion is the version of the file formats saved and bestScores.
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
	line, err := record.Of(s.game, s.meta).MarshalJSON()
	for range undone {
		s.game.Undo()
	}
	if err != nil {
		return nil, err
	}
	out, err := json.Marshal(saved{savedVersion, s.keep, undone, line})
	return append(out, '\n'), err
}

// load decodes the output of save and replays the game. It fails if the game has another size, spawn rule or
// start board than o.
func load(data []byte, o *PlayOptions) (*session, error) {
	var from saved
	in := json.NewDecoder(bytes.NewReader(data))
	in.DisallowUnknownFields()
	if err := in.Decode(&from); err != nil {
		return nil, fmt.Errorf("not a saved game: %w", err)
	}
	if from.Version != savedVersion {
		return nil, fmt.Errorf("version %d: must be %d", from.Version, savedVersion)
	}
	r, err := record.Parse(from.Record)
	if err != nil {
		return nil, err
	}
	if r.Board.Size() != o.Size || r.Meta != o.Rule.Meta(r.Seed, r.Game, r.Player) {
		return nil, fmt.Errorf("size %v with spawn %s: must be %v with %s", r.Board.Size(), r.Spawn, o.Size, o.Rule.Spec)
	}
	if r.Start != o.Start {
		return nil, fmt.Errorf("another start board: must be %v", o.Start)
	}
	s := &session{meta: r.Meta, keep: from.Keep}
	if s.game, err = r.Resume(o.Rule.New(r.Seed, r.Game), true); err != nil {
		return nil, err
	}
	if from.Keep {
		s.game.KeepPlaying()
	}
	for range from.Undone {
		if !s.game.Undo() {
			return nil, fmt.Errorf("%d moves are undone, but the game has only %d", from.Undone, len(r.Moves))
		}
	}
	return s, nil
}

// saveEvery is the delay between a change and its save. A crash loses at most the moves made in this time.
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
	st := state{number: m.changed, path: m.path, key: m.o.key(), score: m.best}
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

// store saves unfinished games and best scores in a folder. It writes to temporary files and
// renames them, so files are always complete. It is safe for concurrent use.
type store struct {
	dir  string         // "": nothing is saved
	lock *filelock.Lock // locks the slot of this session

	mu   sync.Mutex
	last int // number of the last state that was written
}

// rules returns the spec of a spawn rule; "" for the standard rule.
func rules(rule player.SpawnRule) string {
	if rule.Random && rule.P4 == game.P4 {
		return ""
	}
	return rule.Spec
}

// key identifies games with the same size, spawn rule and start board, which share a best score.
func (o *PlayOptions) key() string {
	key := strings.TrimSpace(o.Size.String() + " " + rules(o.Rule))
	if o.Start.Size() != (board.Size{}) {
		key += " from " + o.Start.String()
	}
	return key
}

// slot returns the path of the file for an unfinished game with the same key. A fixed seed has a separate
// file, so that its game does not replace another one. If several sessions use the same slot, claim selects
// numbered variants of the path.
func (s *store) slot(o *PlayOptions) string {
	name := "game-" + o.Size.String()
	if key := o.key(); key != o.Size.String() {
		sum := fnv.New64a()
		sum.Write([]byte(key))
		name += fmt.Sprintf("-%016x", sum.Sum64())
	}
	if o.Fixed {
		name += fmt.Sprintf("-seed%d", o.Seed)
	}
	return filepath.Join(s.dir, name+".json")
}

// maxSlots is the maximum number of sessions that can use variants of the same slot at the same time.
const maxSlots = 100

// numbered returns the path of variant n, from 1, of a slot.
func numbered(path string, n int) string {
	if n == 1 {
		return path
	}
	return fmt.Sprintf("%s-%d.json", strings.TrimSuffix(path, ".json"), n)
}

// claim locks a variant of the slot for this session: the first one with an unfinished game that no other
// session plays, otherwise the first free one. If fresh is true, it locks the first variant that no other
// session holds. number is the variant, from 1; it is 0 if there are too many sessions. apart reports whether
// other sessions hold lower variants. The caller must call release.
func (s *store) claim(path string, fresh bool) (number int, apart bool, err error) {
	if s.dir == "" {
		return 1, false, nil
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return 1, false, err
	}
	for n := 1; n <= maxSlots; n++ {
		_, missing := os.Lstat(numbered(path, n))
		if s.lock != nil && missing != nil { // a free slot is already locked
			continue
		}
		l, err := filelock.Acquire(numbered(path, n) + ".lock")
		switch {
		case errors.Is(err, filelock.ErrLocked):
			apart = apart || s.lock == nil
			continue
		case err != nil:
			s.release()
			return 1, false, fmt.Errorf("%w; another session could overwrite this game", err)
		}
		s.release()
		s.lock, number = l, n
		if missing == nil || fresh {
			break
		}
	}
	if s.lock == nil {
		return 0, false, fmt.Errorf("this game is already open in %d sessions: close one", maxSlots)
	}
	return number, apart, nil
}

// release unlocks the slot.
func (s *store) release() {
	if s.lock != nil {
		_ = s.lock.Remove()
		s.lock = nil
	}
}

// take loads the session saved at path. It returns nil if none is saved. An invalid file is renamed, and the
// error contains the reason and the new name.
func (s *store) take(path string, o *PlayOptions) (*session, error) {
	if s.dir == "" {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var found *session
	if err == nil {
		found, err = load(data, o)
	}
	if err != nil {
		return nil, fmt.Errorf("the saved game cannot be used (%w); %s", err, setAside(path))
	}
	return found, nil
}

// setAside renames an invalid file and returns a message that says where it is now.
func setAside(path string) string {
	for n := 1; ; n++ {
		aside := path + ".broken"
		if n > 1 {
			aside += fmt.Sprint(n)
		}
		if _, err := os.Lstat(aside); err == nil {
			continue
		}
		if err := os.Rename(path, aside); err != nil {
			return "the file could not be renamed: " + err.Error()
		}
		return "the file was renamed to " + aside
	}
}

// state is the data to save: a game and a best score. If game is nil, the saved game is removed; if path is
// empty, it is kept.
type state struct {
	number int // newer states have larger numbers
	path   string
	game   []byte
	key    string // key of the best score
	score  int64
}

// write saves a state, unless a newer one has been written.
func (s *store) write(st state) (err error) {
	if s.dir == "" {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if st.number < s.last {
		return nil
	}
	s.last = st.number
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	switch {
	case st.path == "": // keep the saved game
	case st.game != nil:
		err = atomicfile.Write(st.path, st.game, 0o600)
	default:
		err = os.Remove(st.path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_, err = s.best(st.key, st.score)
	return err
}

// bestScores is the file format of the best scores, by key; see PlayOptions.key.
type bestScores struct {
	Version int              `json:"afterstate_best"`
	Scores  map[string]int64 `json:"scores"`
}

// best raises the stored best score of a key to at least score, and returns it. An invalid file is renamed.
// Where file locks are available, the file is locked against other processes.
func (s *store) best(key string, score int64) (int64, error) {
	if s.dir == "" {
		return score, nil
	}
	path := filepath.Join(s.dir, "best.json")
	if l, err := filelock.Wait(path + ".lock"); err == nil {
		defer func() { _ = l.Remove() }()
	}
	var best bestScores
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &best)
	}
	if err == nil && best.Version != savedVersion {
		err = fmt.Errorf("version %d: must be %d", best.Version, savedVersion)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("the best scores cannot be used (%w); %s", err, setAside(path))
		if _, missing := os.Lstat(path); score == 0 || missing == nil { // an unreadable file must not be overwritten
			return score, err
		}
	}
	if err != nil || best.Scores == nil {
		best = bestScores{savedVersion, map[string]int64{}}
	}
	if score <= best.Scores[key] {
		return best.Scores[key], nil
	}
	best.Scores[key] = score
	if data, err = json.Marshal(best); err != nil {
		return score, err
	}
	return score, atomicfile.Write(path, append(data, '\n'), 0o600)
}
