// Package qrcode makes QR codes and draws them on terminals.
//
//	lines, width, err := qrcode.Draw("http://192.168.1.20:2048/")
//
// A character shows two modules, one above the other, as half blocks. The colours are set, black on
// white with a white margin, because scanners expect dark modules on a light ground and terminals
// have any colours.
package qrcode

import (
	"fmt"
	"strings"

	"rsc.io/qr"
)

const (
	// margin is the number of white modules around the code that the standard demands.
	margin = 4
	// The 256-colour table fixes black 16 and white 231; themes change the first 16 colours only.
	colours = "\x1b[38;5;16;48;5;231m"
	reset   = "\x1b[0m"
)

// Rows returns the QR code of a text: for each row a text of 0 and 1, for black. It fails if the text is too long
// for a code.
func Rows(text string) ([]string, error) {
	code, err := encode(text)
	if err != nil {
		return nil, err
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

func encode(text string) (*qr.Code, error) {
	code, err := qr.Encode(text, qr.L) // a screen has no scratches, and a small code fits more windows
	if err != nil {
		return nil, fmt.Errorf("QR code of %d bytes: %w", len(text), err)
	}
	return code, nil
}

// Draw returns a text as lines with a QR code, and their width in columns. It fails if the text is
// too long for a code.
func Draw(text string) (lines []string, width int, err error) {
	code, err := encode(text)
	if err != nil {
		return nil, 0, err
	}
	width = code.Size + 2*margin
	black := func(x, y int) bool { return code.Black(x-margin, y-margin) } // false outside the code
	for y := 0; y < width; y += 2 {
		var line strings.Builder
		line.WriteString(colours)
		for x := range width {
			line.WriteRune(block(black(x, y), black(x, y+1)))
		}
		line.WriteString(reset)
		lines = append(lines, line.String())
	}
	return lines, width, nil
}

// block returns the character of two modules, of which the foreground colour is the black ones.
func block(upper, lower bool) rune {
	switch {
	case upper && lower:
		return '█'
	case upper:
		return '▀'
	case lower:
		return '▄'
	}
	return ' '
}
