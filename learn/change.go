package learn

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/internal/option"
)

// Change has the values of settings to change, by name: "games" is a uint64, "rate" a float64.
type Change map[string]any

// Apply changes settings of o and checks their values; Fill checks the whole. Changing coherent resets the
// rate to the default of the new mode. Unknown names and values of another type are errors.
func (c Change) Apply(o *Options) error {
	was := o.Coherent
	known := 0
	for s := range option.Of(o, "help") {
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
	_, tile := c["restart_tile"]
	switch {
	case horizon && o.Lambda == 0:
		return &option.Error{Option: "horizon", Value: o.Horizon, Without: "lambda", Reason: "every return is one move"}
	case tile && o.RestartShare == 0:
		return &option.Error{Option: "restart_tile", Value: o.RestartTile, Without: "restart_share", Reason: "no game starts from a stored board"}
	}
	return nil
}

// part are the values of the settings that may begin a part of a training: games of options with the same values belong
// to the same part.
func (o *Options) part() map[string]any {
	values := map[string]any{}
	for s := range option.Of(o, "help") {
		if s.Tag.Get("resume") == "part" {
			values[s.Name] = s.Value.Interface()
		}
	}
	return values
}

// setPart sets these settings.
func (o *Options) setPart(values map[string]any) {
	for s := range option.Of(o, "help") {
		if v, ok := values[s.Name]; ok {
			s.Value.Set(reflect.ValueOf(v))
		}
	}
}

// unrecorded are the settings that the history leaves out.
var unrecorded = []string{"games", "warmup_games", "report_every", "checkpoint_every"}

// text lists the settings that decide what is learned, for the history.
func (o *Options) text() string {
	words := []string{}
	for s := range option.Of(o, "help") {
		switch {
		case s.Value.IsZero() && s.Name != "seed" || slices.Contains(unrecorded, s.Name):
		case s.Value.Kind() == reflect.Bool:
			words = append(words, s.Name)
		default:
			words = append(words, s.Name+"="+s.String())
		}
	}
	return strings.Join(words, " ")
}
