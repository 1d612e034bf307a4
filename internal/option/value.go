package option

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/internal/console"
)

// Error says that a value of an option was refused.
type Error struct {
	Option  string
	Value   any    // the refused value; nil if Reason contains it
	Without string // the missing option that this option needs; "" if none is missing
	Reason  string
}

func (e *Error) Error() string {
	s := e.Option
	if e.Value != nil {
		s += fmt.Sprint(" ", e.Value)
	}
	if e.Without != "" {
		return s + ": without " + e.Without + " " + e.Reason
	}
	return s + ": " + e.Reason
}

// AsFlag returns the error with option names written as flags.
func (e *Error) AsFlag() error {
	flag := *e
	for _, name := range []*string{&flag.Option, &flag.Without} {
		if *name != "" {
			*name = "--" + strings.ReplaceAll(*name, "_", "-")
		}
	}
	return &flag
}

// Refuse returns the error for a value that is not accepted. The parameter value is the text as the
// user gave it.
func (o *Option) Refuse(value string) error {
	return &Error{Option: o.Name, Value: Shown(value), Reason: "must be " + o.Want()}
}

// Unquote decodes a JSON string.
func Unquote(value []byte, into *string) error {
	if slices.Contains(value, '\\') {
		return json.Unmarshal(value, into)
	}
	*into = string(value[1 : len(value)-1])
	return nil
}

// Shown shortens a value for an error message.
func Shown(value string) string { return console.Short(value, 40) }

// Set sets the field to a value given as text.
func (f Field) Set(words string) error {
	err := f.parse(behind(f.Value), words)
	if err == nil && f.ok(f.Value) {
		return nil
	}
	return f.refuse(words, err)
}

// SetJSON sets the field to a value given as valid JSON.
func (f Field) SetJSON(value []byte) error {
	to, err, wrongType := behind(f.Value), error(nil), false
	switch quoted := value[0] == '"'; {
	// Check the length before decoding: decoded values may take many times the size of the text.
	case f.form == list && float64(length(value)) > max(f.high, 1):
		wrongType = true
	case f.form == binary && !quoted: // encoding/json would also accept an array of numbers
		wrongType = true
	case quoted && f.inText:
		var words string
		if err = Unquote(value, &words); err == nil {
			err = f.parse(to, words)
		}
	case f.inJSON:
		err = json.Unmarshal(value, to.Addr().Interface())
		wrongType = value[0] == 'n' && f.form != custom // the value is null
	case quoted || f.inText || f.form == truth && value[0] != 't' && value[0] != 'f':
		wrongType = true
	default:
		err = f.parse(to, string(value))
	}
	switch {
	case wrongType:
		return f.Refuse(string(value))
	case err == nil && f.ok(f.Value):
		return nil
	}
	return f.refuse(string(value), err)
}

// length returns the number of elements of an array in valid JSON. It returns 1 for an empty array.
func length(array []byte) int {
	n, depth, quoted := 1, 0, false
	for i := 0; i < len(array); i++ {
		switch c := array[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth == 1:
			n++
		}
	}
	return n
}

// refuse returns the error for a value that was refused. It has the message of err if a method of the
// type returned err and the option has no tag want. Otherwise refuse returns the error of Refuse.
func (f Field) refuse(words string, err error) error {
	if err != nil && f.form == custom && f.want == "" {
		return &Error{Option: f.Name, Reason: err.Error()}
	}
	return f.Refuse(words)
}

// behind returns v if it is not a pointer. Otherwise it makes v point to a new zero value and
// returns that value.
func behind(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Pointer {
		return v
	}
	v.Set(reflect.New(v.Type().Elem()))
	return v.Elem()
}

func (o *Option) parse(to reflect.Value, words string) (err error) {
	switch {
	case o.form == text:
		to.SetString(words)
	case o.form == custom:
		return to.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(words))
	case o.form == word:
		return o.setWord(to, words)
	case o.form == truth:
		v, err := strconv.ParseBool(words)
		to.SetBool(v)
		return err
	case o.form == span:
		v, err := time.ParseDuration(words)
		to.SetInt(int64(v))
		return err
	case o.form == memory:
		v, err := bytes(words)
		to.SetInt(v)
		return err
	case to.CanInt():
		v, err := strconv.ParseInt(words, 10, to.Type().Bits())
		to.SetInt(v)
		return err
	case to.CanUint():
		v, err := strconv.ParseUint(words, 10, to.Type().Bits())
		to.SetUint(v)
		return err
	default:
		v, err := strconv.ParseFloat(words, 64)
		to.SetFloat(v)
		return err
	}
	return nil
}

func (o *Option) setWord(to reflect.Value, words string) error {
	i := slices.Index(o.Words, words)
	switch {
	case i < 0:
		return strconv.ErrRange
	case to.Kind() == reflect.String:
		to.SetString(words)
	case to.Kind() == reflect.Bool:
		to.SetBool(i > 0)
	case to.CanInt():
		to.SetInt(int64(i))
	default:
		to.SetUint(uint64(i))
	}
	return nil
}

// Check returns an [*Error] if the value is out of range.
func (f Field) Check() error {
	if f.ok(f.Value) {
		return nil
	}
	return f.Refuse(f.String())
}

// ok reports whether a value is in range.
func (o *Option) ok(v reflect.Value) bool {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return true
		}
		v = v.Elem()
	}
	if o.form != list {
		return o.contains(v)
	}
	for i := range v.Len() {
		if !o.items.contains(v.Index(i)) {
			return false
		}
	}
	return o.within(float64(v.Len()))
}

func (v *values) contains(x reflect.Value) bool {
	switch {
	case v.form == word || v.form == custom:
		return true
	case x.CanInt():
		return v.within(float64(x.Int()))
	case x.CanUint():
		return v.within(float64(x.Uint()))
	case x.CanFloat():
		return v.within(x.Float())
	}
	return true
}

func (v *values) within(x float64) bool {
	if v.form == tile && x > 0 && uint64(x)&(uint64(x)-1) != 0 {
		return false
	}
	return x >= v.low && x <= v.high && !(v.above && x == v.low) || v.zero && x == 0
}

// String returns the value as text.
func (f Field) String() string {
	switch v := f.Value; {
	case v.Kind() == reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case v.Kind() == reflect.Pointer && v.IsNil():
		return ""
	case v.Kind() == reflect.Pointer:
		return fmt.Sprint(v.Elem().Interface())
	default:
		return fmt.Sprint(v.Interface())
	}
}

// Type returns the name of the value's type for the help of a flag.
func (f Field) Type() string {
	t := f.Value.Type()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch f.form {
	case tile:
		return "TILE"
	case span:
		return "duration"
	}
	return t.Kind().String()
}
