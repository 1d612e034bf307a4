package record

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/afterstate2048/afterstate/rules/board"
)

// names are the names of the fields of version 1, in the order in which they are written.
var names = []string{
	"afterstate_record", "size", "start", "spawn", "p4", "seed", "game", "player",
	"move_count", "moves", "spawns", "times", "board", "score",
}

// Bounds on the memory that a malicious line can make Parse use.
const (
	maxFields = 64
	// maxBoard is the maximum length of a board in bytes. A 6x6 board of the largest tiles takes 600.
	maxBoard = 4096
)

// Parse parses a record from one line. Fields may be in any order. Missing, repeated and unknown
// fields are errors, and so is text after the object. Parse does not replay the game: see Replay.
func Parse(line []byte) (Record, error) {
	values, err := split(line)
	if err != nil {
		return Record{}, err
	}
	in := &fields{values: values}
	if err := in.version(); err != nil {
		return Record{}, err
	}
	var r Record
	size := in.size()
	if _, given := in.values["start"]; given {
		r.Start = in.board("start", size)
	}
	switch r.Spawn = in.text("spawn"); r.Spawn {
	case "":
		in.fail("spawn", in.values["spawn"], wantRule)
	case Random:
		r.P4 = in.probability("p4")
	}
	r.Seed = in.whole("seed", math.MaxUint64)
	r.Game = in.whole("game", math.MaxUint64)
	r.Player = in.text("player")
	r.Moves = in.moves()
	if r.Spawn != Random {
		if text := in.text("spawns"); in.err == nil {
			r.Spawns, in.err = unpackSpawns(text, len(r.Moves)+r.startTiles())
		}
	}
	if _, given := in.values["times"]; given {
		if packed := in.packed("times"); in.err == nil {
			r.Times, in.err = UnpackTimes(packed, len(r.Moves))
		}
	}
	r.Board = in.board("board", size)
	r.Score = int64(in.whole("score", math.MaxInt64))
	in.matching(r.Spawn)
	if in.err == nil {
		in.err = r.check()
	}
	if in.err != nil {
		return Record{}, in.err
	}
	return r, nil
}

// split splits a JSON object into its fields. Unlike json.Unmarshal it detects repeated names and
// is case-sensitive.
func split(line []byte) (map[string]json.RawMessage, error) {
	if !utf8.Valid(line) {
		return nil, errors.New("not a record: must be JSON in UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, fmt.Errorf("not a record: must be one JSON object, not %.24q", line)
	}
	values := make(map[string]json.RawMessage, len(names))
	for dec.More() {
		name, err := dec.Token() // a string: the decoder accepts nothing else here
		if err != nil {
			return nil, notJSON(err)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, notJSON(err)
		}
		if _, twice := values[name.(string)]; twice {
			return nil, fmt.Errorf("field %.24q comes twice", name)
		}
		if len(values) == maxFields {
			return nil, fmt.Errorf("not a record: more than %d fields", maxFields)
		}
		values[name.(string)] = value
	}
	if _, err := dec.Token(); err != nil { // the closing brace
		return nil, notJSON(err)
	}
	if rest := bytes.Trim(line[dec.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return nil, fmt.Errorf("text after the record: %.24q", rest)
	}
	return values, nil
}

func notJSON(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("not a record: the JSON object does not end")
	}
	return fmt.Errorf("not a record: %w", err)
}

// fields reads the values of a record. After an error its methods return zero values.
type fields struct {
	values map[string]json.RawMessage
	err    error
}

// version checks the version and then the field names, since another version may have other fields.
func (in *fields) version() error {
	value, ok := in.values["afterstate_record"]
	if !ok {
		return fmt.Errorf("not a record: the field afterstate_record is missing: it must be %d", Version)
	}
	if string(value) != strconv.Itoa(Version) {
		return fmt.Errorf("record version %s: must be %d", brief(value), Version)
	}
	for _, name := range slices.Sorted(maps.Keys(in.values)) {
		if !slices.Contains(names, name) {
			return fmt.Errorf("field %.24q is unknown: must be %s", name, strings.Join(names, ", "))
		}
	}
	return nil
}

// get returns the value of a field. It returns nil if the field is missing or if an error occurred
// before.
func (in *fields) get(name string) json.RawMessage {
	value, ok := in.values[name]
	if !ok && in.err == nil {
		in.err = fmt.Errorf("%s is missing", name)
	}
	if in.err != nil {
		return nil
	}
	return value
}

func (in *fields) fail(name string, value json.RawMessage, want string) {
	if in.err == nil {
		in.err = fmt.Errorf("%s is %s: must be %s", name, brief(value), want)
	}
}

// brief returns the beginning of a value for an error message.
func brief(value json.RawMessage) string {
	const maximum = 24
	var out strings.Builder
	for i, c := range string(value) {
		if i >= maximum {
			return out.String() + "..."
		}
		if !unicode.IsPrint(c) {
			c = ' '
		}
		out.WriteRune(c)
	}
	return out.String()
}

func (in *fields) text(name string) string {
	value := in.get(name)
	var text string
	// null would leave text unchanged without an error
	if in.err == nil && (value[0] != '"' || json.Unmarshal(value, &text) != nil) {
		in.fail(name, value, "a string")
	}
	return text
}

func (in *fields) whole(name string, maximum uint64) uint64 {
	value := in.get(name)
	n, err := strconv.ParseUint(string(value), 10, 64)
	if err != nil || n > maximum {
		in.fail(name, value, fmt.Sprintf("a whole number from 0 to %d", maximum))
	}
	return n
}

func (in *fields) probability(name string) float64 {
	value := in.get(name)
	p, err := strconv.ParseFloat(string(value), 64)
	if err != nil || !(p >= 0 && p <= 1) {
		in.fail(name, value, "a probability from 0 to 1")
	}
	return math.Abs(p) // no negative zero
}

func (in *fields) size() board.Size {
	text := in.text("size")
	size, err := board.ParseSize(text)
	if in.err == nil && (err != nil || size.String() != text) {
		in.fail("size", in.values["size"], fmt.Sprintf("RxC with rows and columns from %d to %d, such as 4x4", board.MinSide, board.MaxSide))
	}
	return size
}

// moves reads the moves. It checks move_count against the length of the text before it allocates.
func (in *fields) moves() []board.Direction {
	count := in.whole("move_count", math.MaxInt64)
	text := in.text("moves")
	if in.err != nil {
		return nil
	}
	packed := (count + 3) / 4
	if want := (packed + 2) / 3 * 4; uint64(len(text)) != want {
		in.err = fmt.Errorf("moves has %d characters: must be %d, the base64 of %d moves", len(text), want, count)
		return nil
	}
	decoded := in.packed("moves")
	if in.err != nil {
		return nil
	}
	moves, err := UnpackMoves(decoded, int(count))
	in.err = err
	return moves
}

// packed decodes a field in base64.
func (in *fields) packed(name string) []byte {
	text := in.text(name)
	decoded, err := base64.StdEncoding.Strict().DecodeString(text)
	// Compare the lengths too, because the decoder ignores line breaks.
	if err != nil || len(text) != base64.StdEncoding.EncodedLen(len(decoded)) {
		in.fail(name, in.values[name], "base64 with padding")
	}
	return decoded
}

// board reads a field that holds a board. It compares the value with its canonical form, because
// encoding/json reads null as 0.
func (in *fields) board(name string, size board.Size) board.Board {
	value := in.get(name)
	if in.err != nil {
		return board.Board{}
	}
	var b board.Board
	if len(value) > maxBoard {
		in.fail(name, value, fmt.Sprintf("at most %d bytes", maxBoard))
		return b
	}
	if in.err = b.UnmarshalJSON(value); in.err != nil {
		return b
	}
	var compact bytes.Buffer
	canonical, _ := b.MarshalJSON()
	switch err := json.Compact(&compact, value); {
	case err != nil || !bytes.Equal(compact.Bytes(), canonical):
		in.fail(name, value, "rows of whole tile values such as [[2,0],[0,4]]")
	case b.Size() != size:
		in.err = fmt.Errorf("%s is %v, but size is %v", name, b.Size(), size)
	}
	return b
}

// matching rejects fields that do not belong to the spawn rule.
func (in *fields) matching(spawn string) {
	if in.err != nil {
		return
	}
	if _, ok := in.values["spawns"]; ok && spawn == Random {
		in.err = fmt.Errorf("spawns is given: with spawn %q the tiles follow from the seed", Random)
	}
	if _, ok := in.values["p4"]; ok && spawn != Random {
		in.err = fmt.Errorf("p4 is given: only spawn %q uses it", Random)
	}
}
