package explain

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search/solve"
)

// WriteEndings writes a line for each solved ending that has a board (catalog.Chances): the greatest chance to make its
// goal, the best move, and what the other moves lose of the chance. Chances of small boards are not written.
func WriteEndings(w io.Writer, goals []solve.Goal) error {
	for _, g := range goals {
		best, ok := solve.Best(&g.Moves)
		if g.Walls == "" || !ok {
			continue
		}
		var moves, losses []string
		for d, m := range g.Moves {
			switch name := board.Direction(d).String(); {
			case !m.Legal || math.IsNaN(m.Value):
			case m.Value == best:
				moves = append(moves, name)
			default:
				losses = append(losses, fmt.Sprintf("%s loses %s", name, numfmt.Share(best-m.Value)))
			}
		}
		text := fmt.Sprintf("exact chance of the %d (%s): %s, best move %s", g.Tile, g.Rule(), numfmt.Share(best), strings.Join(moves, " or "))
		if len(losses) > 0 {
			text += "; " + strings.Join(losses, ", ")
		}
		if _, err := fmt.Fprintln(w, text); err != nil {
			return err
		}
	}
	return nil
}
