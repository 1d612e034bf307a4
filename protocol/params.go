package protocol

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Params and results that this package reads are structs whose fields have the tag param:
//
//	param:"required,max=64"
//
// A field without the tag is not read. Its parts, separated by commas, are
//
//	required     it must be given; "answer" requires it in results alone
//	asked        it is read in params alone
//	min=, max=   limits of a number, or of each number of an array; 2^k and 2^k-1 are numbers too
//	items=       the most items of an array, or low:high
//	tile         a tile, or 0 for none
//	speed        a number from 0.1 to 1000, or 0
//	of=a|b       the accepted words
//	default=     the value without the param
//
// The JSON name is that of the tag json. Unknown params and params that are given twice are refused:
// ignoring a misspelled name would answer a different question.

// ReadParams reads the params of a method into a struct; no params are an empty object. The error is an [*Error].
func ReadParams(method string, params []byte, into any) error {
	if len(params) == 0 {
		params = []byte("{}")
	}
	fields := fieldsOf(reflect.TypeOf(into).Elem()).params
	err := read(params, fields, reflect.ValueOf(into).Elem(), func(key []byte) error {
		return fmt.Errorf("there is no param %q: must be %s", shown(key), fieldNames(fields))
	})
	if err != nil {
		return Errorf(CodeInvalidParams, "%s: %v", method, err)
	}
	return nil
}

// ReadResult reads a result into a struct. It ignores unknown members.
func ReadResult(method string, result []byte, into any) error {
	if result[0] != '{' {
		return fmt.Errorf("the result of %s is %s: must be an object", method, kind(result))
	}
	fields := fieldsOf(reflect.TypeOf(into).Elem()).answers
	if err := read(result, fields, reflect.ValueOf(into).Elem(), func([]byte) error { return nil }); err != nil {
		return fmt.Errorf("the result of %s: %w", method, err)
	}
	return nil
}

// field is a param of a struct.
type field struct {
	name     string
	index    []int
	required bool
	preset   string // the default, as JSON
	read     reader
}

// reader reads a value into a field. Its errors describe what is expected.
type reader func(into reflect.Value, value []byte) error

// plan is the fields of a struct that are read in params and in results.
type plan struct{ params, answers []field }

var plans sync.Map // *plan by struct type

func fieldsOf(t reflect.Type) *plan {
	if known, ok := plans.Load(t); ok {
		return known.(*plan)
	}
	p := new(plan)
	for _, f := range reflect.VisibleFields(t) {
		tag, ok := f.Tag.Lookup("param")
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		o := optionsOf(tag)
		read := field{name, f.Index, o.has("required"), o["default"], readerOf(f.Type, o)}
		p.params = append(p.params, read)
		if !o.has("asked") {
			read.required = read.required || o.has("answer")
			p.answers = append(p.answers, read)
		}
	}
	plans.Store(t, p)
	return p
}

func fieldNames(fields []field) string {
	return cmp.Or(strings.Join(each.Of(fields, func(f field) string { return f.name }), ", "), "none")
}

func read(object []byte, fields []field, into reflect.Value, other func(key []byte) error) error {
	var seen uint64
	err := members(object, func(key, value []byte) error {
		for i := range fields {
			f := &fields[i]
			if string(key) != f.name {
				continue
			}
			if seen&(1<<i) != 0 {
				return fmt.Errorf("%s is given twice", key)
			}
			seen |= 1 << i
			if err := f.read(into.FieldByIndex(f.index), value); err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
			return nil
		}
		return other(key)
	})
	for i := range fields {
		f := &fields[i]
		switch {
		case err != nil || seen&(1<<i) != 0:
		case f.required:
			err = fmt.Errorf("%s is missing: give %s", f.name, wanted(fields))
		case f.preset != "":
			err = f.read(into.FieldByIndex(f.index), []byte(f.preset))
		}
	}
	return err
}

// wanted lists the required names, then the optional ones.
func wanted(fields []field) string {
	var needed, others []string
	for i := range fields {
		if f := &fields[i]; f.required {
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

// tagOptions are the parts of a tag param.
type tagOptions map[string]string

func optionsOf(tag string) tagOptions {
	o := tagOptions{}
	for part := range strings.SplitSeq(tag, ",") {
		name, value, _ := strings.Cut(part, "=")
		o[name] = value
	}
	return o
}

func (o tagOptions) has(name string) bool { _, ok := o[name]; return ok }

// number returns a number of a tag, or another one if it is not there.
func (o tagOptions) number(name string, otherwise float64) float64 {
	text, ok := o[name]
	if !ok {
		return otherwise
	}
	power, isPower := strings.CutPrefix(text, "2^")
	power, less := strings.CutSuffix(power, "-1")
	x, err := strconv.ParseFloat(power, 64)
	if err != nil {
		panic(err) // unreachable: a test reads every struct
	}
	if isPower {
		x = math.Exp2(x)
	}
	if less {
		x--
	}
	return x
}

// readers are the readers of types whose tags change nothing.
var readers = map[reflect.Type]reader{
	reflect.TypeFor[board.Board](): func(into reflect.Value, value []byte) error { // rows of tile values, or any notation
		to := into.Addr().Interface().(*board.Board)
		if value[0] != '"' {
			return to.UnmarshalJSON(value)
		}
		text, err := stringOf(value)
		if err == nil {
			*to, err = board.Parse(text)
		}
		return err
	},
	reflect.TypeFor[board.Size](): func(into reflect.Value, value []byte) error {
		text, err := stringOf(value)
		if err != nil {
			return err
		}
		return into.Addr().Interface().(*board.Size).UnmarshalText([]byte(text))
	},
	reflect.TypeFor[board.Direction](): func(into reflect.Value, value []byte) error {
		text, _ := stringOf(value) // "" is no direction either
		d, err := board.ParseDirection(text)
		if err != nil {
			return fmt.Errorf("%s: must be \"up\", \"right\", \"down\" or \"left\"", shown(value))
		}
		into.SetUint(uint64(d))
		return nil
	},
	reflect.TypeFor[[]board.Direction](): arrayOf("an array of directions such as [\"up\",\"left\"]"),
	reflect.TypeFor[[]board.Size]():      arrayOf("an array of sizes such as [\"4x4\",\"5x5\"]"),
	reflect.TypeFor[[]FootageFrame]():    arrayOf("an array of frames such as [{\"from_ms\":0,\"to_ms\":400,\"board\":[[2,0],[0,4]],\"doubts\":[]}]"),
	reflect.TypeFor[[]byte](): func(into reflect.Value, value []byte) error {
		text, err := stringOf(value)
		if err != nil {
			return err
		}
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return fmt.Errorf("%s is not base64: must be a file in base64, with padding", Quote(text))
		}
		into.SetBytes(data)
		return nil
	},
	reflect.TypeFor[json.RawMessage](): func(into reflect.Value, value []byte) error { // a request's id
		if k := kind(value); k != "a number" && k != "a string" {
			return fmt.Errorf("%s is %s: must be a number or a string", shown(value), k)
		}
		into.SetBytes(slices.Clone(value))
		return nil
	},
	reflect.TypeFor[bool](): func(into reflect.Value, value []byte) error {
		if kind(value) != "a boolean" {
			return fmt.Errorf("%s is %s: must be true or false", shown(value), kind(value))
		}
		into.SetBool(value[0] == 't')
		return nil
	},
	reflect.TypeFor[uint64](): func(into reflect.Value, value []byte) error {
		n, err := strconv.ParseUint(string(value), 10, 64)
		if err != nil {
			return fmt.Errorf("%s: must be a whole number from 0 to 2^64-1", shown(value))
		}
		into.SetUint(n)
		return nil
	},
}

// readerOf returns the reader of a field.
func readerOf(t reflect.Type, o tagOptions) reader {
	if r, ok := readers[t]; ok {
		return r
	}
	low, high := o.number("min", 0), o.number("max", 1<<62)
	switch {
	case t.Kind() == reflect.Pointer:
		inner := readerOf(t.Elem(), o)
		return func(into reflect.Value, value []byte) error {
			into.Set(reflect.New(t.Elem()))
			return inner(into.Elem(), value)
		}
	case t.Kind() == reflect.String:
		return stringReader(o)
	case o.has("tile") && t.Kind() == reflect.Int64:
		return readTile
	case t.Kind() == reflect.Int || t.Kind() == reflect.Int64:
		return func(into reflect.Value, value []byte) error {
			n, err := strconv.ParseInt(string(value), 10, 64)
			if err != nil || n < int64(low) || n > int64(high) {
				return fmt.Errorf("%s: must be a whole number from %.0f to %.0f", shown(value), low, high)
			}
			into.SetInt(n)
			return nil
		}
	case t.Kind() == reflect.Float64:
		return func(into reflect.Value, value []byte) error {
			x, err := strconv.ParseFloat(string(value), 64)
			switch {
			case o.has("speed") && (err != nil || x != 0 && !(x >= 0.1 && x <= 1000)):
				return fmt.Errorf("%s: must be a number from 0.1 to 1000, or 0 for full speed", shown(value))
			case err != nil || !(x >= low && x <= high):
				return fmt.Errorf("%s: must be a number from %g to %.0f", shown(value), low, high)
			}
			into.SetFloat(x)
			return nil
		}
	case t.Kind() == reflect.Slice:
		return sliceReader(t, o, low, high)
	}
	panic(fmt.Sprintf("a param of type %v cannot be read", t)) // unreachable: a test reads every struct
}

func stringReader(o tagOptions) reader {
	return func(into reflect.Value, value []byte) error {
		text, err := stringOf(value)
		if choices := strings.Split(o["of"], "|"); err == nil && o.has("of") && !slices.Contains(choices, text) {
			err = fmt.Errorf("%s: must be %s", shown(value), strings.Join(choices, " or "))
		}
		into.SetString(text)
		return err
	}
}

func stringOf(value []byte) (text string, err error) {
	if value[0] != '"' {
		return "", fmt.Errorf("%s is %s: must be a string", shown(value), kind(value))
	}
	return text, unquote(value, &text)
}

// sliceReader reads arrays of strings, tiles or whole numbers.
func sliceReader(t reflect.Type, o tagOptions, low, high float64) reader {
	minimum, maximum, ranged := strings.Cut(o["items"], ":")
	if !ranged {
		minimum, maximum = "0", minimum
	}
	few, _ := strconv.Atoi(minimum)
	many, _ := strconv.Atoi(maximum)
	want := fmt.Sprintf("an array of up to %d whole numbers", many)
	switch {
	case o.has("tile"):
		want = fmt.Sprintf("an array of up to %d tiles such as [2048,4096]", many)
	case t.Elem().Kind() == reflect.String:
		want = fmt.Sprintf("an array of %d to %d strings", few, many)
	}
	array := arrayOf(want)
	return func(into reflect.Value, value []byte) error {
		if err := array(into, value); err != nil {
			return err
		}
		if n := into.Len(); n < few || n > many {
			return fmt.Errorf("%s: must be %s", shown(value), want)
		}
		if t.Elem().Kind() != reflect.Int {
			return nil
		}
		for i := range into.Len() {
			if n := into.Index(i).Int(); float64(n) < low || float64(n) > high {
				return fmt.Errorf("%d: must be whole numbers from %.0f to %.0f", n, low, high)
			}
		}
		return nil
	}
}

// arrayOf reads an array by package json.
func arrayOf(want string) reader {
	return func(into reflect.Value, value []byte) error {
		into.SetZero()
		if err := json.Unmarshal(value, into.Addr().Interface()); err != nil || value[0] != '[' {
			return fmt.Errorf("%s: must be %s", shown(value), want)
		}
		return nil
	}
}

// readTile reads a tile value; 0 means none.
func readTile(into reflect.Value, value []byte) error {
	n, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil || !board.IsTile(n) {
		return fmt.Errorf("%s is not a tile: must be a power of two from 2 to 2^%d, or 0", shown(value), board.MaxExponent)
	}
	into.SetInt(n)
	return nil
}
