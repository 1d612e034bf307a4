package report

import (
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

// Into is a document in which what stands between each marker and its end is made
// anew: the named part (see Parts) of the named experiment, which find finds.
func Into(document string, find func(experiment string) (*Dossier, error)) (string, error) {
	var out strings.Builder
	open := 0 // the line of the marker whose end is to come
	found := map[string]*Dossier{}
	number := 0
	for line := range strings.Lines(document) {
		number++
		m := marker.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			if open == 0 {
				out.WriteString(line)
			}
			continue
		}
		if m[1] == "end" {
			if open == 0 {
				return "", fmt.Errorf("line %d: an end without a beginning", number)
			}
			open = 0
			out.WriteString(line)
			continue
		}
		if open > 0 {
			return "", fmt.Errorf("line %d: %s is missing before it, for the marker of line %d", number, endMarker, open)
		}
		text, err := made(m[1], found, find)
		if err != nil {
			return "", fmt.Errorf("line %d: %w", number, err)
		}
		open = number
		out.WriteString(line + text)
	}
	if open > 0 {
		return "", fmt.Errorf("line %d: %s is missing behind it", open, endMarker)
	}
	return out.String(), nil
}

// made is what belongs behind a marker.
func made(words string, found map[string]*Dossier, find func(string) (*Dossier, error)) (string, error) {
	name, part, ok := strings.Cut(words, " ")
	if !ok || !slices.Contains(Parts, part) {
		return "", fmt.Errorf("%q: want an experiment and one of %s", words, strings.Join(Parts, ", "))
	}
	d := found[name]
	if d == nil {
		var err error
		if d, err = find(name); err != nil {
			return "", err
		}
		found[name] = d
	}
	return d.part(part)
}
