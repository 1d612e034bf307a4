package drive

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/rules/board"
)

// View is what a page shows.
type View struct {
	Board board.Board
	Score int64 // of the page; negative: not known
	Won   bool  // a win stops the game until KeepPlaying
	Over  bool  // the page says that the game is over
	// Inputs counts the keys, clicks and touches that the page got, those of Press too. It begins anew when
	// the page is loaded again.
	Inputs int64

	key string // identifies it for the reader
}

// answer is what the reading script returns.
type answer struct {
	Origin  string    `json:"origin"`
	Rows    int       `json:"rows"`
	Cols    int       `json:"cols"`
	Cells   []float64 `json:"cells"` // null, which JSON has for numbers such as NaN, is 0
	Saved   []float64 `json:"saved"` // the saved game; nil if the page has none
	Score   *int64    `json:"score"`
	Won     bool      `json:"won"`
	Over    bool      `json:"over"`
	Inputs  int64     `json:"inputs"`
	Agreed  bool      `json:"agreed"` // Saved are Cells
	Settled bool      `json:"settled"`
	Key     string    `json:"key"`
	Error   string    `json:"error"`
}

// parseAnswer reads the text that the script returned. A page may have made it up.
func parseAnswer(text string) (a answer, err error) {
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return a, fmt.Errorf("the page's answer cannot be read: %w", err)
	}
	return a, nil
}

// view returns the view of an answer, after checking its numbers. sized says that rows and columns are
// of the description or the page; otherwise they follow from the number of cells.
func (a *answer) view(sized bool) (View, error) {
	size := board.Size{Rows: a.Rows, Cols: a.Cols}
	if !sized {
		for size = (board.Size{Rows: board.MinSide, Cols: board.MinSide}); size.Cells() < len(a.Cells) && size.Rows <= board.MaxSide; {
			size.Rows, size.Cols = size.Rows+1, size.Cols+1
		}
	}
	if !size.Valid() || size.Cells() != len(a.Cells) {
		return View{}, fmt.Errorf("the page has a board of %d numbers: want %dx%d to %dx%d; boards that are not square need rows and cols in --page",
			len(a.Cells), board.MinSide, board.MinSide, board.MaxSide, board.MaxSide)
	}
	b, err := boardOf(size, a.Cells)
	if err != nil {
		return View{}, err
	}
	v := View{Board: b, Score: -1, Won: a.Won, Over: a.Over, Inputs: a.Inputs, key: a.Key}
	if a.Score != nil {
		v.Score = *a.Score
	}
	return v, nil
}

// boardOf returns the board with these tiles.
func boardOf(size board.Size, cells []float64) (board.Board, error) {
	b := board.New(size)
	for i, x := range cells {
		tile := int64(x)
		if float64(tile) != x || !board.IsTile(tile) {
			return board.Board{}, fmt.Errorf("the page has a tile %v in row %d, column %d: want 0 or a power of two from 2 to 2^%d", x, i/size.Cols+1, i%size.Cols+1, board.MaxExponent)
		}
		if tile > 0 {
			b.Set(i, uint8(bits.TrailingZeros64(uint64(tile))))
		}
	}
	return b, nil
}

// disagreement returns why a shown board and the saved game differ.
func (a *answer) disagreement() error {
	return fmt.Errorf("the page shows %s, and its saved game is %s; is the game open in another tab?", numbers(a.Cells, a.Cols), numbers(a.Saved, a.Cols))
}

// numbers writes tiles that may be no board.
func numbers(cells []float64, cols int) string {
	var words []string
	for _, c := range cells[:min(len(cells), board.MaxSide*board.MaxSide)] {
		words = append(words, fmt.Sprint(c))
	}
	var rows []string
	for row := range slices.Chunk(words, max(1, cols)) {
		rows = append(rows, strings.Join(row, ","))
	}
	return strings.Join(rows, "/")
}
