package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"afterstate/board"
	"afterstate/internal/console"
	"afterstate/player"
	"afterstate/player/catalog"
)

// caps is what specs typed on the command line may do.
var caps = catalog.Capabilities{ReadFile: readSpecFile, Networks: &networks, Exec: true, Own: true}

func flagNames(cmd *cobra.Command) (names []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return names
}

// sizeFlag is a board size.
type sizeFlag struct{ board.Size }

func newSizeFlag() sizeFlag { return sizeFlag{board.Size{Rows: 4, Cols: 4}} }

func (s *sizeFlag) Set(text string) (err error) {
	s.Size, err = board.ParseSize(text)
	return err
}

func (s *sizeFlag) Type() string { return "RxC" }

// tileFlag is a tile's value; 0 is none.
type tileFlag int64

func (t *tileFlag) Set(text string) error {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v < 2 || v > 1<<board.MaxExponent || v&(v-1) != 0 {
		return fmt.Errorf("%q is no tile: want a power of two from 2 to 2^48 such as 2048", text)
	}
	*t = tileFlag(v)
	return nil
}

func (t *tileFlag) String() string {
	if *t == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*t), 10)
}

func (t *tileFlag) Type() string { return "TILE" }

// tileOrZeroFlag is one that may be given as 0.
type tileOrZeroFlag struct{ tileFlag }

func (t *tileOrZeroFlag) Set(text string) error {
	if text == "0" {
		t.tileFlag = 0
		return nil
	}
	return t.tileFlag.Set(text)
}

// seedFlag is a seed, a number from 0 to 2^64-1.
type seedFlag struct {
	value uint64
	given bool
}

func (s *seedFlag) Set(text string) error {
	v, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return fmt.Errorf("%q is no seed: want a whole number from 0 to 18446744073709551615", text)
	}
	s.value, s.given = v, true
	return nil
}

func (s *seedFlag) String() string {
	if !s.given {
		return ""
	}
	return strconv.FormatUint(s.value, 10)
}

func (s *seedFlag) Type() string { return "N" }

// gameFlag is the number of a game, or the id of one in the store.
type gameFlag struct {
	number uint64
	id     string
}

func (g *gameFlag) Set(text string) error {
	if strings.Contains(text, "/") {
		g.id = text
		return nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return fmt.Errorf("%q is no game: want a whole number, or EXPERIMENT/PLAYER/NUMBER such as first/greedy/0", text)
	}
	g.number = n
	return nil
}

func (g *gameFlag) String() string {
	if g.id != "" {
		return g.id
	}
	return strconv.FormatUint(g.number, 10)
}

func (g *gameFlag) Type() string { return "GAME" }

// spawnFlag is a spawn rule.
type spawnFlag struct{ player.SpawnRule }

func newSpawnFlag() spawnFlag {
	var s spawnFlag
	if err := s.Set("random"); err != nil {
		panic(err)
	}
	return s
}

func (s *spawnFlag) Set(text string) (err error) {
	s.SpawnRule, err = catalog.ParseSpawner(text, caps)
	return err
}

func (s *spawnFlag) String() string { return s.Spec }

func (s *spawnFlag) Type() string { return "RULE" }

const spawnHelp = "how tiles appear: random(p4=0.1), adversary or friendly"

// writeJSON writes one object on one line.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// terminalWidth is the width of a stream that is a terminal; ok is false else.
func terminalWidth(stream any) (columns int, ok bool) {
	f, isFile := fileOf(stream)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	return columns, err == nil
}

// fileOf is the file that a command's stream is, if it is one.
func fileOf(stream any) (f *os.File, ok bool) {
	if w, isWriter := stream.(io.Writer); isWriter {
		stream = console.Raw(w)
	}
	f, ok = stream.(*os.File)
	return f, ok
}

// placesText reports whether a stream is a terminal that moves its cursor as it is told: a
// dumb one, or one that nobody names, gets lines.
func placesText(stream any) bool {
	_, terminal := terminalWidth(stream)
	name := os.Getenv("TERM")
	return terminal && name != "dumb" && (name != "" || runtime.GOOS == "windows")
}
