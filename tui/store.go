package tui

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"afterstate/board"
	"afterstate/game"
	"afterstate/player"
)

// store keeps unfinished games and best scores in a folder. Files are written
// aside and renamed, so that there is always a whole one. Its methods are for
// several goroutines.
type store struct {
	dir string // "" keeps nothing

	mu   sync.Mutex
	last int // number of the newest state that was written
}

// rules names a spawn rule; the usual one has no name.
func rules(rule player.SpawnRule) string {
	if rule.Random && rule.P4 == game.P4 {
		return ""
	}
	return rule.Spec
}

// slot is the file of the unfinished game of a size and a rule. Games of a seed
// that was asked for have a file of their own: asking for one loses no other.
func (s *store) slot(size board.Size, rule player.SpawnRule, seed uint64, fixed bool) string {
	name := "game-" + size.String()
	if r := rules(rule); r != "" {
		sum := fnv.New32a()
		sum.Write([]byte(r))
		word := strings.FieldsFunc(r, func(c rune) bool { return c < 'a' || c > 'z' })
		name += fmt.Sprintf("-%.12s-%08x", word[0], sum.Sum32())
	}
	if fixed {
		name += fmt.Sprintf("-seed%d", seed)
	}
	return filepath.Join(s.dir, name+".json")
}

// take reads a session. It is nil where there is none. A file that cannot be
// used is set aside, and the error says why and where it is now.
func (s *store) take(path string, size board.Size, rule player.SpawnRule) (*session, error) {
	if s.dir == "" {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var found *session
	if err == nil {
		found, err = load(data, size, rule)
	}
	if err != nil {
		return nil, fmt.Errorf("the saved game cannot be used (%w); %s", err, setAside(path))
	}
	return found, nil
}

// setAside renames a file that is broken, and says so.
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

// state is what there is to write: a game (nil: none any more; without a path,
// what is there stays) and a score.
type state struct {
	number int // the later, the higher
	path   string
	game   []byte
	key    string // of the best score
	score  int64
}

// write keeps a state, unless a newer one was written already.
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
	if st.path == "" {
		// nothing to say about the game
	} else if st.game == nil {
		if err := os.Remove(st.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	} else if err := writeFile(st.path, st.game); err != nil {
		return err
	}
	best, err := s.read()
	if _, there := os.Lstat(s.scores()); err != nil && there == nil {
		return err // what cannot be read must not be written over
	}
	if st.score <= best[st.key] {
		return nil
	}
	best[st.key] = st.score
	data, err := json.Marshal(bestScores{savedVersion, best})
	if err != nil {
		return err
	}
	return writeFile(s.scores(), append(data, '\n'))
}

// bestScores is the file of best scores by size and, where it is not the usual
// one, spawn rule.
type bestScores struct {
	Version int              `json:"afterstate_best"`
	Scores  map[string]int64 `json:"scores"`
}

func (s *store) scores() string { return filepath.Join(s.dir, "best.json") }

// best is the best score of a key. A broken file is set aside.
func (s *store) best(key string) (int64, error) {
	if s.dir == "" {
		return 0, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	scores, err := s.read()
	return scores[key], err
}

func (s *store) read() (map[string]int64, error) {
	none := map[string]int64{}
	data, err := os.ReadFile(s.scores())
	if errors.Is(err, fs.ErrNotExist) {
		return none, nil
	}
	var from bestScores
	if err == nil {
		err = json.Unmarshal(data, &from)
	}
	if err == nil && from.Version != savedVersion {
		err = fmt.Errorf("version %d: want %d", from.Version, savedVersion)
	}
	if err != nil {
		return none, fmt.Errorf("the best scores cannot be used (%w); %s", err, setAside(s.scores()))
	}
	if from.Scores == nil {
		return none, nil
	}
	return from.Scores, nil
}

// writeFile writes a file aside and renames it.
func writeFile(path string, data []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = temp.Write(data)
	if err == nil {
		err = temp.Sync()
	}
	if closed := temp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		os.Remove(temp.Name())
	}
	return err
}
