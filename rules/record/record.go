package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Version is the version of the records that this package writes and reads.
const Version = 1

// Spawn rules that other packages of the program use.
const (
	Random   = "random"   // the tiles follow from the seed
	Imported = "imported" // a game that was played elsewhere; the record lists its tiles
)

const wantRule = `"random" or the text of another rule`

// Meta is the part of a record that a game.Game does not hold.
type Meta struct {
	Spawn  string  // the spawn rule: Random or another rule's text; Of reads "" as Random
	P4     float64 // probability of a 4; only with Random
	Seed   uint64
	Game   uint64 // number of the game within the seed
	Player string // the player's spec
}

// Record is a recorded game. The size of the game is Board.Size().
type Record struct {
	Meta
	Start  board.Board // the board that the game started from; zero: it started with two spawned tiles
	Moves  []board.Direction
	Spawns []game.Spawn // the start tiles, unless Start is given, and one per move; nil with Random
	Times  []int64      // thinking time of each move in milliseconds, or UnknownTime; nil: all unknown
	Board  board.Board  // the final board
	Score  int64        // the final score
}

// Of returns the record of a game, without its undone moves and without times. If the spawn rule is
// Random, the game's spawner must be NewRandom(m.Seed, m.Game, m.P4); otherwise the record does not
// replay.
func Of(g *game.Game, m Meta) Record {
	m.Spawn = cmp.Or(m.Spawn, Random)
	r := Record{Meta: m, Moves: make([]board.Direction, 0, g.Moves()), Board: g.Board(), Score: g.Score()}
	r.Start, _ = g.StartBoard()
	for i := range g.Moves() {
		r.Moves = append(r.Moves, g.Step(i).Move)
	}
	if m.Spawn == Random {
		return r
	}
	r.P4 = 0
	start := g.Start()
	r.Spawns = append(make([]game.Spawn, 0, g.Moves()+len(start)), start[:r.startTiles()]...)
	for i := range g.Moves() {
		r.Spawns = append(r.Spawns, g.Step(i).Spawn)
	}
	return r
}

// startTiles returns the number of tiles that spawned before the first move.
func (r *Record) startTiles() int {
	if r.Start.Size() != (board.Size{}) {
		return 0
	}
	return 2
}

// Replay replays the game. It fails if a move breaks the rules (the error names the number of the
// move), or if the final board or score differs from the record's.
func (r Record) Replay() (*game.Game, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	var spawner game.Spawner = &game.Scripted{Spawns: r.Spawns}
	if r.Spawn == Random {
		spawner = game.NewRandom(r.Seed, r.Game, r.P4)
	}
	return r.play(spawner, false)
}

// play makes the moves of the record in a new game and compares the final board and score.
func (r *Record) play(spawner game.Spawner, stopAtWin bool) (*game.Game, error) {
	g, err := game.New(game.Options{Size: r.Board.Size(), Board: r.Start, Spawner: spawner, StopAtWin: stopAtWin})
	if err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	for _, d := range r.Moves {
		if g.PausedOnWin() {
			g.KeepPlaying()
		}
		if err := Move(g, d); err != nil {
			return nil, err
		}
	}
	if g.Board() != r.Board {
		return nil, fmt.Errorf("board is %v, but the moves lead to %v", r.Board, g.Board())
	}
	if g.Score() != r.Score {
		return nil, fmt.Errorf("score is %d, but the moves give %d", r.Score, g.Score())
	}
	return g, nil
}

// Move makes a move in a game. Its error names the move's number and the board before it.
func Move(g *game.Game, d board.Direction) error {
	err := g.Move(d)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, game.ErrIllegal):
		err = fmt.Errorf("%v changes nothing", d)
	case errors.Is(err, game.ErrOver):
		err = fmt.Errorf("%v comes after the end of the game", d)
	default:
		err = fmt.Errorf("after %v %w", d, err)
	}
	return fmt.Errorf("move %d: %w, on board %v", g.Moves()+1, err, g.Board())
}

// check returns an error if the record is malformed. Records from Of and Parse are valid; callers
// may build others.
func (r *Record) check() error {
	if size := r.Board.Size(); !size.Valid() {
		return fmt.Errorf("size %v: must be rows and columns from %d to %d", size, board.MinSide, board.MaxSide)
	}
	if start := r.Start.Size(); r.startTiles() == 0 && start != r.Board.Size() {
		return fmt.Errorf("start is %v, but size is %v", start, r.Board.Size())
	}
	if r.Spawn == "" {
		return errors.New(`spawn is "": must be ` + wantRule)
	}
	if !utf8.ValidString(r.Spawn) || !utf8.ValidString(r.Player) {
		return fmt.Errorf("spawn %.40q, player %.40q: must be UTF-8", r.Spawn, r.Player)
	}
	if r.Score < 0 {
		return fmt.Errorf("score is %d: must be 0 or more", r.Score)
	}
	for i, d := range r.Moves {
		if d > board.Left {
			return fmt.Errorf("move %d is direction %d: must be from 0 to 3", i+1, uint8(d))
		}
	}
	if err := r.checkTimes(); err != nil {
		return err
	}
	if r.Spawn == Random {
		if !(r.P4 >= 0 && r.P4 <= 1) {
			return fmt.Errorf("p4 is %v: must be a probability from 0 to 1", r.P4)
		}
		if r.Spawns != nil {
			return fmt.Errorf("spawns are listed: with spawn %q the tiles follow from the seed", Random)
		}
		return nil
	}
	if want := len(r.Moves) + r.startTiles(); len(r.Spawns) != want {
		return fmt.Errorf("spawns lists %d tiles: must be %d, one per move, and two more unless start is given", len(r.Spawns), want)
	}
	cells := r.Board.Size().Cells()
	for i, s := range r.Spawns {
		if s.Cell < 0 || s.Cell >= cells {
			return fmt.Errorf("spawn %d is on cell %d: a %v board has cells 0 to %d", i+1, s.Cell, r.Board.Size(), cells-1)
		}
		if s.Exponent != 1 && s.Exponent != 2 {
			return fmt.Errorf("spawn %d is a tile of 2^%d: must be 2 or 4", i+1, s.Exponent)
		}
	}
	return nil
}

// Resume replays the record so that the game can continue. The spawner supplies the tiles of the
// moves to come. It must be new and have the record's spawn rule and seed. If stopAtWin is set, the
// game stops at the winning tile: if the record's last move won, the game is paused.
func (r Record) Resume(spawner game.Spawner, stopAtWin bool) (*game.Game, error) {
	spawns := &resumed{Spawner: spawner, script: game.Scripted{Spawns: r.Spawns}}
	g, err := r.play(spawns, stopAtWin)
	spawns.script.Spawns = nil
	return g, err
}

// resumed spawns the tiles listed in a record, then the tiles of its spawn rule. Rules other than Random have no
// state, so they need not be called for the listed tiles.
type resumed struct {
	game.Spawner
	script game.Scripted
}

func (r *resumed) Spawn(b *board.Board) (game.Spawn, error) {
	if r.script.Spawns != nil {
		return r.script.Spawn(b)
	}
	return r.Spawner.Spawn(b)
}

// MarshalJSON returns the record's line, without a newline. It fails on malformed records.
func (r Record) MarshalJSON() ([]byte, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	line := struct {
		Version   int          `json:"afterstate_record"`
		Size      board.Size   `json:"size"`
		Start     *board.Board `json:"start,omitempty"`
		Spawn     string       `json:"spawn"`
		P4        json.Number  `json:"p4,omitempty"`
		Seed      uint64       `json:"seed"`
		Game      uint64       `json:"game"`
		Player    string       `json:"player"`
		MoveCount int          `json:"move_count"`
		Moves     []byte       `json:"moves"` // encoding/json writes base64
		Spawns    *string      `json:"spawns,omitempty"`
		Times     []byte       `json:"times,omitempty"` // encoding/json writes base64
		Board     *board.Board `json:"board"`
		Score     int64        `json:"score"`
	}{
		Version: Version, Size: r.Board.Size(), Spawn: r.Spawn, Seed: r.Seed, Game: r.Game, Player: r.Player,
		MoveCount: len(r.Moves), Moves: PackMoves(r.Moves), Times: PackTimes(r.Times), Board: &r.Board, Score: r.Score,
	}
	if r.startTiles() == 0 {
		line.Start = &r.Start
	}
	if r.Spawn == Random {
		line.P4 = json.Number(strconv.FormatFloat(r.P4, 'g', -1, 64))
	} else {
		spawns := string(appendSpawns(nil, r.Spawns))
		line.Spawns = &spawns
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(line)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// UnmarshalJSON reads a record as Parse does.
func (r *Record) UnmarshalJSON(line []byte) (err error) {
	*r, err = Parse(line)
	return err
}

// MaxLine is the maximal length in bytes of a line in files of records: about 50 million moves.
const MaxLine = 16 << 20

// Write writes a record and a newline in one call of w.Write.
func Write(w io.Writer, r Record) error {
	line, err := r.MarshalJSON()
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

// PackMoves packs moves into two bits each, the first in the lowest bits of the first byte. It
// panics on an invalid direction.
func PackMoves(moves []board.Direction) []byte {
	packed := make([]byte, (len(moves)+3)/4)
	for i, d := range moves {
		if d > board.Left {
			panic("record: invalid direction " + d.String())
		}
		packed[i/4] |= byte(d) << (i % 4 * 2)
	}
	return packed
}

// UnpackMoves is the inverse of PackMoves. It accepts only the bytes that PackMoves returns for
// count moves, and checks this before it allocates.
func UnpackMoves(packed []byte, count int) ([]board.Direction, error) {
	if count < 0 || len(packed) != count/4+(count%4+3)/4 {
		return nil, fmt.Errorf("moves: %d bytes do not hold %d moves: must be 4 moves per byte", len(packed), count)
	}
	if used := count % 4 * 2; used > 0 && packed[len(packed)-1]>>used != 0 {
		return nil, fmt.Errorf("moves: the bits after move %d are not zero", count)
	}
	moves := make([]board.Direction, count)
	for i := range moves {
		moves[i] = board.Direction(packed[i/4] >> (i % 4 * 2) & 3)
	}
	return moves, nil
}

// base36 has a character for each cell; a 6x6 board uses all of them.
const base36 = "0123456789abcdefghijklmnopqrstuvwxyz"

// appendSpawns appends two characters for each tile. The spawns must be valid.
func appendSpawns(dst []byte, spawns []game.Spawn) []byte {
	for _, s := range spawns {
		dst = append(dst, base36[s.Cell], '0'+s.Exponent)
	}
	return dst
}

// unpackSpawns is the inverse of appendSpawns. It does not check that the cells exist on the board;
// the method check does.
func unpackSpawns(text string, count int) ([]game.Spawn, error) {
	if len(text) != 2*count {
		return nil, fmt.Errorf("spawns has %d characters: must be %d, two for each of %d tiles", len(text), 2*count, count)
	}
	spawns := make([]game.Spawn, count)
	for i := range spawns {
		cell, exponent := strings.IndexByte(base36, text[2*i]), text[2*i+1]-'0'
		if cell < 0 || exponent != 1 && exponent != 2 {
			return nil, fmt.Errorf("spawn %d is %q: must be a cell 0-9a-z and 1 (a 2) or 2 (a 4)", i+1, text[2*i:2*i+2])
		}
		spawns[i] = game.Spawn{Cell: cell, Exponent: exponent}
	}
	return spawns, nil
}
