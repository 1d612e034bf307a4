package formats

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/record"
)

// Limits on the input.
const (
	MaxMoves = 1 << 22        // maximum number of moves in a game; a 4x4 game has at most 131,038
	MaxLine  = record.MaxLine // maximum length of a line in bytes
	headSize = 64 << 10       // maximum number of bytes that Detect examines
	maxState = 1 << 16        // maximum length of a gameState in bytes
	maxScore = 1 << 53        // maximum score at the start
)

// AnnotatedRecord is a record with the additional data that some formats hold. Its Spawn is
// record.Imported unless the game comes from a record of this program.
type AnnotatedRecord struct {
	record.Record
	// Rates holds the success rates of the four directions before each move, from 0 to 1, as given by an
	// endgame table. nil means that there are none.
	Rates [][4]float64
	// StartScore is the score at the start board. Record.Score does not include it.
	StartScore int64
	// Lost lists the data in the file that the record cannot hold.
	Lost []Loss
}

// Loss is a kind of data that was not read or written.
type Loss struct {
	What  string // such as "undone moves"
	Count int    // number of items that are missing; 0 if they were not counted
}

// lose adds the loss l to all if occurred is true.
func lose(all *[]Loss, occurred bool, l Loss) {
	if occurred {
		*all = append(*all, l)
	}
}

// Feature is a kind of data that a format may hold. A format holds a set of features.
type Feature uint

// Features that formats may hold.
const (
	Moves      Feature = 1 << iota // moves and new tiles; without it the format holds only the last board
	Start                          // any start board, not only two start tiles
	Order                          // which of the two start tiles came first
	Player                         // the player's name
	Seed                           // seed, game number and spawn rule
	Times                          // the time that each move took
	Rates                          // the rates of an endgame table
	StartScore                     // the score at the start board
	Many                           // several games in a file
)

// Format describes a file format that this package supports.
type Format struct {
	Name    string // name, as in the flag --to
	Summary string
	Holds   Feature
	Sizes   string // board sizes that the format can hold, as text
	Binary  bool   // files are binary, not text
	accepts func(board.Size) bool

	detect func(head []byte) bool
	read   reader
}

// reader reads the games of a file and yields them, or an error at the end, until yield returns false.
type reader func(r *bufio.Reader, yield func(*AnnotatedRecord, error) bool)

func anySize(board.Size) bool      { return true }
func only4x4(s board.Size) bool    { return s == board.Size{Rows: 4, Cols: 4} }
func squareSize(s board.Size) bool { return s.Rows == s.Cols }

const (
	allSizes = "2x2 to 6x6"
	four     = "4x4"
)

// formats lists the formats in the order in which Detect tries them. The functions that write them are in write.go, so
// that programs that only read are linked without them.
var formats = []*Format{
	{
		// The reader also accepts a game that the command play saved: an object with the field "record".
		Name: "records", Summary: "records of this program, one per line", Sizes: allSizes, accepts: anySize,
		Holds:  Moves | Start | Order | Player | Seed | Times | Many,
		detect: looksRecord, read: perLine(readRecord),
	},
	{
		// The state that the original page keeps in local storage.
		Name: "gamestate", Summary: "the original page's gameState, one board", Sizes: "square boards", accepts: squareSize,
		Holds:  Start | StartScore,
		detect: looksState, read: whole(maxState, readState),
	},
	{
		// The reader also accepts a single game as binary data, without base64.
		Name: "rpl1", Summary: "RPL1 of 2048next and 2048tables, one game per line", Sizes: allSizes, accepts: anySize,
		Holds:  Moves | Order | Times | Many,
		detect: looksRPL1, read: readRPL1,
	},
	{
		// The site writes Latin-1. This package reads Latin-1 and UTF-8, and writes UTF-8.
		Name: "2048verse", Summary: "2048verse, one game per line, with the times of moves", Sizes: allSizes, accepts: anySize,
		Holds:  Moves | Order | Times | Many,
		detect: looksVerse, read: perLine(func(line []byte) (*AnnotatedRecord, error) { return readVerse(runes(trim(line))) }),
	},
	{
		// The format of 2048-Framework, a program for university courses.
		Name: "framework", Summary: "2048-Framework, one game per line", Sizes: four, accepts: only4x4,
		Holds:  Moves | Order | Player | Times | Many,
		detect: looksFramework, read: perLine(readFramework),
	},
	{
		Name: "csv", Summary: "a table of positions with named columns", Sizes: allSizes, accepts: anySize,
		Holds:  Moves | Start | Player | Times | Rates | StartScore | Many,
		detect: looksTable("board"), read: readTable,
	},
	{
		Name: "csv-moves", Summary: "a table of moves and new tiles with named columns", Sizes: allSizes, accepts: anySize,
		Holds:  Moves | Order | Player | Times | Many,
		detect: looksTable("move"), read: readTable,
	},
	{
		Name: "rpl", Summary: "replays of 2048EndgameTablebase (.rpl), one game", Sizes: four, Binary: true, accepts: only4x4,
		Holds:  Moves | Start | Rates,
		detect: looksRPL, read: one(readRPL),
	},
}

// All returns all formats.
func All() []*Format { return formats }

// Names returns the names of all formats.
func Names() []string { return each.Of(formats, func(f *Format) string { return f.Name }) }

// Named returns the format with the given name, or nil if there is none.
func Named(name string) *Format {
	if i := slices.IndexFunc(formats, func(f *Format) bool { return f.Name == name }); i >= 0 {
		return formats[i]
	}
	return nil
}

// ErrUnknown is the error for content that is in none of the formats.
var ErrUnknown = errors.New("unknown format: must be one of " + strings.Join(Names(), ", "))

// Detect returns the format of a file, given its first bytes; it examines at most 64 KiB. It returns nil
// if they match none of the formats.
func Detect(head []byte) *Format {
	for _, f := range formats {
		if f.detect(head[:min(len(head), headSize)]) {
			return f
		}
	}
	return nil
}

// Read yields the games of a file. If format is nil, Read recognizes the format by its content, and
// yields ErrUnknown if it cannot. The first error ends the sequence. Data that does not belong to the
// format is an error, and so is a file without a game.
func Read(r io.Reader, format *Format) iter.Seq2[*AnnotatedRecord, error] {
	return func(yield func(*AnnotatedRecord, error) bool) {
		in := readText(bufio.NewReaderSize(r, headSize))
		if format == nil {
			head, err := in.Peek(headSize)
			if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
				yield(nil, err)
				return
			}
			if format = Detect(head); format == nil {
				err := ErrUnknown
				if len(trim(head)) == 0 {
					err = errors.New("holds no game")
				}
				yield(nil, err)
				return
			}
		}
		games := 0
		for g, err := range func(yield func(*AnnotatedRecord, error) bool) { format.read(in, yield) } {
			if err != nil {
				yield(nil, err)
				return
			}
			if games++; !yield(g, nil) {
				return
			}
		}
		if games == 0 {
			yield(nil, fmt.Errorf("holds no game in the format %s", format.Name))
		}
	}
}

// line is a line of a text file, without its line ending, and its number, counted from 1.
type line struct {
	number int
	text   []byte
}

// wrong adds the number of the line to an error.
func (l *line) wrong(err error) error { return fmt.Errorf("line %d: %w", l.number, err) }

// scan yields the lines of a text file, of at most limit bytes each. An error ends the sequence.
func scan(r *bufio.Reader, limit int) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, limit)
		lines.Split(splitLines)
		number := 1
		for ; lines.Scan(); number++ {
			if !yield(line{number, lines.Bytes()}, nil) {
				return
			}
		}
		switch err := lines.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			yield(line{}, fmt.Errorf("line %d has more than %d bytes", number, limit))
		case err != nil:
			yield(line{}, fmt.Errorf("line %d: %w", number, err))
		}
	}
}

// perLine returns a reader for a format with one game per line. It skips empty lines.
func perLine(parse func(line []byte) (*AnnotatedRecord, error)) reader {
	return func(r *bufio.Reader, yield func(*AnnotatedRecord, error) bool) {
		for l, err := range scan(r, MaxLine) {
			var g *AnnotatedRecord
			if err == nil {
				if len(trim(l.text)) == 0 {
					continue
				}
				if g, err = parse(l.text); err != nil {
					g, err = nil, l.wrong(err)
				}
			}
			if !yield(g, err) || err != nil {
				return
			}
		}
	}
}

// one returns a reader for a format with one game per file.
func one(read func(*bufio.Reader) (*AnnotatedRecord, error)) reader {
	return func(r *bufio.Reader, yield func(*AnnotatedRecord, error) bool) { yield(read(r)) }
}

// whole returns a reader for a format with one game per file, and files of at most limit bytes.
func whole(limit int, parse func(data []byte) (*AnnotatedRecord, error)) reader {
	return one(func(r *bufio.Reader) (*AnnotatedRecord, error) {
		data, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
		if err == nil && len(data) > limit {
			err = fmt.Errorf("the data exceed %d bytes", limit)
		}
		if err != nil {
			return nil, err
		}
		return parse(data)
	})
}

func looksRecord(head []byte) bool {
	head = trim(head)
	line, _, _ := bytes.Cut(head, []byte("\n"))
	return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(line, []byte(`"afterstate_record"`))
}

func readRecord(line []byte) (*AnnotatedRecord, error) {
	r, err := record.Parse(line)
	if err != nil {
		var saved struct {
			Record json.RawMessage `json:"record"`
		}
		if json.Unmarshal(line, &saved) != nil || len(saved.Record) == 0 {
			return nil, err
		}
		if r, err = record.Parse(saved.Record); err != nil {
			return nil, err
		}
	}
	if len(r.Moves) > MaxMoves {
		return nil, fmt.Errorf("more than %d moves", MaxMoves)
	}
	g := &AnnotatedRecord{Record: r}
	_, err = r.Replay()
	return g, err
}

func readState(data []byte) (*AnnotatedRecord, error) {
	start, score, err := board.ParseScored(string(data))
	if err != nil {
		return nil, err
	}
	b := fromBoard(start)
	if score != nil {
		if *score < 0 || *score > maxScore {
			return nil, fmt.Errorf("score is %d: must be from 0 to %d", *score, int64(maxScore))
		}
		b.g.StartScore = *score
	}
	return b.end()
}

type stateCell struct {
	Position struct {
		X int `json:"x"`
		Y int `json:"y"`
	} `json:"position"`
	Value int64 `json:"value"`
}

func looksState(head []byte) bool {
	return bytes.Contains(head, []byte("grid")) && bytes.Contains(head, []byte("cells")) && bytes.ContainsRune(head[:min(len(head), 64)], '{')
}

func writeState(g *AnnotatedRecord) ([]byte, error) {
	var state struct {
		Grid struct {
			Size  int            `json:"size"`
			Cells [][]*stateCell `json:"cells"`
		} `json:"grid"`
		Score       int64 `json:"score"`
		Over        bool  `json:"over"`
		Won         bool  `json:"won"`
		KeepPlaying bool  `json:"keepPlaying"`
	}
	b := g.Board
	state.Grid.Size = b.Size().Cols
	for x := range b.Size().Cols {
		column := make([]*stateCell, b.Size().Rows)
		for y := range column {
			if e := b.At(y, x); e > 0 {
				column[y] = &stateCell{Value: board.Tile(e)}
				column[y].Position.X, column[y].Position.Y = x, y
			}
		}
		state.Grid.Cells = append(state.Grid.Cells, column)
	}
	state.Score, state.Over, state.Won = g.StartScore+g.Score, b.Terminal(), b.Largest() >= 11
	state.KeepPlaying = state.Won
	out, err := json.Marshal(&state)
	return append(out, '\n'), err
}

// trim removes white space around text.
func trim(text []byte) []byte { return bytes.Trim(text, " \t\r\n") }
