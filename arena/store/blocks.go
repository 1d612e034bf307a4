package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"
	"time"

	"afterstate/arena"
)

// blockGames is the number of games of a block.
const blockGames = 4096

// block holds the outcomes of games first to first+blockGames-1, copied from rows with right sums.
// For each game it has score, exponent, moves and microseconds as unsigned varints; then the number
// of forfeits, and for each the game's position in the block, reason and detail; then a sum of the
// block's id and all of this.
type block struct {
	first uint64
	data  []byte
}

func readBlocks(ctx context.Context, conn *sql.Conn, player int64) (all []block, err error) {
	rows, err := conn.QueryContext(ctx, "SELECT id & 0xffffffff, block FROM blocks WHERE id >= ? AND id < ? ORDER BY id", gameID(player, 0), gameID(player+1, 0))
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

const sumBytes = 4

func blockSum(id int64, data []byte) uint32 {
	return crc32.Update(crc32.Checksum(binary.LittleEndian.AppendUint64(nil, uint64(id)), castagnoli), castagnoli, data)
}

func encode(player int64, games []arena.Game) []byte {
	var out []byte
	var lost []int
	for i := range games {
		g := &games[i]
		for _, x := range []uint64{uint64(g.Score), uint64(g.Largest), uint64(g.Moves), uint64(g.Elapsed.Microseconds())} {
			out = binary.AppendUvarint(out, x)
		}
		if g.Forfeit.Reason != "" {
			lost = append(lost, i)
		}
	}
	out = binary.AppendUvarint(out, uint64(len(lost)))
	for _, i := range lost {
		out = binary.AppendUvarint(out, uint64(i))
		for _, text := range []string{games[i].Forfeit.Reason, games[i].Forfeit.Detail} {
			out = append(binary.AppendUvarint(out, uint64(len(text))), text...)
		}
	}
	return binary.LittleEndian.AppendUint32(out, blockSum(gameID(player, games[0].Index), out))
}

// sound reports whether the block's sum is right.
func (b *block) sound(player int64) bool {
	n := len(b.data) - sumBytes
	return n >= 0 && binary.LittleEndian.Uint32(b.data[n:]) == blockSum(gameID(player, b.first), b.data[:n])
}

var errBlock = errors.New("a block of figures does not hold what it should")

// decode appends the block's games.
func (b *block) decode(games []arena.Game) ([]arena.Game, error) {
	d := varints{data: b.data[:len(b.data)-sumBytes]}
	at := len(games)
	for i := range uint64(blockGames) {
		games = append(games, arena.Game{
			Index: b.first + i, Score: int64(d.next()), Largest: uint8(d.next()), Moves: int(d.next()), Elapsed: time.Duration(d.next()) * time.Microsecond,
		})
	}
	for range d.next() {
		i := d.next()
		if d.bad || i >= blockGames {
			return nil, errBlock
		}
		f := &games[at+int(i)].Forfeit
		f.Reason, f.Detail = d.text(), d.text()
	}
	if d.bad || len(d.data) > 0 {
		return nil, errBlock
	}
	return games, nil
}

// varints decodes a block's data.
type varints struct {
	data []byte
	bad  bool
}

func (d *varints) next() uint64 {
	x, n := binary.Uvarint(d.data)
	if n <= 0 {
		d.bad, d.data = true, nil
		return 0
	}
	d.data = d.data[n:]
	return x
}

func (d *varints) text() string {
	n := d.next()
	if n > uint64(len(d.data)) {
		d.bad, n = true, 0
	}
	text := string(d.data[:n])
	d.data = d.data[n:]
	return text
}

// wholeBlocks yields the positions where complete blocks begin in ascending games.
func wholeBlocks(games []arena.Game) func(yield func(at int) bool) {
	return func(yield func(at int) bool) {
		for at := 0; at < len(games); {
			first := games[at].Index
			// Indices ascend without repetition, so the last one is the largest.
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

// writeBlocks writes missing blocks and replaces the useless ones, given by their first game.
func (s *Store) writeBlocks(ctx context.Context, p *arena.Player, games []arena.Game, useless map[uint64]bool) error {
	return s.write(ctx, func(ctx context.Context, conn *sql.Conn) error {
		for at := range wholeBlocks(games) {
			id := gameID(p.ID, games[at].Index)
			var there int
			if err := conn.QueryRowContext(ctx, "SELECT count(*) FROM blocks WHERE id = ?", id).Scan(&there); err != nil {
				return err
			}
			if there > 0 && !useless[games[at].Index] {
				continue
			}
			if _, err := conn.ExecContext(ctx, "INSERT OR REPLACE INTO blocks VALUES (?, ?)", id, encode(p.ID, games[at:at+blockGames])); err != nil {
				return err
			}
		}
		return nil
	})
}
