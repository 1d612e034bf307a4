package learn

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/internal/option"
)

// Change maps the names of settings to their new values. A value has the type of the setting's field in
// Options: "games" is a uint64, "rate" a float64.
type Change map[string]any

// Apply changes settings of o and checks each value; Fill checks whether the values fit together. If c
// changes "coherent" but not "rate", Apply resets the rate to the default of the new mode. It returns an
// error for unknown names, for values of the wrong type, and for a horizon or restart tile that would have
// no effect.
func (c Change) Apply(o *Options) error {
	wasCoherent := o.Coherent
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
		return fmt.Errorf("%d names of settings are unknown", len(c)-known)
	}
	if _, ok := c["rate"]; !ok && o.Coherent != wasCoherent {
		o.Rate = 0 // selects the default: rates for coherent and for plain learning differ in size
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

// part returns the values of the settings with the tag resume:"part". Games that were played with the same
// values belong to the same part of the training.
func (o *Options) part() map[string]any {
	values := map[string]any{}
	for s := range option.Of(o, "help") {
		if s.Tag.Get("resume") == "part" {
			values[s.Name] = s.Value.Interface()
		}
	}
	return values
}

// setPart sets the settings in values, which part returned.
func (o *Options) setPart(values map[string]any) {
	for s := range option.Of(o, "help") {
		if v, ok := values[s.Name]; ok {
			s.Value.Set(reflect.ValueOf(v))
		}
	}
}

// unrecorded lists the settings that the history omits.
var unrecorded = []string{"games", "warmup_games", "report_every", "checkpoint_every"}

// text lists the settings that affect what the network learns, for the history.
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
