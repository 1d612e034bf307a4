package bench

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/learn"
)

// Speeds holds the results; those not measured are zero and omitted in JSON.
type Speeds struct {
	MovesEvaluated float64 `json:"moves_evaluated_per_s,omitempty"`
	SearchPlayed   float64 `json:"search_played_moves_per_s,omitempty"`
	TD             float64 `json:"td_moves_per_s,omitempty"`
	TC             float64 `json:"tc_moves_per_s,omitempty"`
	Play           float64 `json:"play_moves_per_s,omitempty"`
	Signature      string  `json:"signature,omitempty"`
}

// Part is a measurement.
type Part struct {
	Name   string
	Memory int64 // bytes of the network and its training
	// Measure takes about the time each for each of its speeds and sets them in the report.
	Measure func(ctx context.Context, each time.Duration, r *Speeds) error
}

// Parts lists all measurements.
func Parts() []Part {
	layout := Layout()
	plain, coherent := learn.RequiredMemory(&layout, false), learn.RequiredMemory(&layout, true)
	return []Part{
		{"search", 0, func(ctx context.Context, each time.Duration, r *Speeds) error {
			s, err := MeasureSearch(ctx, each)
			r.MovesEvaluated, r.SearchPlayed = s.MovesEvaluated, s.PlayedMoves
			return err
		}},
		{"td", plain, func(ctx context.Context, each time.Duration, r *Speeds) (err error) {
			r.TD, err = MeasureTraining(ctx, false, each)
			return err
		}},
		{"tc", coherent, func(ctx context.Context, each time.Duration, r *Speeds) (err error) {
			r.TC, err = MeasureTraining(ctx, true, each)
			return err
		}},
		{"play", plain, func(ctx context.Context, each time.Duration, r *Speeds) (err error) {
			r.Play, err = MeasurePlay(ctx, each)
			return err
		}},
	}
}

// WriteText writes one line for each result.
func (r *Speeds) WriteText(w io.Writer) error {
	var text strings.Builder
	for _, line := range []struct {
		name  string
		value float64
	}{
		{"moves_evaluated_per_s", r.MovesEvaluated},
		{"search_played_moves_per_s", r.SearchPlayed},
		{"td_moves_per_s", r.TD},
		{"tc_moves_per_s", r.TC},
		{"play_moves_per_s", r.Play},
	} {
		if line.value != 0 {
			fmt.Fprintf(&text, "%-27s%14.0f\n", line.name, line.value)
		}
	}
	if r.Signature != "" {
		fmt.Fprintf(&text, "%-27s%s\n", "signature", r.Signature)
	}
	_, err := io.WriteString(w, text.String())
	return err
}
