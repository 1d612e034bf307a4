// Package qrcode makes QR codes and draws them on terminals.
//
//	lines, width, err := qrcode.Draw("http://192.168.1.20:2048/")
//
// A character shows two modules, one above the other, as half blocks. Scanners expect dark modules
// on a light background, but the colours of terminals vary. So Draw sets the colours: black on
// white, with a white margin.
package qrcode

import (
	"fmt"
	"slices"
	"strings"

	"rsc.io/qr"
)

const (
	// margin is the number of white modules that the standard requires around the code.
	margin = 4
	// The 256-colour table fixes black 16 and white 231; themes change the first 16 colours only.
	colours = "\x1b[38;5;16;48;5;231m"
	reset   = "\x1b[0m"
)

// Rows returns the QR code of a text: a string for each row, with 1 for a black module and 0 for a
// white one. It fails if the text is too long for a code.
func Rows(text string) ([]string, error) {
	code, err := qr.Encode(text, qr.L) // low error correction makes a small code; a screen has no scratches
	if err != nil {
		return nil, fmt.Errorf("QR code of %d bytes: %w", len(text), err)
	}
	rows := make([]string, code.Size)
	for y := range rows {
		row := make([]byte, code.Size)
		for x := range row {
			row[x] = '0'
			if code.Black(x, y) {
				row[x] = '1'
			}
		}
		rows[y] = string(row)
	}
	return rows, nil
}

// Draw returns the QR code of a text as lines for a terminal, and their width in columns. It fails
// if the text is too long for a code.
func Draw(text string) (lines []string, width int, err error) {
	rows, err := Rows(text)
	if err != nil {
		return nil, 0, err
	}
	width = len(rows) + 2*margin
	for i, row := range rows {
		rows[i] = strings.Repeat("0", margin) + row + strings.Repeat("0", margin)
	}
	blank := slices.Repeat([]string{strings.Repeat("0", width)}, margin)
	rows = slices.Concat(blank, rows, blank, blank[:1]) // one more, since the number of rows must be even
	for y := 0; y < width; y += 2 {
		line := colours
		for x := range width {
			line += blocks[rows[y][x:x+1]+rows[y+1][x:x+1]]
		}
		lines = append(lines, line+reset)
	}
	return lines, width, nil
}

// blocks maps two modules, the upper one first, to a character that draws the black ones in the
// foreground colour.
var blocks = map[string]string{"00": " ", "01": "▄", "10": "▀", "11": "█"}
