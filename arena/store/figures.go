package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"time"

	"afterstate/arena"
)

// blockGames is the number of games of a block of figures.
const blockGames = 4096

// AllGames are the kept games of all players of an experiment, each player's
// ascending by number.
func (s *Store) AllGames(ctx context.Context, e *Experiment) ([][]arena.Game, error) {
	all := make([][]arena.Game, len(e.Players))
	failed := make([]error, len(e.Players))
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var readers sync.WaitGroup
	for i := range e.Players {
		free <- struct{}{}
		readers.Go(func() {
			all[i], failed[i] = s.Games(ctx, e, &e.Players[i])
			<-free
		})
	}
	readers.Wait()
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Games are the kept games of a player, ascending by number.
func (s *Store) Games(ctx context.Context, e *Experiment, p *Player) ([]arena.Game, error) {
	blocks, err := s.blocks(ctx, p.ID)
	if err != nil {
		return nil, s.named(err)
	}
	games := make([]arena.Game, 0, len(blocks)*blockGames)
	next := uint64(0) // the first game that was not looked for
	fresh := 0        // whole blocks that were read as rows
	rows := func(to uint64) error {
		before := len(games)
		if games, err = s.rows(ctx, games, p.ID, next, to); err != nil {
			return err
		}
		for range wholeBlocks(games[before:]) {
			fresh++
		}
		return nil
	}
	for _, b := range blocks {
		if err := rows(b.first); err != nil {
			return nil, s.named(err)
		}
		if games, err = b.decode(games); err != nil {
			return nil, s.named(err)
		}
		next = b.first + blockGames
	}
	if err := rows(MaxGames); err != nil {
		return nil, s.named(err)
	}
	if err := s.forfeits(ctx, p.ID, games); err != nil {
		return nil, s.named(err)
	}
	if fresh > 0 {
		_ = s.KeepFigures(ctx, p, games) // they only save time
	}
	for i := range games {
		games[i].Player, games[i].Seed = p.Number-1, e.Setup.Seed
	}
	return games, nil
}

// block holds figures of the games first to first+blockGames-1.
type block struct {
	first uint64
	data  []byte
}

func (s *Store) blocks(ctx context.Context, player int64) (all []block, err error) {
	rows, err := s.db.QueryContext(ctx, "SELECT id & 0xffffffff, block FROM figures WHERE id >= ? AND id < ? ORDER BY id", gameID(player, 0), gameID(player+1, 0))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var b block
		if err := rows.Scan(&b.first, &b.data); err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, rows.Err()
}

// encode writes the figures of a block's games: score, exponent, moves and
// microseconds of each as unsigned varints.
func encode(games []arena.Game) []byte {
	var out []byte
	for i := range games {
		g := &games[i]
		for _, x := range []uint64{uint64(g.Score), uint64(g.Largest), uint64(g.Moves), uint64(g.Elapsed.Microseconds())} {
			out = binary.AppendUvarint(out, x)
		}
	}
	return out
}

// decode appends the block's games.
func (b *block) decode(games []arena.Game) ([]arena.Game, error) {
	data := b.data
	for i := range uint64(blockGames) {
		var figures [4]uint64
		for k := range figures {
			x, n := binary.Uvarint(data)
			if n <= 0 {
				return nil, fmt.Errorf("the figures from game %d on are damaged", b.first)
			}
			figures[k], data = x, data[n:]
		}
		games = append(games, arena.Game{
			Index: b.first + i, Score: int64(figures[0]), Largest: uint8(figures[1]),
			Moves: int(figures[2]), Elapsed: time.Duration(figures[3]) * time.Microsecond,
		})
	}
	return games, nil
}

// wholeBlocks yields where among ascending games whole blocks begin.
func wholeBlocks(games []arena.Game) func(yield func(at int) bool) {
	return func(yield func(at int) bool) {
		for at := 0; at < len(games); {
			first := games[at].Index
			// Indices ascend without repetition, so that the last one tells all.
			if end := at + blockGames; first%blockGames == 0 && end <= len(games) && games[end-1].Index == first+blockGames-1 {
				if !yield(at) {
					return
				}
				at = end
				continue
			}
			following := first - first%blockGames + blockGames
			step, _ := slices.BinarySearchFunc(games[at:], following, func(g arena.Game, index uint64) int {
				return int(int64(g.Index) - int64(index))
			})
			at += step
		}
	}
}

// KeepFigures makes blocks of a player's games, so that they are read fast. The games
// ascend and are those that are kept. It is never needed: Games does it too.
func (s *Store) KeepFigures(ctx context.Context, p *Player, games []arena.Game) error {
	return s.write(ctx, func(ctx context.Context, conn *sql.Conn) error {
		for at := range wholeBlocks(games) {
			id := gameID(p.ID, games[at].Index)
			var there int
			if err := conn.QueryRowContext(ctx, "SELECT count(*) FROM figures WHERE id = ?", id).Scan(&there); err != nil {
				return err
			}
			if there > 0 {
				continue
			}
			if _, err := conn.ExecContext(ctx, "INSERT INTO figures VALUES (?, ?)", id, encode(games[at:at+blockGames])); err != nil {
				return err
			}
		}
		return nil
	})
}

// rows appends games from-to as their rows tell them. It goes around database/sql,
// whose conversions take more time than SQLite.
func (s *Store) rows(ctx context.Context, games []arena.Game, player int64, from, to uint64) ([]arena.Game, error) {
	if from >= to {
		return games, nil
	}
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	err = conn.Raw(func(c any) error {
		first := gameID(player, 0)
		rows, err := c.(driver.QueryerContext).QueryContext(ctx, "SELECT id, score, tile, moves, elapsed_us FROM games WHERE id >= ? AND id < ? ORDER BY id",
			[]driver.NamedValue{{Ordinal: 1, Value: first + int64(from)}, {Ordinal: 2, Value: first + int64(to)}})
		if err != nil {
			return err
		}
		defer rows.Close()
		var v [5]driver.Value
		for {
			if err := rows.Next(v[:]); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			var x [5]int64
			for i := range v {
				x[i], _ = v[i].(int64) // the table is STRICT
			}
			games = append(games, arena.Game{
				Index: uint64(x[0] - first), Score: x[1], Largest: uint8(x[2]), Moves: int(x[3]), Elapsed: time.Duration(x[4]) * time.Microsecond,
			})
		}
	})
	return games, err
}

// forfeits puts forfeits into their games.
func (s *Store) forfeits(ctx context.Context, player int64, games []arena.Game) error {
	rows, err := s.db.QueryContext(ctx, "SELECT id & 0xffffffff, reason, detail FROM forfeits WHERE id >= ? AND id < ?", gameID(player, 0), gameID(player+1, 0))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var index uint64
		var reason, detail string
		if err := rows.Scan(&index, &reason, &detail); err != nil {
			return err
		}
		if i, ok := slices.BinarySearchFunc(games, index, func(g arena.Game, index uint64) int { return int(int64(g.Index) - int64(index)) }); ok {
			games[i].Forfeit.Reason, games[i].Forfeit.Detail = reason, detail
		}
	}
	return rows.Err()
}
