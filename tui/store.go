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
	"afterstate/internal/atomicfile"
	"afterstate/internal/filelock"
	"afterstate/player"
	"afterstate/player/spec/former"
)

// store keeps unfinished games and best scores in a folder. Files are written
// aside and renamed, so that there is always a whole one. Its methods are for
// several goroutines.
type store struct {
	dir  string         // "" keeps nothing
	lock *filelock.Lock // of the slot that this session plays

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
// that was asked for have a file of their own: asking for one loses no other. Claim says
// which of its numbered companions a session plays.
func (s *store) slot(size board.Size, rule player.SpawnRule, seed uint64, fixed bool) string {
	r := rules(rule)
	path := s.slotOf(size, r, seed, fixed)
	if _, none := os.Lstat(path); none != nil {
		// A game that was saved when the rule's evaluator had another name goes on there.
		before := s.slotOf(size, former.Before(r), seed, fixed)
		if _, none := os.Lstat(before); none == nil {
			return before
		}
	}
	return path
}

// slotOf is slot for a rule's name.
func (s *store) slotOf(size board.Size, r string, seed uint64, fixed bool) string {
	name := "game-" + size.String()
	if r != "" {
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

// mostSlots is how many sessions may play at once what one slot names.
const mostSlots = 100

// numbered is slot number n, from 1, of those that a path names.
func numbered(path string, n int) string {
	if n == 1 {
		return path
	}
	return fmt.Sprintf("%s-%d.json", strings.TrimSuffix(path, ".json"), n)
}

// claim locks the slot that this session plays: the first one with an unfinished game that no
// other session plays, else the first that is free; fresh does not look for games. The
// number is that of the slot, from 1; apart tells whether it would be a lower one without the
// other sessions. Whoever claims calls release.
func (s *store) claim(path string, fresh bool) (number int, apart bool, err error) {
	if s.dir == "" {
		return 1, false, nil
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return 1, false, err
	}
	for n := 1; n <= mostSlots; n++ {
		_, none := os.Lstat(numbered(path, n))
		if s.lock != nil && none != nil { // there is a free slot already
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
		return 0, false, fmt.Errorf("%d sessions play this game already: want one of them to end", mostSlots)
	}
	return number, apart, nil
}

// release lets other sessions have the slot.
func (s *store) release() {
	if s.lock != nil {
		_ = s.lock.Remove()
		s.lock = nil
	}
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
	} else if err := atomicfile.Write(st.path, st.game, 0o600); err != nil {
		return err
	}
	defer s.lockScores()()
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
	return atomicfile.Write(s.scores(), append(data, '\n'), 0o600)
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
	defer s.lockScores()()
	scores, err := s.read()
	return scores[key], err
}

// lockScores keeps other processes from the best scores until the function it returns is
// called. Where files cannot be locked it does not.
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
	for key, score := range from.Scores {
		size, rule, _ := strings.Cut(key, " ")
		if rule != "" {
			key = size + " " + former.Spec(rule)
		}
		scores[key] = max(scores[key], score)
	}
	return scores, nil
}
