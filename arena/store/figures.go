package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"hash/crc32"
	"io"
	"time"

	"afterstate/arena"
	"afterstate/player"
)

// Games returns the stored games of a player, ascending by number. Missing or changed games are a
// Damage, unless LeftOut is set.
func (s *Store) Games(ctx context.Context, e *arena.Experiment, p *arena.Player) ([]arena.Game, error) {
	r := &gameReader{experiment: e, player: p, skip: s.LeftOut != nil}
	var kept int
	err := s.snapshot(ctx, func(conn *sql.Conn) (err error) {
		if kept, err = s.kept(ctx, conn, e, p); err != nil {
			return err
		}
		r.games = make([]arena.Game, 0, kept)
		if err := r.read(ctx, conn); err != nil {
			return err
		}
		if found := len(r.games); found > kept || found < kept && !r.skip {
			return &arena.Damage{Experiment: e.Name, Player: p.Spec, Kept: kept, Found: found}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range r.games {
		r.games[i].Player, r.games[i].Seed = p.Number-1, e.Setup.Seed
	}
	s.leftOut(p, kept-len(r.games))
	return r.games, nil
}

// leftOut calls LeftOut.
func (s *Store) leftOut(p *arena.Player, games int) {
	if games > 0 && s.LeftOut != nil {
		s.LeftOut(p, games)
	}
}

// gameReader reads a player's games without their moves.
type gameReader struct {
	experiment *arena.Experiment
	player     *arena.Player
	skip       bool // damaged games are left out

	games    []arena.Game
	forfeits map[int64]player.Forfeit // by id
	text     []byte                   // for sums
}

// read bypasses database/sql, whose conversions take more time than SQLite.
func (r *gameReader) read(ctx context.Context, conn *sql.Conn) error {
	if err := r.readForfeits(ctx, conn); err != nil {
		return err
	}
	return conn.Raw(func(c any) error {
		first := gameID(r.player.ID, 0)
		rows, err := c.(driver.QueryerContext).QueryContext(ctx, "SELECT id, score, tile, moves, elapsed_us, sum FROM games WHERE id >= ? AND id < ? ORDER BY id",
			[]driver.NamedValue{{Ordinal: 1, Value: first}, {Ordinal: 2, Value: gameID(r.player.ID+1, 0)}})
		if err != nil {
			return err
		}
		defer rows.Close()
		last := first - 1
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
					return &arena.Damage{Experiment: r.experiment.Name, Player: r.player.Spec, Game: uint64(id) & (arena.MaxGames - 1)}
				}
				continue
			}
			last = id
			r.games = append(r.games, arena.Game{
				Index: uint64(id - first), Score: asInt(v[1]), Largest: uint8(asInt(v[2])), Moves: int(asInt(v[3])), Elapsed: time.Duration(asInt(v[4])) * time.Microsecond, Forfeit: forfeit,
			})
		}
	})
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
