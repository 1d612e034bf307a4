package learn

import (
	"fmt"
	"iter"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Setting is a field of a struct of options that has a help text; see [Options] for its tags.
type Setting struct {
	Name  string // as a flag: restart-tile
	Help  string
	Short string
	Value reflect.Value // the field, which can be set
	// Always means that a value of zero is written too, in JSON and in lists.
	Always bool

	limits, want, resume string
}

// Settings passes the settings of a struct and of those embedded in it, in their order. options points
// to the struct.
func Settings(options any) iter.Seq[Setting] {
	return func(yield func(Setting) bool) {
		of := reflect.ValueOf(options).Elem()
		for _, f := range reflect.VisibleFields(of.Type()) {
			help := f.Tag.Get("help")
			if help == "" {
				continue
			}
			name, omit, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !yield(Setting{
				Name: strings.ReplaceAll(name, "_", "-"), Help: help, Short: f.Tag.Get("short"), Value: of.FieldByIndex(f.Index), Always: omit == "",
				limits: f.Tag.Get("range"), want: f.Tag.Get("want"), resume: f.Tag.Get("resume"),
			}) {
				return
			}
		}
	}
}

// Resumable reports whether the setting may change when training is resumed.
func (s *Setting) Resumable() bool { return s.resume != "" }

// Text returns the value as the flag takes it.
func (s *Setting) Text() string {
	if s.Value.Kind() == reflect.Float64 {
		return strconv.FormatFloat(s.Value.Float(), 'g', -1, 64)
	}
	return fmt.Sprint(s.Value.Interface())
}

// Kind says of what type the value is, and which values are accepted.
func (s *Setting) Kind() string {
	kind := "text"
	switch _, time := s.Value.Interface().(Duration); {
	case time:
		kind = "a time such as 10m0s"
	case s.Value.Kind() == reflect.Slice || s.Value.Kind() == reflect.Map:
		return s.want
	case s.Value.Kind() == reflect.Bool:
		kind = "true or false"
	case s.Value.CanFloat():
		kind = "a number"
	case s.Value.CanInt() || s.Value.CanUint():
		kind = "a whole number"
	}
	if accepted := s.Accepted(); accepted != "" {
		kind += ", " + accepted
	}
	return kind
}

// Accepted says which values Check accepts; empty: all of the type.
func (s *Setting) Accepted() string {
	limits, tile := strings.CutPrefix(s.limits, "tile:")
	if s.want != "" || limits == "" {
		return s.want
	}
	low, high, _ := strings.Cut(limits, ":")
	want := "from " + strings.TrimSuffix(low, "<") + " to " + high
	if tile {
		want = "a tile " + want
	}
	return want
}

// Check returns an *[OptionError] if the value is out of range.
func (s *Setting) Check() error {
	limits, tile := strings.CutPrefix(s.limits, "tile:")
	if limits == "" {
		return nil
	}
	low, high, _ := strings.Cut(limits, ":")
	low, above := strings.CutSuffix(low, "<")
	x, want := number(s.Value), s.Accepted()
	minimum, maximum := limit(low), limit(high)
	bad := !(x >= minimum) || above && x == minimum || high != "" && !(x <= maximum)
	if tile && x != 0 && uint64(x)&(uint64(x)-1) != 0 {
		bad, want = true, "a power of two"
	}
	if bad && !(tile && x == 0 && strings.HasPrefix(want, "0")) {
		return &OptionError{Option: s.Name, Value: s.Value.Interface(), Reason: "must be " + want}
	}
	return nil
}

func number(v reflect.Value) float64 {
	switch {
	case v.CanInt():
		return float64(v.Int())
	case v.CanUint():
		return float64(v.Uint())
	}
	return v.Float()
}

// limit is a number or a time.
func limit(text string) float64 {
	if d, err := time.ParseDuration(text); err == nil {
		return float64(d)
	}
	x, _ := strconv.ParseFloat(text, 64) // an empty text is no limit
	return x
}

// OptionError is the error for an invalid setting.
type OptionError struct {
	Option  string // the setting's name
	Value   any
	Without string // another setting that this one needs, if that is what is wrong
	Reason  string
}

func (e *OptionError) Error() string { return e.Text("") }

// Text is the error's text with a prefix before the names of settings, such as "--".
func (e *OptionError) Text(prefix string) string {
	reason := e.Reason
	if e.Without != "" {
		reason = "without " + prefix + e.Without + " " + reason
	}
	return fmt.Sprintf("%s%s %v: %s", prefix, e.Option, e.Value, reason)
}

// Change has the values of settings to change, by name: "games" is a uint64, "rate" a float64.
type Change map[string]any

// Apply changes settings of o and checks their values; Fill checks the whole. Changing coherent resets the
// rate to the default of the new mode. Unknown names and values of another type are errors.
func (c Change) Apply(o *Options) error {
	was := o.Coherent
	known := 0
	for s := range Settings(o) {
		value, ok := c[s.Name]
		if !ok {
			continue
		}
		known++
		v := reflect.ValueOf(value)
		if v.Type() != s.Value.Type() {
			return fmt.Errorf("%s is a %T: must be %v", s.Name, value, s.Value.Type())
		}
		s.Value.Set(v)
		if err := s.Check(); err != nil {
			return err
		}
	}
	if known < len(c) {
		return fmt.Errorf("%d of the settings to change are unknown", len(c)-known)
	}
	if _, ok := c["rate"]; !ok && o.Coherent != was {
		o.Rate = 0 // the rate of one mode is too large or small for the other
	}
	_, horizon := c["horizon"]
	_, tile := c["restart-tile"]
	switch {
	case horizon && o.Lambda == 0:
		return &OptionError{"horizon", o.Horizon, "lambda", "every return is one move"}
	case tile && o.RestartShare == 0:
		return &OptionError{"restart-tile", o.RestartTile, "restart-share", "no game starts from a stored board"}
	}
	return nil
}

// part are the values of the settings that may begin a part of a training: games of options with the same values belong
// to the same part.
func (o *Options) part() map[string]any {
	values := map[string]any{}
	for s := range Settings(o) {
		if s.resume == "part" {
			values[s.Name] = s.Value.Interface()
		}
	}
	return values
}

// setPart sets these settings.
func (o *Options) setPart(values map[string]any) {
	for s := range Settings(o) {
		if v, ok := values[s.Name]; ok {
			s.Value.Set(reflect.ValueOf(v))
		}
	}
}

// text lists the settings that decide what is learned, for the history.
func (o *Options) text() string {
	words := []string{}
	for s := range Settings(o) {
		name := strings.ReplaceAll(s.Name, "-", "_")
		switch {
		case s.Value.IsZero() && s.Name != "seed" || s.Name == "games" || s.Name == "warmup-games" || s.Name == "report-every" || s.Name == "checkpoint-every":
		case s.Value.Kind() == reflect.Bool:
			words = append(words, name)
		default:
			words = append(words, name+"="+s.Text())
		}
	}
	return strings.Join(words, " ")
}
