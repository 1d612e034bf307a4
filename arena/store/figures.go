package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"hash/crc32"
	"io"
	"runtime"
	"time"

	"afterstate/arena"
	"afterstate/internal/workers"
	"afterstate/player"
)

// AllGames returns the stored games of all players, each player's ascending by number. Missing or
// changed games are a Damage.
func (s *Store) AllGames(ctx context.Context, e *Experiment) ([][]arena.Game, error) {
	all, _, err := s.allGames(ctx, e, false)
	return all, err
}

// allGames skips damaged and missing games if skip is set, and counts them by player.
func (s *Store) allGames(ctx context.Context, e *Experiment, skip bool) (all [][]arena.Game, leftOut []int, err error) {
	all, leftOut = make([][]arena.Game, len(e.Players)), make([]int, len(e.Players))
	err = workers.Each(ctx, runtime.GOMAXPROCS(0), len(e.Players), func(ctx context.Context, _, i int) (err error) {
		all[i], leftOut[i], err = s.games(ctx, e, &e.Players[i], skip)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return all, leftOut, nil
}

// Games returns the stored games of a player, ascending by number. Missing or changed games are a
// Damage.
func (s *Store) Games(ctx context.Context, e *Experiment, p *Player) ([]arena.Game, error) {
	games, _, err := s.games(ctx, e, p, false)
	return games, err
}

// UndamagedGames returns the stored games of a player without damaged and missing ones, and the
// number of these.
func (s *Store) UndamagedGames(ctx context.Context, e *Experiment, p *Player) (games []arena.Game, leftOut int, err error) {
	return s.games(ctx, e, p, true)
}

func (s *Store) games(ctx context.Context, e *Experiment, p *Player, skip bool) ([]arena.Game, int, error) {
	r := &gameReader{experiment: e, player: p, skip: skip}
	var kept int
	err := s.snapshot(ctx, func(conn *sql.Conn) (err error) {
		if kept, err = s.kept(ctx, conn, e, p); err != nil {
			return err
		}
		r.games = make([]arena.Game, 0, kept)
		if err := r.read(ctx, conn); err != nil {
			return err
		}
		if found := len(r.games); found > kept || found < kept && !skip {
			return &Damage{Experiment: e.Name, Player: p.Spec, Kept: kept, Found: found}
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	if r.fresh > 0 && s.writer != nil {
		_ = s.writeBlocks(ctx, p, r.games, r.useless) // they only save time
	}
	for i := range r.games {
		r.games[i].Player, r.games[i].Seed = p.Number-1, e.Setup.Seed
	}
	return r.games, kept - len(r.games), nil
}

// gameReader reads a player's games from blocks and rows.
type gameReader struct {
	experiment *Experiment
	player     *Player
	skip       bool // damaged games are left out

	games    []arena.Game
	forfeits map[int64]player.Forfeit // by id; of rows
	fresh    int                      // whole blocks that were read as rows
	useless  map[uint64]bool          // blocks that are damaged, by their first game
	text     []byte                   // for sums
}

func (r *gameReader) read(ctx context.Context, conn *sql.Conn) error {
	blocks, err := readBlocks(ctx, conn, r.player.ID)
	if err != nil {
		return err
	}
	if err := r.readForfeits(ctx, conn); err != nil {
		return err
	}
	next := uint64(0) // the first game that was not looked for
	for _, b := range blocks {
		if b.first < next || b.first%blockGames != 0 || !b.sound(r.player.ID) {
			// A damaged copy. The rows are there still.
			if r.useless == nil {
				r.useless = map[uint64]bool{}
			}
			r.useless[b.first] = true
			continue
		}
		if err := r.rows(ctx, conn, next, b.first); err != nil {
			return err
		}
		if r.games, err = b.decode(r.games); err != nil {
			return err
		}
		next = b.first + blockGames
	}
	return r.rows(ctx, conn, next, MaxGames)
}

// rows appends the games from-to from their rows. It bypasses database/sql, whose conversions take
// more time than SQLite.
func (r *gameReader) rows(ctx context.Context, conn *sql.Conn, from, to uint64) error {
	if from >= to {
		return nil
	}
	before := len(r.games)
	err := conn.Raw(func(c any) error {
		first := gameID(r.player.ID, 0)
		rows, err := c.(driver.QueryerContext).QueryContext(ctx, "SELECT id, score, tile, moves, elapsed_us, sum FROM games WHERE id >= ? AND id < ? ORDER BY id",
			[]driver.NamedValue{{Ordinal: 1, Value: first + int64(from)}, {Ordinal: 2, Value: first + int64(to)}})
		if err != nil {
			return err
		}
		defer rows.Close()
		last := first + int64(from) - 1
		var v [8]driver.Value // two for the forfeit
		for {
			if err := rows.Next(v[:6]); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			id, sum := asInt(v[0]), asInt(v[5])
			forfeit, lost := r.forfeits[id]
			v[5], v[6] = nil, nil
			if lost {
				v[5], v[6] = forfeit.Reason, forfeit.Detail
			}
			if r.text, err = appendValues(r.text[:0], v[:7]); err != nil {
				return err
			}
			if crc32.Checksum(r.text, castagnoli) != uint32(uint64(sum)>>32) || id <= last {
				if !r.skip {
					return &Damage{Experiment: r.experiment.Name, Player: r.player.Spec, Game: uint64(id) & (MaxGames - 1)}
				}
				continue
			}
			last = id
			r.games = append(r.games, arena.Game{
				Index: uint64(id - first), Score: asInt(v[1]), Largest: uint8(asInt(v[2])), Moves: int(asInt(v[3])), Elapsed: time.Duration(asInt(v[4])) * time.Microsecond, Forfeit: forfeit,
			})
		}
	})
	for range wholeBlocks(r.games[before:]) {
		r.fresh++
	}
	return err
}

func (r *gameReader) readForfeits(ctx context.Context, conn *sql.Conn) error {
	rows, err := conn.QueryContext(ctx, "SELECT id, reason, detail FROM forfeits WHERE id >= ? AND id < ?", gameID(r.player.ID, 0), gameID(r.player.ID+1, 0))
	if err != nil {
		return err
	}
	defer rows.Close()
	r.forfeits = map[int64]player.Forfeit{}
	for rows.Next() {
		var id int64
		var f player.Forfeit
		if err := rows.Scan(&id, &f.Reason, &f.Detail); err != nil {
			return err
		}
		r.forfeits[id] = f
	}
	return rows.Err()
}
