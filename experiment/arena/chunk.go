package arena

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math/bits"
	"slices"
	"time"

	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Setup holds what all games of an experiment share: everything that determines a game except the player and
// the number of the game.
type Setup struct {
	Size  board.Size `json:"size"`
	Spawn string     `json:"spawn"` // the spawn rule's spec, in its shortest notation
	// SpawnIdentity is Spawn with the hash of each file's contents in place of its name; see Identity.
	SpawnIdentity string `json:"spawn_identity"`
	Seed          uint64 `json:"seed"`
	// Stop is the condition that ends a game; zero means that games are played to the end. If Goal
	// is set, this condition is the goal, and reports give the share of games that reach it.
	Stop   game.Stop `json:"stop,omitzero"`
	Goal   bool      `json:"goal,omitempty"`
	Starts *Starts   `json:"starts,omitempty"` // nil means that games begin with two spawns
}

// Hash identifies the setup in 16 hexadecimal digits: equal setups have equal hashes.
func (s Setup) Hash() string {
	return Digest("setup 1", s.Size, s.SpawnIdentity, s.Seed, s.Stop, s.Starts.hash())
}

// Until returns the tile that ends games; 0 if no tile does, or if that tile is the goal.
func (s *Setup) Until() int64 {
	if s.Goal {
		return 0
	}
	return s.Stop.Tile
}

// GoalText returns the goal in the notation of game.ParseStop; "" if there is no goal.
func (s *Setup) GoalText() string {
	if !s.Goal {
		return ""
	}
	return s.Stop.String()
}

// Check returns an error if the stop condition or the start boards are invalid.
func (s *Setup) Check() error {
	if err := s.Stop.Validate(); err != nil && s.Stop != (game.Stop{Tile: 2}) {
		return err
	}
	if s.Starts == nil {
		return nil
	}
	if size := s.Starts.Boards[0].Board.Size(); size != s.Size {
		return fmt.Errorf("the start boards are %v, but the experiment is %v", size, s.Size)
	}
	return CheckStarts(s.Starts.Boards, s.Stop)
}

// Complete sets the Cluster, Sum and Goal of each outcome, which follow from the setup. It does nothing if there are
// neither start boards nor a goal.
func (s *Setup) Complete(games []Outcome) {
	if s.Starts == nil && !s.Goal {
		return
	}
	for i := range games {
		g := &games[i]
		if s.Starts != nil {
			g.Cluster = s.Starts.cluster(g.Index)
		}
		g.Sum = s.sum(g)
		g.Goal = s.Goal && (s.Stop.Tile != 0 && board.Tile(g.Largest) >= s.Stop.Tile || s.Stop.Sum != 0 && g.Sum >= s.Stop.Sum)
	}
}

// sum returns the sum of the tiles at the end of a game. If the outcome does not contain it, sum computes it
// from the seed, or returns 0 if spawns are not random.
func (s *Setup) sum(g *Outcome) int64 {
	if g.Sum > 0 {
		return g.Sum
	}
	p4, random := s.RandomSpawns()
	switch {
	case !random:
		return 0
	case s.Starts != nil:
		return s.Starts.Of(g.Index).Board.Sum() + game.SumOfRandom(g.Seed, g.Index, p4, g.Moves)
	}
	return game.SumOfRandom(g.Seed, g.Index, p4, g.Moves+2)
}

// RandomSpawns reports whether the spawn rule is random. In this case the seed alone determines the
// spawns. It also returns the probability of a 4.
func (s Setup) RandomSpawns() (p4 float64, ok bool) {
	rule, err := catalog.ParseSpawner(cmp.Or(s.Spawn, "random"), catalog.Capabilities{})
	return rule.P4, err == nil && rule.Random
}

// Chunk is a unit of work: consecutive games of one player. It holds everything that a worker on any
// machine needs to know.
type Chunk struct {
	Setup    Setup  `json:"setup"`
	Player   string `json:"player"`   // spec of the player
	Identity string `json:"identity"` // see the function Identity
	Version  string `json:"version"`  // version of the scheduler's program
	// Folder is the scheduler's working directory. File names in an external program's command are relative
	// to it.
	Folder string `json:"folder,omitempty"`
	First  uint64 `json:"first_game"`
	Games  int    `json:"games"` // number of games, at least 1
}

// ID identifies the chunk. Chunks with the same work have the same ID, even if they were planned at different
// times.
func (c *Chunk) ID() string {
	return fmt.Sprintf("%s-%s-%d-%d", c.Setup.Hash(), Digest("player 1", c.Identity, c.Version), c.First, c.Games)
}

// Digest returns a hash of parts as 16 hexadecimal digits.
func Digest(parts ...any) string {
	sum := fnv.New64a()
	for _, p := range parts {
		text := fmt.Sprint(p)
		fmt.Fprintf(sum, "%d:%s", len(text), text) // without the lengths, different parts could give the same text
	}
	return fmt.Sprintf("%016x", sum.Sum64())
}

// Range stands for the games with the numbers First to First+Games-1.
type Range struct {
	First uint64
	Games int
}

// end returns the number of the first game after the range.
func (r Range) end() uint64 { return r.First + uint64(r.Games) }

// cut returns the first piece of a range, with at most size games. It rounds size down to a power
// of two and ends the piece at a multiple of the rounded size. Thus ranges that begin at different
// games are cut at the same game numbers.
func (r Range) cut(size int) Range {
	size = 1 << (bits.Len(uint(max(size, 1))) - 1)
	end := r.First - r.First%uint64(size) + uint64(size)
	return Range{r.First, int(min(end, r.end()) - r.First)}
}

// Ranges returns the numbers of the games as ranges. games must be sorted by number.
func Ranges(games []Outcome) (all []Range) {
	for i := range games {
		if n := len(all); n > 0 && all[n-1].end() == games[i].Index {
			all[n-1].Games++
		} else {
			all = append(all, Range{games[i].Index, 1})
		}
	}
	return all
}

// Gaps returns the games among 0 to games-1 that are not in have.
func Gaps(have []Range, games int) []Range {
	if games == 0 {
		return nil
	}
	return without([]Range{{0, games}}, have...)
}

// without returns the ascending ranges in all, minus the games in gone.
func without(all []Range, gone ...Range) []Range {
	for _, g := range gone {
		at, _ := slices.BinarySearchFunc(all, g.First, func(r Range, first uint64) int { return cmp.Compare(r.end(), first+1) })
		end := at
		var left []Range
		for ; end < len(all) && all[end].First < g.end(); end++ {
			r := all[end]
			if r.First < g.First {
				left = append(left, Range{r.First, int(g.First - r.First)})
			}
			if r.end() > g.end() {
				left = append(left, Range{g.end(), int(r.end() - g.end())})
			}
		}
		all = slices.Replace(all, at, end, left...)
	}
	return all
}

// Planner cuts the missing games of an experiment into chunks of a few seconds. It is not safe for
// concurrent use.
type Planner struct {
	// ChunkTime is the target duration of a chunk; 0 means 2 s. A chunk has at least one game.
	ChunkTime time.Duration
	// MaxGames is the maximum number of games in a chunk; 0 means 2^20.
	MaxGames int
	// Workers is the number of concurrent workers, among which the last games are divided evenly; 0 means 1.
	Workers int

	players []*playerPlan
}

// playerPlan is the remaining work of one player.
type playerPlan struct {
	chunk   Chunk   // template of the player's chunks; First and Games are 0
	missing []Range // games that were not handed out yet, ascending
	left    int     // number of games in missing
	games   int     // number of games that were timed
	time    time.Duration
	size    int // number of games in the previous chunk
}

// Add plans the missing games of a player. games is the number of games of this player that are
// already timed, and took their total time. If both are 0, the first chunk has one game.
func (p *Planner) Add(c Chunk, missing []Range, games int, took time.Duration) {
	l := &playerPlan{chunk: c, missing: slices.Clone(missing), games: games, time: took}
	for _, r := range missing {
		l.left += r.Games
	}
	p.players = append(p.players, l)
}

// Remaining returns the number of games that Next has not handed out yet.
func (p *Planner) Remaining() (games int) {
	for _, l := range p.players {
		games += l.left
	}
	return games
}

// Next returns the next chunk. It considers only players for whose identity room returns true; ok is false if
// none of them has games left. The player whose next game has the lowest number comes first, so that at any
// time about the same games of all players are finished and can be compared.
func (p *Planner) Next(room func(identity string) bool) (c Chunk, ok bool) {
	var next *playerPlan
	for _, l := range p.players {
		if l.left > 0 && (next == nil || l.missing[0].First < next.missing[0].First) && room(l.chunk.Identity) {
			next = l
		}
	}
	if next == nil {
		return Chunk{}, false
	}
	piece := next.missing[0].cut(p.size(next))
	next.left -= piece.Games
	if first := &next.missing[0]; first.Games == piece.Games {
		next.missing = next.missing[1:]
	} else {
		*first = Range{piece.end(), first.Games - piece.Games}
	}
	c = next.chunk
	c.First, c.Games = piece.First, piece.Games
	return c, true
}

// size returns the number of games in the player's next chunk.
func (p *Planner) size(l *playerPlan) int {
	const growth = 8 // maximum ratio of two successive sizes, since a few quick games may be followed by long ones
	target := cmp.Or(p.ChunkTime, 2*time.Second)
	size := 1
	if l.games > 0 {
		each := max(l.time/time.Duration(l.games), time.Microsecond)
		size = int(min(int64(target/each), int64(cmp.Or(p.MaxGames, 1<<20))))
		if l.size > 0 {
			size = min(size, growth*l.size)
		}
	}
	size = min(size, l.left/(2*max(p.Workers, 1)))
	l.size = 1 << (bits.Len(uint(max(size, 1))) - 1)
	return l.size
}

// RecordTimes records the times of delivered games, which determine the sizes of later chunks.
func (p *Planner) RecordTimes(d *Delivery) {
	for _, l := range p.players {
		if l.chunk.Identity == d.Chunk.Identity {
			for i := range d.Games {
				l.games++
				l.time = AddTimes(l.time, d.Games[i].Elapsed)
			}
		}
	}
}

// drop removes games from a player's plan. They were delivered although this planner did not hand them out.
func (p *Planner) drop(identity string, games []Recorded) {
	for _, l := range p.players {
		if l.chunk.Identity != identity {
			continue
		}
		for i := range games {
			l.missing = without(l.missing, Range{games[i].Index, 1})
		}
		l.left = 0
		for _, r := range l.missing {
			l.left += r.Games
		}
	}
}

// requeue plans games of a player again, ahead of its other games.
func (p *Planner) requeue(identity string, games []Range) {
	for _, l := range p.players {
		if l.chunk.Identity == identity {
			l.missing = append(slices.Clone(games), l.missing...)
			for _, r := range games {
				l.left += r.Games
			}
		}
	}
}
