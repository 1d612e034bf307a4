// Package option describes the values that users set by name: flags, parameters of the protocol,
// settings of a training run and keys of player specs. Struct tags state each fact about a value
// once. From these tags, the package parses and checks values in text, JSON and flags, and writes
// the error messages.
//
//	help, unit  what the value is
//	default     the value if the option is not given, as text
//	range       the accepted values, see below
//	guest       the largest value for callers that are not trusted
//	items       the number of elements of an array, such as 1:8
//	want        the accepted values in words
//
// A range is one of
//
//	1:64          from 1 to 64: a number, or each element of an array. 2^k and 2^k-1 are numbers too
//	1:            at least 1
//	0<:2          more than 0, up to 2
//	10ms:1h       a time
//	tile:8:32768  a power of two
//	memory:1MB:   a number of bytes, which may be written with a unit
//	0|1:64        0, or from 1 to 64; 0| may precede any range
//	no|yes        one of these words; a number is set to the word's index, a bool to true unless it is the first word
package option

import (
	"encoding"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Option describes a value.
type Option struct {
	Name, Help, Unit, Default string
	Mark                      string   // value of the tag that selects the field, without the option's name
	Words                     []string // the accepted words; nil for other kinds of values
	Tag                       reflect.StructTag

	values
	items       *values // accepted elements of an array; low and high then limit their number
	guest, want string
	index       []int
}

// values describes how a value is written and which values are accepted.
type values struct {
	form form
	// inText: the value in JSON is a string, which contains the text form. inJSON: encoding/json decodes the value.
	inText, inJSON    bool
	lowText, highText string
	low, high         float64 // infinite if there is no limit
	above, zero       bool    // above: low itself is excluded; zero: 0 is accepted too
}

// form is how a value is written.
type form string

const (
	text    form = "a string"
	custom  form = "text" // parsed by a method of the value's type
	binary  form = "a string in base64, with padding"
	truth   form = "true or false"
	word    form = "a word"
	integer form = "a whole number"
	number  form = "a number"
	tile    form = "a tile"
	span    form = "a time"
	memory  form = "memory"
	list    form = "an array"
)

// New returns the option for a value of type t, from the tag of its struct field.
func New(t reflect.Type, name string, tag reflect.StructTag) *Option {
	o := &Option{Name: name, Help: tag.Get("help"), Unit: tag.Get("unit"), Default: tag.Get("default"), Tag: tag}
	o.guest, o.want = tag.Get("guest"), tag.Get("want")
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	limits := tag.Get("range")
	switch o.setForm(t); {
	case strings.Contains(limits, "|") && !strings.Contains(limits, ":"):
		o.form, o.inText, o.inJSON, o.Words = word, true, false, strings.Split(limits, "|")
	case o.form == list:
		items := valuesOf(t.Elem(), limits)
		o.items = &items
		o.limit(tag.Get("items"))
	default:
		o.values = valuesOf(t, limits)
	}
	return o
}

func valuesOf(t reflect.Type, limits string) (v values) {
	v.setForm(t)
	if limits == "" && t.Kind() == reflect.Uint64 {
		limits = "0:2^64-1"
	}
	limits, v.zero = strings.CutPrefix(limits, "0|")
	switch kind, rest, _ := strings.Cut(limits, ":"); kind {
	case "tile":
		v.form, limits = tile, rest
	case "memory":
		v.form, limits = memory, rest
	}
	v.limit(limits)
	return v
}

func (v *values) setForm(t reflect.Type) {
	pointer := reflect.PointerTo(t)
	readsText, readsJSON := pointer.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()), pointer.Implements(reflect.TypeFor[json.Unmarshaler]())
	switch k := t.Kind(); {
	case t.Name() == "Duration":
		v.form, v.inText = span, true
	case readsText || readsJSON || k == reflect.Map:
		v.form, v.inText, v.inJSON = custom, readsText, readsJSON || k == reflect.Map
	case t == reflect.TypeFor[[]byte]():
		v.form, v.inJSON = binary, true
	case k == reflect.Slice:
		v.form, v.inJSON = list, true
	case k == reflect.Bool:
		v.form = truth
	case k >= reflect.Int && k <= reflect.Uint64:
		v.form = integer
	case k == reflect.Float64:
		v.form = number
	default:
		v.form, v.inText = text, true
	}
}

// limit parses a range such as 1:64 and sets the limits.
func (v *values) limit(limits string) {
	v.low, v.high = math.Inf(-1), math.Inf(1)
	low, high, ranged := strings.Cut(limits, ":")
	if !ranged {
		return
	}
	v.lowText, v.above = strings.CutSuffix(low, "<")
	v.low = limit(v.lowText)
	v.setHigh(high)
}

func (v *values) setHigh(text string) {
	if v.highText = text; text != "" {
		v.high = limit(text)
	}
}

// limit parses one end of a range. It panics if the tag is malformed.
func limit(text string) float64 {
	if power, ok := strings.CutPrefix(text, "2^"); ok {
		power, less := strings.CutSuffix(power, "-1")
		x := math.Exp2(limit(power))
		if less {
			x--
		}
		return x
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x
	}
	if d, err := time.ParseDuration(text); err == nil {
		return float64(d)
	}
	n, err := bytes(text)
	if err != nil {
		panic(err)
	}
	return float64(n)
}

// units maps each unit of a memory size to its number of bytes.
var units = map[string]int64{"": 1, "b": 1, "kb": 1 << 10, "k": 1 << 10, "mb": 1 << 20, "m": 1 << 20, "gb": 1 << 30, "g": 1 << 30}

func bytes(text string) (int64, error) {
	text = strings.ToLower(text)
	digits := strings.TrimRight(text, "kmgb")
	unit := units[text[len(digits):]]
	n, err := strconv.ParseInt(digits, 10, 64)
	if unit == 0 || n > math.MaxInt64/max(unit, 1) {
		err = fmt.Errorf("%q is not a size", text)
	}
	return n * unit, err
}

// ForGuest returns a copy of the option for callers that are not trusted: the tag guest, if
// present, replaces its largest value.
func (o Option) ForGuest() *Option {
	if o.guest != "" {
		o.setHigh(o.guest)
	}
	return &o
}

// Want describes the accepted values in words.
func (o *Option) Want() string {
	switch {
	case o.want != "":
		return o.want
	case o.form == word:
		last := len(o.Words) - 1
		return strings.Join(o.Words[:last], ", ") + " or " + o.Words[last]
	case o.form == custom:
		return string(text)
	case o.form == list:
		return "an array of " + o.count() + "values, each " + o.items.words()
	}
	return o.words()
}

// count describes the accepted number of elements of an array, in words.
func (v *values) count() string {
	switch {
	case v.highText == "":
		return ""
	case v.low == 0:
		return "up to " + v.highText + " "
	}
	return v.lowText + " to " + v.highText + " "
}

func (v *values) words() string {
	s, zero, example := string(v.form), "0, or ", ""
	switch v.form {
	case span:
		zero, example = "0 for no limit, or ", " such as 200ms"
	case memory:
		zero, example = "0 for none, or ", " such as 16MB"
	case tile:
		example = " such as 2048"
	}
	if v.zero {
		s = zero + s
	}
	switch {
	case v.lowText == "":
		return s
	case v.above:
		s += " above " + v.lowText + " and up to " + v.highText
	case v.highText == "":
		s += " of at least " + v.lowText
	default:
		s += " from " + v.lowText + " to " + v.highText
	}
	return s + example
}

// Field is a struct field and its option.
type Field struct {
	*Option
	Value reflect.Value
}

type plan struct {
	reflect.Type
	mark string
}

var plans sync.Map // maps each plan to its []*Option

// Options returns the options of a struct type, one for each field whose struct tag has the key
// mark. The name of an option is the field's name in JSON, or else the text before the first comma
// in the value of that key. The value "-" leaves a field out. A struct field without the key and
// without a name in JSON adds the options of its fields.
func Options(t reflect.Type, mark string) []*Option {
	if known, ok := plans.Load(plan{t, mark}); ok {
		return known.([]*Option)
	}
	var all []*Option
	for i := range t.NumField() {
		f := t.Field(i)
		words, marked := f.Tag.Lookup(mark)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case words == "-":
		case marked:
			if name == "" {
				name, words, _ = strings.Cut(words, ",")
			}
			o := New(f.Type, name, f.Tag)
			o.Mark, o.index = words, f.Index
			all = append(all, o)
		case f.Type.Kind() == reflect.Struct && name == "":
			for _, inner := range Options(f.Type, mark) {
				o := *inner
				o.index = append([]int{i}, o.index...)
				all = append(all, &o)
			}
		}
	}
	plans.Store(plan{t, mark}, all)
	return all
}

// Of yields the fields of the struct that pointer points to, with their options; see [Options].
func Of(pointer any, mark string) iter.Seq[Field] {
	return func(yield func(Field) bool) {
		of := reflect.ValueOf(pointer).Elem()
		for _, o := range Options(of.Type(), mark) {
			if !yield(o.In(of)) {
				return
			}
		}
	}
}

// In returns the option's field in a struct value. The field can be set, even if it is not
// exported.
func (o *Option) In(of reflect.Value) Field {
	v := of.FieldByIndex(o.index)
	if !v.CanSet() { // the field is not exported
		v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
	}
	return Field{o, v}
}
