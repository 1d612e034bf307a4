package board

import (
	"fmt"
	"strings"
)

// Direction is the direction in which a slide moves the tiles.
type Direction uint8

// The four directions, numbered as everywhere in Afterstate.
const (
	// The directions are numbered up, right, down, left = 0 to 3.
	Up Direction = iota
	Right
	Down
	Left
)

// Directions lists the four directions in order.
var Directions = [4]Direction{Up, Right, Down, Left}

var directionNames = [4]string{"up", "right", "down", "left"}

// String returns the lower-case name.
func (d Direction) String() string {
	if int(d) < len(directionNames) {
		return directionNames[d]
	}
	return fmt.Sprintf("Direction(%d)", uint8(d))
}

// ParseDirection parses a direction's name, ignoring case.
func ParseDirection(s string) (Direction, error) {
	for i, name := range directionNames {
		if strings.EqualFold(s, name) {
			return Direction(i), nil
		}
	}
	return 0, fmt.Errorf("direction %q: want up, right, down or left", s)
}

// MarshalText returns the name, so that directions are strings and object keys in JSON.
func (d Direction) MarshalText() ([]byte, error) {
	if int(d) >= len(directionNames) {
		return nil, fmt.Errorf("direction %d does not exist", uint8(d))
	}
	return []byte(d.String()), nil
}

// UnmarshalText parses a name.
func (d *Direction) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDirection(string(text))
	return err
}
