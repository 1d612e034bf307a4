package picture

import (
	"context"
	"errors"
	"io"

	"github.com/afterstate2048/afterstate/rules/board"
)

// Reading is a board that was read, and what is doubtful about it.
type Reading struct {
	Board board.Board
	// Cells is true for each cell, row by row, whose value is not certain.
	Cells []bool
	// Grid says why the grid itself may be another one than that on the picture, "" if it is
	// certain. Then every cell is doubtful.
	Grid string
	// Frame is where the cells lie.
	Frame Frame
}

// Frame is a part of a picture with all cells of a board, as shares of the picture's width and height.
type Frame struct{ Left, Top, Width, Height float64 }

// Doubtful reports whether anything is not certain.
func (r *Reading) Doubtful() bool { return len(r.Doubts()) > 0 }

// Doubts returns the numbers of the doubtful cells, row by row from 0.
func (r *Reading) Doubts() []int {
	var all []int
	for i, d := range r.Cells {
		if d {
			all = append(all, i)
		}
	}
	return all
}

// ErrNoBoard means that no board was found.
var ErrNoBoard = errors.New("no board is found in the picture: want a screenshot that shows the whole board, upright")

// Read reads the board of a PNG, JPEG or WebP file. The end of ctx stops it.
func Read(ctx context.Context, r io.Reader) (Reading, error) {
	data, err := io.ReadAll(io.LimitReader(&until{ctx, r}, MaxBytes+1))
	if err != nil {
		return Reading{}, err
	}
	return Parse(ctx, data)
}

// Parse is Read for a file in memory.
func Parse(ctx context.Context, data []byte) (Reading, error) {
	m, err := decode(ctx, data)
	if err != nil {
		return Reading{}, err
	}
	return read(ctx, m)
}

// ParseIn reads a board of a size, whose cells lie in a frame of the picture. Neither is looked for.
func ParseIn(ctx context.Context, data []byte, size board.Size, f Frame) (Reading, error) {
	m, err := decode(ctx, data)
	if err != nil {
		return Reading{}, err
	}
	return readGrid(ctx, m, framed(size, f, m))
}

func read(ctx context.Context, m *raster) (Reading, error) {
	g, ok := findGrid(m)
	if !ok {
		return Reading{}, ErrNoBoard
	}
	return readGrid(ctx, m, g)
}

func readGrid(ctx context.Context, m *raster, g *grid) (Reading, error) {
	if err := ctx.Err(); err != nil {
		return Reading{}, err
	}
	var tiles []tile
	for row := range g.board().Rows {
		for col := range g.board().Cols {
			tiles = append(tiles, readTile(m, g.cell(row, col)))
		}
	}
	r := judge(g, tiles)
	r.Frame = g.frame(m)
	return r, nil
}
