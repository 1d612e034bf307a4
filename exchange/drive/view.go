package drive

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/rules/board"
)

// View is what a page shows.
type View struct {
	Board board.Board
	Score int64 // score on the page; negative if not known
	Won   bool  // a win stops the game until KeepPlaying is called
	Over  bool  // the page says that the game is over

	key string // identifies the view; the reading script waits until the key changes
}

// answer is what the reading script returns.
type answer struct {
	Origin  string    `json:"origin"`
	Rows    int       `json:"rows"`
	Cols    int       `json:"cols"`
	Cells   []float64 `json:"cells"` // -1 for a tile whose value is not finite
	Saved   []float64 `json:"saved"` // the saved game; nil if the page has none
	Score   *int64    `json:"score"`
	Won     bool      `json:"won"`
	Over    bool      `json:"over"`
	Agreed  bool      `json:"agreed"` // Saved equals Cells
	Begun   bool      `json:"begun"`  // the page had time to draw its board, or is hidden
	Settled bool      `json:"settled"`
	Key     string    `json:"key"`
	Error   string    `json:"error"`
}

// maxAnswer is the maximum size of an answer in bytes. An answer with a 6x6 board takes less than
// 1,000 bytes.
const maxAnswer = 64 << 10

// parseAnswer parses the text that the script returned. The text is untrusted: the page may have forged it.
func parseAnswer(text string) (a answer, err error) {
	if len(text) > maxAnswer {
		return a, fmt.Errorf("the page's answer has %d bytes: must be at most %d", len(text), maxAnswer)
	}
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return a, fmt.Errorf("the page's answer cannot be read: %w", err)
	}
	return a, nil
}

// view checks the numbers of an answer and returns its view.
func (a *answer) view() (View, error) {
	size := board.Size{Rows: a.Rows, Cols: a.Cols}
	if !size.Valid() || size.Cells() != len(a.Cells) {
		return View{}, fmt.Errorf("the page has a board of %dx%d with %d cells: must be %dx%d to %dx%d",
			a.Rows, a.Cols, len(a.Cells), board.MinSide, board.MinSide, board.MaxSide, board.MaxSide)
	}
	b := board.New(size)
	for i, x := range a.Cells {
		tile := int64(x)
		if float64(tile) != x || !board.IsTile(tile) {
			return View{}, fmt.Errorf("the page has a tile %v in row %d, column %d: must be 0 or a power of two from 2 to 2^%d", x, i/size.Cols+1, i%size.Cols+1, board.MaxExponent)
		}
		if tile > 0 {
			b.Set(i, uint8(bits.TrailingZeros64(uint64(tile))))
		}
	}
	v := View{Board: b, Score: -1, Won: a.Won, Over: a.Over, key: a.Key}
	if a.Score != nil {
		v.Score = *a.Score
	}
	return v, nil
}

// disagreement returns an error that shows the board of the page and its saved game, which differ.
func (a *answer) disagreement() error {
	return fmt.Errorf("the page shows %s, and its saved game is %s; is the game open in another tab?", numbers(a.Cells, a.Cols), numbers(a.Saved, a.Cols))
}

// numbers formats the cells of a board, which may be invalid.
func numbers(cells []float64, cols int) string {
	words := each.Of(cells[:min(len(cells), board.MaxSide*board.MaxSide)], func(c float64) string { return fmt.Sprint(c) })
	var rows []string
	for row := range slices.Chunk(words, max(1, cols)) {
		rows = append(rows, strings.Join(row, ","))
	}
	return strings.Join(rows, "/")
}
