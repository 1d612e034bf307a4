package board

import (
	"fmt"
	"strings"
)

// Direction is where a slide pushes the tiles.
type Direction uint8

// The four directions, numbered as everywhere in Afterstate.
const (
	Up Direction = iota
	Right
	Down
	Left
)

// Directions lists the four directions in their order.
var Directions = [4]Direction{Up, Right, Down, Left}

var directionNames = [4]string{"up", "right", "down", "left"}

// String is the direction's lower-case name.
func (d Direction) String() string {
	if int(d) < len(directionNames) {
		return directionNames[d]
	}
	return fmt.Sprintf("Direction(%d)", uint8(d))
}

// ParseDirection reads a direction's name, in any case.
func ParseDirection(s string) (Direction, error) {
	for i, name := range directionNames {
		if strings.EqualFold(s, name) {
			return Direction(i), nil
		}
	}
	return 0, fmt.Errorf("direction %q: want up, right, down or left", s)
}

// MarshalText writes the direction's name; it makes directions JSON strings and map keys.
func (d Direction) MarshalText() ([]byte, error) {
	if int(d) >= len(directionNames) {
		return nil, fmt.Errorf("direction %d does not exist", uint8(d))
	}
	return []byte(d.String()), nil
}

// UnmarshalText is the reverse of MarshalText.
func (d *Direction) UnmarshalText(text []byte) error {
	parsed, err := ParseDirection(string(text))
	if err == nil {
		*d = parsed
	}
	return err
}
