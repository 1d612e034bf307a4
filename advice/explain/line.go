package explain

import (
	"context"
	"slices"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// lineLength is the maximal number of moves of the expected line.
const lineLength = 6

// line follows the player's best moves. If the spawns to come are known it uses those. Otherwise
// each spawn is a 2, the more probable tile, on the cell whose value for the player's fast variant
// is the median.
func (x *explainer) line(ctx context.Context, p *player.Driver, move board.Direction) (line []Step) {
	at := x.query.Position
	future, known := x.future()
	for range lineLength {
		after, reward, moved := at.Board.Slide(move)
		if !moved {
			break
		}
		at = eval.Position{Board: after, Score: at.Score + reward}
		if known {
			future.Place(&at.Board, future.Draw())
		} else if !medianTile(ctx, x.quickly, &at) {
			break
		}
		line = append(line, Step{move, at.Board})
		if known {
			player.See(p.Player, search.Future{Random: future, OK: true})
		}
		d, err := p.Decide(ctx, search.Query{Position: at})
		if err != nil || ctx.Err() != nil || !d.OK {
			break
		}
		move = d.Move
	}
	return line
}

// future returns the real spawns to come, for a player that knows them.
func (x *explainer) future() (game.Random, bool) {
	if x.Oracle == nil || !x.maker.Foresees {
		return game.Random{}, false
	}
	return x.Oracle.Foresee()
}

// medianTile places a 2 on an afterstate. It returns false if time ran out.
func medianTile(ctx context.Context, p *player.Driver, at *eval.Position) bool {
	type place struct {
		cell  int
		value float64
	}
	var places []place
	for i := range at.Board.Size().Cells() {
		if at.Board.Cell(i) != 0 {
			continue
		}
		with := *at
		with.Board.Set(i, 1)
		d, err := p.Decide(ctx, search.Query{Position: with})
		if err != nil || ctx.Err() != nil {
			return false
		}
		value := 0.0
		if d.OK {
			value = d.Best()
		}
		places = append(places, place{i, value})
	}
	slices.SortStableFunc(places, func(a, b place) int {
		switch {
		case a.value < b.value:
			return -1
		case a.value > b.value:
			return 1
		}
		return 0
	})
	at.Board.Set(places[len(places)/2].cell, 1)
	return true
}
