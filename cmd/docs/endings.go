package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// solvedEnding is a row of the table of endings in docs/solved.md.
type solvedEnding struct {
	layouts    []string // such as "####/##.."
	cells      string   // number of free cells
	goal, rule string
	mean, best float64 // chances to make the goal, on average and from the best start
}

// rows returns the cells of the table between the marks <!-- name --> and <!-- name: end --> on a page, without
// the header. Every line must have the given number of columns.
func rows(page []byte, name string, columns int) (all [][]string, err error) {
	_, rest, ok := strings.Cut(string(page), "<!-- "+name+" -->\n")
	table, _, closed := strings.Cut(rest, "<!-- "+name+": end -->")
	if !ok || !closed {
		return nil, fmt.Errorf("the page has no table of %s", name)
	}
	for _, line := range strings.Split(strings.TrimSpace(table), "\n")[2:] {
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if len(cells) != columns {
			return nil, fmt.Errorf("%q: %d columns, must be %d", line, len(cells), columns)
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		all = append(all, cells)
	}
	return all, nil
}

// readEndings returns the rows of the table of endings in docs/solved.md.
func readEndings(page []byte) (all []solvedEnding, err error) {
	table, err := rows(page, "endings", 9)
	for _, cells := range table {
		e := solvedEnding{layouts: strings.Split(strings.ReplaceAll(cells[0], "`", ""), " and "), cells: cells[1], goal: cells[2], rule: cells[3]}
		var wrong [2]error
		e.mean, wrong[0] = strconv.ParseFloat(cells[5], 64)
		e.best, wrong[1] = strconv.ParseFloat(cells[6], 64)
		err = errors.Join(err, wrong[0], wrong[1])
		all = append(all, e)
	}
	return all, err
}

// endingsPicture draws the boards of the endings in the order of the table, with dark walls, and below each a
// bar for the mean chance. The result is SVG.
func endingsPicture(page []byte) ([]byte, error) {
	all, err := readEndings(page)
	if err != nil {
		return nil, err
	}
	const columns, width, height, cell = 4, 205, 160, 18
	var w strings.Builder
	rows := (len(all) + columns - 1) / columns
	fmt.Fprintf(&w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13" fill="#333">`+"\n", columns*width+10, rows*height+14)
	fmt.Fprintf(&w, `<rect width="100%%" height="100%%" fill="#ffffff"/>`+"\n")
	for i, e := range all {
		x, y := 14+i%columns*width, 14+i/columns*height
		for j, layout := range e.layouts {
			left := x + j*(4*cell+14)
			for c := range 16 {
				colour := "#e6ded3"
				if row := strings.Split(layout+"/..../....", "/")[c/4]; row[c%4] == '#' {
					colour = "#5b4a3a"
				}
				fmt.Fprintf(&w, `<rect x="%d" y="%d" width="%d" height="%d" rx="3" fill="%s"/>`, left+c%4*cell, y+c/4*cell, cell-2, cell-2, colour)
			}
			w.WriteString("\n")
		}
		under := y + 4*cell
		fmt.Fprintf(&w, `<text x="%d" y="%d">%s cells, to a %s, %s</text>`, x, under+15, e.cells, e.goal, e.rule)
		fmt.Fprintf(&w, `<rect x="%d" y="%d" width="%d" height="6" fill="#eee"/><rect x="%d" y="%d" width="%.1f" height="6" fill="#c04a2f"/>`, x, under+23, width-40, x, under+23, e.mean*(width-40))
		fmt.Fprintf(&w, `<text x="%d" y="%d"><tspan font-weight="bold">%.1f %%</tspan>, best start %.1f %%</text>`+"\n", x, under+46, 100*e.mean, 100*e.best)
	}
	w.WriteString("</svg>\n")
	return []byte(w.String()), nil
}
