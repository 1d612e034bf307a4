// Package table holds a table and writes it as aligned text, Markdown, HTML, CSV or LaTeX.
//
//	t := table.New(table.Name("player"), table.Number("mean score"))
//	t.Add("champion", "512,268 ± 11,000")
//	text := t.Text(80)
package table

import (
	"encoding/csv"
	"html"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/afterstate2048/afterstate/internal/each"
)

// Column is the title of a column and the format of its cells. Number, Words, Name and Named create
// columns.
type Column struct {
	Title string
	kind  kind
	named bool // the title is a name, which Markdown and LaTeX show as code
}

type kind int

const (
	number kind = iota
	words
	name
)

// Number returns a right-aligned column.
func Number(title string) Column { return Column{title, number, false} }

// Numbers returns right-aligned columns.
func Numbers(titles ...string) []Column { return each.Of(titles, Number) }

// Words returns a left-aligned column.
func Words(title string) Column { return Column{title, words, false} }

// Name returns a left-aligned column of player specs and program names. Markdown and LaTeX show
// them as code.
func Name(title string) Column { return Column{title, name, false} }

// Named returns a right-aligned column whose title is a name, such as the spec of a player.
func Named(title string) Column { return Column{title, number, true} }

// Row holds the cells of a row, in the order of the columns.
type Row struct {
	Cells []string
	Class string // HTML class of the row
	Mark  string // HTML before the text of the first cell; it is not escaped
}

// Table holds the columns and the rows. Each row has a cell for each column.
type Table struct {
	Columns []Column
	Rows    []Row
}

// New returns a table without rows.
func New(columns ...Column) *Table { return &Table{Columns: columns} }

// Add adds a row.
func (t *Table) Add(cells ...string) *Row {
	t.Rows = append(t.Rows, Row{Cells: cells})
	return &t.Rows[len(t.Rows)-1]
}

func (t *Table) titles() []string {
	return each.Of(t.Columns, func(c Column) string { return c.Title })
}

// Text returns the table for a terminal of this many columns, without a title row if all titles are
// empty. If the table is wider than the terminal, names in the first column that are too long get a
// separate line.
func (t *Table) Text(width int) string {
	rows := [][]string{t.titles()}
	if strings.Join(rows[0], "") == "" {
		rows = nil
	}
	rows = append(rows, each.Of(t.Rows, func(r Row) []string { return r.Cells })...)
	widths := make([]int, len(t.Columns))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	rest := 0
	for _, w := range widths[1:] {
		rest += 2 + w
	}
	first := max(min(widths[0], width-rest), utf8.RuneCountInString(t.Columns[0].Title))
	var out strings.Builder
	for _, row := range rows {
		label := row[0]
		if utf8.RuneCountInString(label) > first {
			out.WriteString(label + "\n")
			label = ""
		}
		line := t.pad(0, label, first)
		for i, cell := range row[1:] {
			line += "  " + t.pad(i+1, cell, widths[i+1])
		}
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return out.String()
}

// Write writes the table as text of unlimited width.
func (t *Table) Write(w io.Writer) error {
	_, err := io.WriteString(w, t.Text(math.MaxInt))
	return err
}

// pad aligns a cell of column i to a width with spaces.
func (t *Table) pad(i int, cell string, width int) string {
	spaces := strings.Repeat(" ", max(0, width-utf8.RuneCountInString(cell)))
	if t.Columns[i].kind == number {
		return spaces + cell
	}
	return cell + spaces
}

// Markdown returns the table in GitHub Flavored Markdown.
func (t *Table) Markdown() string {
	var out strings.Builder
	for _, c := range t.Columns {
		title := c.Title
		if c.named {
			title = Code(title)
		}
		out.WriteString("| " + title + " ")
	}
	out.WriteString("|\n|" + strings.Repeat("---|", len(t.Columns)) + "\n")
	for _, r := range t.Rows {
		for i, cell := range r.Cells {
			if t.Columns[i].kind == name {
				cell = Code(cell)
			}
			out.WriteString("| " + cell + " ")
		}
		out.WriteString("|\n")
	}
	return out.String()
}

// Code returns a name as code in Markdown, also valid in a table.
func Code(text string) string {
	fence := "`"
	if strings.Contains(text, fence) {
		fence = "``"
	}
	return fence + strings.ReplaceAll(text, "|", `\|`) + fence
}

// HTML returns the table as a table element.
func (t *Table) HTML() string {
	var out strings.Builder
	out.WriteString("<table>\n<thead><tr>")
	for _, title := range t.titles() {
		out.WriteString("<th>" + html.EscapeString(title) + "</th>")
	}
	out.WriteString("</tr></thead>\n<tbody>")
	for _, r := range t.Rows {
		class := ""
		if r.Class != "" {
			class = ` class="` + html.EscapeString(r.Class) + `"`
		}
		out.WriteString("\n<tr" + class + ">")
		for i, cell := range r.Cells {
			text := html.EscapeString(cell)
			if i == 0 && r.Mark != "" {
				text = `<span class="who">` + r.Mark + text + "</span>"
			}
			out.WriteString("<td>" + text + "</td>")
		}
		out.WriteString("</tr>")
	}
	out.WriteString("\n</tbody></table>")
	return out.String()
}

// CSV writes the titles and the rows. No spreadsheet runs a title or a word as a formula; see
// [Inert].
func (t *Table) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write(each.Of(t.titles(), Inert)) // Flush keeps the error
	for _, r := range t.Rows {
		cells := slices.Clone(r.Cells)
		for i := range cells {
			if t.Columns[i].kind != number {
				cells[i] = Inert(cells[i])
			}
		}
		_ = out.Write(cells)
	}
	out.Flush()
	return out.Error()
}

// LaTeX returns the table as a tabular environment with the rules of package booktabs.
func (t *Table) LaTeX() string {
	var out strings.Builder
	out.WriteString(`\begin{tabular}{`)
	for _, c := range t.Columns {
		if c.kind == number {
			out.WriteString("r")
		} else {
			out.WriteString("l")
		}
	}
	out.WriteString("}\n\\toprule\n")
	line := func(cells []string, code bool) {
		for i, cell := range cells {
			cell = escapeLaTeX(cell)
			if code && t.Columns[i].kind == name || !code && t.Columns[i].named {
				cell = `\texttt{` + cell + "}"
			}
			if i > 0 {
				out.WriteString(" & ")
			}
			out.WriteString(cell)
		}
		out.WriteString(" \\\\\n")
	}
	line(t.titles(), false)
	out.WriteString("\\midrule\n")
	for _, r := range t.Rows {
		line(r.Cells, true)
	}
	out.WriteString("\\bottomrule\n\\end{tabular}\n")
	return out.String()
}

var latex = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "%", `\%`, "_", `\_`,
	"^", `\textasciicircum{}`, "~", `\textasciitilde{}`, "±", `$\pm$`, "≥", `$\ge$`, "·", `$\cdot$`, "\n", " ")

func escapeLaTeX(text string) string { return latex.Replace(text) }
