package report

import (
	"fmt"
	"io"
	"strconv"

	"afterstate/arena"
	"afterstate/board"
)

// Comparison writes a comparison of two named players as text.
func Comparison(w io.Writer, c *arena.Comparison) error {
	t := &textReport{width: 80}
	games := "1 game"
	if c.Games != 1 {
		games = fmt.Sprintf("%d games", c.Games)
	}
	t.printf("A  %s\nB  %s\n%s of the same seed\n\n", c.A, c.B, games)
	t.printf("score of A - B  %s, %s\n", plusMinus(c.Difference, c.CI, true), c.Verdict())
	t.printf("A has more      in %s of the games; B in %s\n\n",
		shareWords(float64(c.Higher)/float64(c.Games), c.WonCI), percent(float64(c.Lower)/float64(c.Games)))
	rows := [][]string{{"tile", "A reaches", "B reaches", "A - B"}}
	for _, r := range c.Reach {
		rows = append(rows, []string{
			strconv.FormatInt(board.Tile(r.Exponent), 10), percent(r.Share), percent(r.Other),
			fmt.Sprintf("%+5.1f %%  [%+.1f, %+.1f]", 100*r.Difference, 100*r.CI.Low, 100*r.CI.High),
		})
	}
	t.table(rows)
	t.printf("all with 95 %% intervals\n")
	_, err := io.WriteString(w, t.out.String())
	return err
}
