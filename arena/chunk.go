package arena

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"afterstate/board"
	"afterstate/player"
)

// Setup is what all games of an experiment have in common: everything that decides a game but the
// player and the game's number.
type Setup struct {
	Size  board.Size `json:"size"`
	Spawn string     `json:"spawn"` // the spawn rule's spec, in its shortest notation
	// SpawnIdentity is Spawn with the contents of the files that it names; see Identity.
	SpawnIdentity string `json:"spawn_identity"`
	Seed          uint64 `json:"seed"`
	Until         int64  `json:"until,omitempty"` // 0: games are played to the end
}

// Hash identifies the setup in 16 hexadecimal digits: equal setups have equal hashes.
func (s Setup) Hash() string {
	return digest("setup 1", s.Size, s.SpawnIdentity, s.Seed, s.Until)
}

// RandomSpawns reports whether tiles follow from the seed alone, and the probability of a 4.
func (s Setup) RandomSpawns() (p4 float64, ok bool) {
	return player.RandomP4(s.Spawn)
}

// Chunk is a unit of work: consecutive games of one player. It holds all that a worker on any
// machine needs to know.
type Chunk struct {
	Setup    Setup  `json:"setup"`
	Player   string `json:"player"`   // its spec
	Identity string `json:"identity"` // see Identity
	Version  string `json:"version"`  // of the program that is to play
	// Folder is where the scheduler was started, if the player is a program whose files may be named from there.
	Folder string `json:"folder,omitempty"`
	First  uint64 `json:"first_game"`
	Games  int    `json:"games"` // at least 1
}

// ID identifies the chunk: equal work has an equal ID, whenever it is planned.
func (c *Chunk) ID() string {
	return fmt.Sprintf("%s-%s-%d-%d", c.Setup.Hash(), digest("player 1", c.Identity, c.Version), c.First, c.Games)
}

func digest(parts ...any) string {
	sum := newHash()
	for _, p := range parts {
		text := fmt.Sprint(p)
		fmt.Fprintf(sum, "%d:%s", len(text), text) // lengths keep the parts apart
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:8])
}

// Range is the games First to First+Games-1 of a seed.
type Range struct {
	First uint64
	Games int
}

// end is the first game after the range.
func (r Range) end() uint64 { return r.First + uint64(r.Games) }

// cut is the first piece of a range for a chunk of size games, a power of two: pieces end at
// multiples of size, so that equal sizes make equal pieces.
func (r Range) cut(size int) Range {
	size = 1 << (bits.Len(uint(max(size, 1))) - 1)
	end := r.First - r.First%uint64(size) + uint64(size)
	return Range{r.First, int(min(end, r.end()) - r.First)}
}

// Ranges returns the numbers of games, which must ascend.
func Ranges(games []Game) []Range {
	var all []Range
	for i := range games {
		all = extend(all, games[i].Index)
	}
	return all
}

// extend adds a game to ranges.
func extend(all []Range, game uint64) []Range {
	if n := len(all); n > 0 && all[n-1].end() == game {
		all[n-1].Games++
		return all
	}
	return append(all, Range{game, 1})
}

// Gaps returns the games from 0 to games-1 that are not in have, which must ascend.
func Gaps(have []Range, games int) []Range {
	var gaps []Range
	next, end := uint64(0), uint64(games)
	for _, r := range have {
		if r.First > next && next < end {
			gaps = append(gaps, Range{next, int(min(r.First, end) - next)})
		}
		next = max(next, r.end())
	}
	if next < end {
		gaps = append(gaps, Range{next, int(end - next)})
	}
	return gaps
}

// Union returns the games of both, ascending. Neither needs to be in order.
func Union(a, b []Range) (all []Range) {
	both := slices.Concat(a, b)
	slices.SortFunc(both, func(x, y Range) int { return cmp.Compare(x.First, y.First) })
	for _, r := range both {
		if n := len(all); n > 0 && r.First <= all[n-1].end() {
			all[n-1].Games = int(max(all[n-1].end(), r.end()) - all[n-1].First)
			continue
		}
		all = append(all, r)
	}
	return all
}

// InRanges reports whether a game is in one of the ranges.
func InRanges(ranges []Range, game uint64) bool {
	return slices.ContainsFunc(ranges, func(r Range) bool { return game >= r.First && game < r.end() })
}
