package arena

import (
	"cmp"
	"math/bits"
	"slices"
	"time"
)

// Planner cuts the missing games of an experiment into chunks of a few seconds. It is not safe for
// concurrent use.
type Planner struct {
	// ChunkTime is the target duration of a chunk; 0: 2 s. A chunk has at least one game.
	ChunkTime time.Duration
	// MaxGames is the most games of a chunk; 0: 2^20.
	MaxGames int
	// Workers is the number of concurrent workers, so that the last chunks are shared evenly; 0: 1.
	Workers int

	players []*playerPlan
}

// playerPlan is the remaining work of one player.
type playerPlan struct {
	chunk   Chunk   // without First and Games
	missing []Range // not handed out, ascending
	left    int     // games in missing
	games   int     // whose time is known
	time    time.Duration
	size    int // of the last chunk
}

// Add plans missing games of a player. games and took are the number and total time of games of it
// that were timed before; both 0 if none were, and then the first chunk has one game.
func (p *Planner) Add(c Chunk, missing []Range, games int, took time.Duration) {
	l := &playerPlan{chunk: c, missing: append([]Range(nil), missing...), games: games, time: took}
	for _, r := range missing {
		l.left += r.Games
	}
	p.players = append(p.players, l)
}

// Remaining is the number of games not handed out yet.
func (p *Planner) Remaining() (games int) {
	for _, l := range p.players {
		games += l.left
	}
	return games
}

// Next hands out a chunk; ok is false when none is left. The player whose next game has the lowest
// number comes first, so that at any time about the same games of all players are finished and
// comparable.
func (p *Planner) Next() (c Chunk, ok bool) {
	return p.next(func(string) bool { return true })
}

// next is Next for the players, by identity, for which there is room.
func (p *Planner) next(room func(identity string) bool) (c Chunk, ok bool) {
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
	next.take(piece.Games)
	c = next.chunk
	c.First, c.Games = piece.First, piece.Games
	return c, true
}

// size is the number of games of the player's next chunk.
func (p *Planner) size(l *playerPlan) int {
	const growth = 8 // a few quick games may be followed by long ones
	target := p.ChunkTime
	if target == 0 {
		target = 2 * time.Second
	}
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

// take removes games from the front.
func (l *playerPlan) take(games int) {
	l.left -= games
	if l.missing[0].First, l.missing[0].Games = l.missing[0].First+uint64(games), l.missing[0].Games-games; l.missing[0].Games == 0 {
		l.missing = l.missing[1:]
	}
}

// RecordTimes uses the times of delivered games for the sizes of later chunks.
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

// requeue plans games of a player again, before all other work.
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
