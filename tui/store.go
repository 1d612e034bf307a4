package tui

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/internal/filelock"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// store saves unfinished games and best scores in a folder. It writes to temporary files and
// renames them, so files are always complete. It is safe for concurrent use.
type store struct {
	dir  string         // "" keeps nothing
	lock *filelock.Lock // locks the slot of this session

	mu   sync.Mutex
	last int // number of the newest state that was written
}

// rules returns the name of a spawn rule; "" for the standard rule.
func rules(rule player.SpawnRule) string {
	if rule.Random && rule.P4 == game.P4 {
		return ""
	}
	return rule.Spec
}

// startName returns a name for a start board, "" for none, for files and keys.
func startName(start board.Board) string {
	if start.Size() == (board.Size{}) {
		return ""
	}
	sum := fnv.New64a()
	sum.Write([]byte(start.String()))
	return fmt.Sprintf("-start-%016x", sum.Sum64())
}

// slot returns the file of the unfinished game of a size, a rule and a start board. A fixed seed has
// a file of its own, so that it does not replace another game. claim selects one of its numbered
// variants.
func (s *store) slot(o *PlayOptions) string {
	name := "game-" + o.Size.String()
	if r := rules(o.Rule); r != "" {
		sum := fnv.New32a()
		sum.Write([]byte(r))
		word := strings.FieldsFunc(r, func(c rune) bool { return c < 'a' || c > 'z' })
		name += fmt.Sprintf("-%.12s-%08x", word[0], sum.Sum32())
	}
	name += startName(o.Start)
	if o.Fixed {
		name += fmt.Sprintf("-seed%d", o.Seed)
	}
	return filepath.Join(s.dir, name+".json")
}

// maxSlots is the limit of sessions that use variants of the same slot concurrently.
const maxSlots = 100

// numbered returns the path of variant n, from 1, of a slot.
func numbered(path string, n int) string {
	if n == 1 {
		return path
	}
	return fmt.Sprintf("%s-%d.json", strings.TrimSuffix(path, ".json"), n)
}

// claim locks the slot of this session: the first one with an unfinished game that no other session
// plays, else the first free one; fresh skips the search for unfinished games. number is the
// variant of the slot, from 1; apart reports whether other sessions hold lower variants. The caller
// must call release.
func (s *store) claim(path string, fresh bool) (number int, apart bool, err error) {
	if s.dir == "" {
		return 1, false, nil
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return 1, false, err
	}
	for n := 1; n <= maxSlots; n++ {
		_, none := os.Lstat(numbered(path, n))
		if s.lock != nil && none != nil { // a free slot is already locked
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
		if none == nil || fresh {
			break
		}
	}
	if s.lock == nil {
		return 0, false, fmt.Errorf("%d sessions play this game already: wait for one to end", maxSlots)
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

// take loads a session. It returns nil when no session is saved. An invalid file is renamed, and the error
// contains the reason and the new name.
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

// setAside renames an invalid file and returns a text about it.
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
			return "it stays where it is: " + err.Error()
		}
		return "it is kept as " + aside
	}
}

// state is the data to save: a game (nil: remove the saved one; without a path: keep it) and a best
// score.
type state struct {
	number int // increasing with time
	path   string
	game   []byte
	key    string // key of the best score
	score  int64
}

// write saves a state, unless a newer one has been written.
func (s *store) write(st state) error {
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
	var err error
	switch {
	case st.path == "": // keep the saved game
	case st.game != nil:
		err = atomicfile.Write(st.path, st.game, 0o600)
	default:
		if err = os.Remove(st.path); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	if err != nil {
		return err
	}
	defer s.lockScores()()
	best, err := s.read()
	if _, there := os.Lstat(s.scores()); err != nil && there == nil {
		return err // an unreadable file must not be overwritten
	}
	if st.score <= best[st.key] {
		return nil
	}
	best[st.key] = st.score
	data, err := json.Marshal(bestScores{savedVersion, best})
	if err != nil {
		return err
	}
	return atomicfile.Write(s.scores(), append(data, '\n'), 0o600)
}

// bestScores is the file of best scores by size and, unless it is the standard one, spawn rule.
type bestScores struct {
	Version int              `json:"afterstate_best"`
	Scores  map[string]int64 `json:"scores"`
}

func (s *store) scores() string { return filepath.Join(s.dir, "best.json") }

// best returns the best score of a key. An invalid file is renamed.
func (s *store) best(key string) (int64, error) {
	if s.dir == "" {
		return 0, nil
	}
	defer s.lockScores()()
	scores, err := s.read()
	return scores[key], err
}

// lockScores locks the best scores against other processes until the returned function is called.
// It does nothing where file locks are not available.
func (s *store) lockScores() func() {
	l, err := filelock.Wait(s.scores() + ".lock")
	if err != nil {
		return func() {}
	}
	return func() { _ = l.Remove() }
}

func (s *store) read() (map[string]int64, error) {
	scores := map[string]int64{}
	data, err := os.ReadFile(s.scores())
	if errors.Is(err, fs.ErrNotExist) {
		return scores, nil
	}
	var from bestScores
	if err == nil {
		err = json.Unmarshal(data, &from)
	}
	if err == nil && from.Version != savedVersion {
		err = fmt.Errorf("version %d: want %d", from.Version, savedVersion)
	}
	if err != nil {
		return scores, fmt.Errorf("the best scores cannot be used (%w); %s", err, setAside(s.scores()))
	}
	maps.Copy(scores, from.Scores)
	return scores, nil
}
