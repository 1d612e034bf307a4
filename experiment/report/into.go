package report

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A document that keeps its own words says where tables go:
//
//	<!-- arena: first scores -->
//	| player | ...
//	<!-- arena: end -->
var (
	marker    = regexp.MustCompile(`^<!-- arena: (.*) -->\s*$`)
	endMarker = "<!-- arena: end -->"
)

// UpdateTables returns the document with the text between each marker and its end replaced by the
// named part (see Parts) of the named experiment. find returns the experiment, or nil to keep the
// table as it is.
func UpdateTables(document string, find func(experiment string) (*Document, error)) (string, error) {
	into := &tableUpdate{find: find, found: map[string]*Document{}}
	number := 0
	for line := range strings.Lines(document) {
		number++
		if err := into.line(number, line); err != nil {
			return "", fmt.Errorf("line %d: %w", number, err)
		}
	}
	if into.open > 0 {
		return "", fmt.Errorf("line %d: %s is missing behind it", into.open, endMarker)
	}
	return into.out.String(), nil
}

// tableUpdate is a document being updated.
type tableUpdate struct {
	find  func(string) (*Document, error)
	found map[string]*Document
	out   strings.Builder
	open  int  // the line of the marker whose end is to come; 0: none
	keep  bool // what is behind it stays
}

func (f *tableUpdate) line(number int, line string) error {
	m := marker.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
	switch {
	case m == nil:
		if f.open == 0 || f.keep {
			f.out.WriteString(line)
		}
		return nil
	case m[1] == "end" && f.open == 0:
		return errors.New("an end without a beginning")
	case m[1] == "end":
		f.open = 0
		f.out.WriteString(line)
		return nil
	case f.open > 0:
		return fmt.Errorf("%s is missing before it, for the marker of line %d", endMarker, f.open)
	}
	name, part, ok := strings.Cut(m[1], " ")
	if !ok || !slices.Contains(Parts, part) {
		return fmt.Errorf("%q: want an experiment and one of %s", m[1], strings.Join(Parts, ", "))
	}
	d, asked := f.found[name]
	if !asked {
		var err error
		if d, err = f.find(name); err != nil {
			return err
		}
		f.found[name] = d
	}
	f.open, f.keep = number, d == nil
	f.out.WriteString(line)
	if d == nil {
		return nil
	}
	text, err := d.part(part)
	f.out.WriteString(text)
	return err
}
