package wire

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"afterstate/board"
)

// field is a member of params or of a result.
type field struct {
	name string
	need bool
	read func(value []byte) error // its errors describe what is expected
}

const (
	required = true
	optional = false
)

// readParams reads params. Unknown names are refused: ignoring a misspelled name would answer a
// different question.
func readParams(method string, params []byte, fields ...field) error {
	if params == nil {
		params = []byte("{}")
	}
	err := readFields(params, fields, func(key []byte) error {
		names := make([]string, len(fields))
		for i, f := range fields {
			names[i] = f.name
		}
		if len(names) == 0 {
			names = append(names, "none")
		}
		return fmt.Errorf("there is no param %q: want %s", shown(key), strings.Join(names, ", "))
	})
	if err != nil {
		return Errorf(CodeInvalidParams, "%s: %v", method, err)
	}
	return nil
}

// ReadNone reads the params of a method that takes none.
func ReadNone(method string, params []byte) error { return readParams(method, params) }

// readResult reads a result, ignoring unknown members.
func readResult(method string, result []byte, fields ...field) error {
	if result[0] != '{' {
		return fmt.Errorf("the result of %s is %s: want an object", method, kind(result))
	}
	if err := readFields(result, fields, func([]byte) error { return nil }); err != nil {
		return fmt.Errorf("the result of %s: %w", method, err)
	}
	return nil
}

func readFields(object []byte, fields []field, other func(key []byte) error) error {
	var seen uint64
	err := members(object, func(key, value []byte) error {
		for i, f := range fields {
			if string(key) != f.name {
				continue
			}
			if seen&(1<<i) != 0 {
				return fmt.Errorf("%s is given twice", key)
			}
			seen |= 1 << i
			if err := f.read(value); err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
			return nil
		}
		return other(key)
	})
	for i, f := range fields {
		if err == nil && f.need && seen&(1<<i) == 0 {
			err = fmt.Errorf("%s is missing: want %s", f.name, wanted(fields))
		}
	}
	return err
}

// wanted lists the required names, then the optional ones.
func wanted(fields []field) string {
	var needed, others []string
	for _, f := range fields {
		if f.need {
			needed = append(needed, f.name)
		} else {
			others = append(others, f.name)
		}
	}
	text := strings.Join(needed, ", ")
	if len(others) > 0 {
		text += " and, if you like, " + strings.Join(others, ", ")
	}
	return text
}

func readString(into *string) func([]byte) error {
	return func(value []byte) error {
		if value[0] != '"' {
			return fmt.Errorf("%s is %s: want a string", shown(value), kind(value))
		}
		return unquote(value, into)
	}
}

func readBase64(into *[]byte) func([]byte) error {
	return func(value []byte) error {
		if value[0] != '"' {
			return fmt.Errorf("%s is %s: want a string", shown(value), kind(value))
		}
		var text string
		if err := unquote(value, &text); err != nil {
			return err
		}
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return fmt.Errorf("%s is not base64: want a file in base64, with padding", Quote(text))
		}
		*into = data
		return nil
	}
}

func readBool(into *bool) func([]byte) error {
	return func(value []byte) error {
		*into = value[0] == 't'
		if kind(value) != "a boolean" {
			return fmt.Errorf("%s is %s: want true or false", shown(value), kind(value))
		}
		return nil
	}
}

func readInt[T int | int64](into *T, low, high T) func([]byte) error {
	return func(value []byte) error {
		n, err := strconv.ParseInt(string(value), 10, 64)
		if err != nil || T(n) < low || T(n) > high {
			return fmt.Errorf("%s: want a whole number from %d to %d", shown(value), low, high)
		}
		*into = T(n)
		return nil
	}
}

// readTiles reads up to most tiles.
func readTiles(into *[]int64, most int) func([]byte) error {
	return func(value []byte) error {
		err := json.Unmarshal(value, into)
		if err != nil || value[0] != '[' || len(*into) > most {
			return fmt.Errorf("%s: want an array of up to %d tiles such as [2048,4096]", shown(value), most)
		}
		return nil
	}
}

func readSeed(into **uint64) func([]byte) error {
	return func(value []byte) error {
		n, err := strconv.ParseUint(string(value), 10, 64)
		if err != nil {
			return fmt.Errorf("%s: want a whole number from 0 to 2^64-1", shown(value))
		}
		*into = &n
		return nil
	}
}

func readNumber(into *float64, low, high float64) func([]byte) error {
	return func(value []byte) error {
		x, err := strconv.ParseFloat(string(value), 64)
		if err != nil || !(x >= low && x <= high) {
			return fmt.Errorf("%s: want a number from %g to %.0f", shown(value), low, high)
		}
		*into = x
		return nil
	}
}

// readBoard reads rows of tile values, or a string in any board notation.
func readBoard(into *board.Board) func([]byte) error {
	return func(value []byte) (err error) {
		if value[0] == '"' {
			var text string
			if err = unquote(value, &text); err == nil {
				*into, err = board.Parse(text)
			}
			return err
		}
		return into.UnmarshalJSON(value)
	}
}

func readMove(into **board.Direction) func([]byte) error {
	return func(value []byte) error {
		var text string
		if value[0] == '"' {
			if err := unquote(value, &text); err != nil {
				return err
			}
		}
		d, err := board.ParseDirection(text)
		if err != nil {
			return fmt.Errorf("%s: want \"up\", \"right\", \"down\" or \"left\"", shown(value))
		}
		*into = &d
		return nil
	}
}

func readDirections(into *[]board.Direction) func([]byte) error {
	return func(value []byte) error {
		if err := json.Unmarshal(value, into); err != nil || value[0] != '[' {
			return fmt.Errorf("%s: want an array of directions such as [\"up\",\"left\"]", shown(value))
		}
		return nil
	}
}

func readSizes(into *[]board.Size) func([]byte) error {
	return func(value []byte) error {
		if err := json.Unmarshal(value, into); err != nil || value[0] != '[' {
			return fmt.Errorf("%s: want an array of sizes such as [\"4x4\",\"5x5\"]", shown(value))
		}
		return nil
	}
}

func readSize(into *board.Size) func([]byte) error {
	return func(value []byte) error {
		var text string
		if err := readString(&text)(value); err != nil {
			return err
		}
		return into.UnmarshalText([]byte(text))
	}
}

// readID reads a request's id.
func readID(into *json.RawMessage) func([]byte) error {
	return func(value []byte) error {
		if k := kind(value); k != "a number" && k != "a string" {
			return fmt.Errorf("%s is %s: want a number or a string", shown(value), k)
		}
		*into = append((*into)[:0], value...)
		return nil
	}
}

func readChoice(into *string, choices ...string) func([]byte) error {
	return func(value []byte) error {
		err := readString(into)(value)
		if err == nil && !slices.Contains(choices, *into) {
			err = fmt.Errorf("%s: want %s", shown(value), strings.Join(choices, " or "))
		}
		return err
	}
}

// readTile reads a tile value; 0 means none.
func readTile(into *int64) func([]byte) error {
	return func(value []byte) error {
		n, err := strconv.ParseInt(string(value), 10, 64)
		if err != nil || n != 0 && (n < 2 || n > 1<<board.MaxExponent || n&(n-1) != 0) {
			return fmt.Errorf("%s is not a tile: want a power of two from 2 to 2^%d, or 0", shown(value), board.MaxExponent)
		}
		*into = n
		return nil
	}
}

// readSpeed reads a speed in moves per second; 0 means unlimited.
func readSpeed(into *float64) func([]byte) error {
	return func(value []byte) error {
		x, err := strconv.ParseFloat(string(value), 64)
		if err != nil || x != 0 && !(x >= 0.1 && x <= 1000) {
			return fmt.Errorf("%s: want a number from 0.1 to 1000, or 0 for full speed", shown(value))
		}
		*into = x
		return nil
	}
}

// readStrings reads an array of low to high strings.
func readStrings(into *[]string, low, high int) func([]byte) error {
	return func(value []byte) error {
		if err := json.Unmarshal(value, into); err != nil || len(*into) < low || len(*into) > high {
			return fmt.Errorf("%s: want an array of %d to %d strings", shown(value), low, high)
		}
		return nil
	}
}

// readInts reads an array of up to most whole numbers from low to high.
func readInts(into *[]int, most, low, high int) func([]byte) error {
	return func(v []byte) error {
		var numbers []int
		if err := json.Unmarshal(v, &numbers); err != nil || len(numbers) > most {
			return fmt.Errorf("%s: want an array of up to %d whole numbers", shown(v), most)
		}
		for _, n := range numbers {
			if n < low || n > high {
				return fmt.Errorf("%d: want whole numbers from %d to %d", n, low, high)
			}
		}
		*into = numbers
		return nil
	}
}
