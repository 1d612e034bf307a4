//go:build !js

package models

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Description describes the content of a model file and how it was made.
type Description struct {
	File     string           `json:"file"`
	Bytes    int64            `json:"bytes"`
	Kind     string           `json:"kind"` // checkpoint, raw or quantized
	Bits     int              `json:"bits,omitempty"`
	Size     string           `json:"size"`
	Name     string           `json:"name,omitempty"`
	Patterns []ntuple.Pattern `json:"patterns"`
	Fixed    bool             `json:"fixed,omitempty"` // patterns are not read under the board's symmetries
	Stages   []ntuple.Stage   `json:"stages"`
	// Walls is the minimum number of walls of an ending. It is set for ending networks only.
	Walls   uint8   `json:"walls,omitempty"`
	Weights int     `json:"weights"`
	Seen    int     `json:"weights_seen"`
	Bias    float32 `json:"bias_points"`
	// Downgrade is the smallest tile that is downgraded: a board with this tile or a larger one is evaluated as a
	// board of smaller tiles. 0 means none.
	Downgrade int64             `json:"downgrade_tile,omitempty"`
	Checksum  string            `json:"checksum"`
	History   []ntuple.Training `json:"history"`
	Measured  *ntuple.Measured  `json:"measured,omitempty"`
	Loss      *quant.Loss       `json:"loss,omitempty"`
}

// Describe describes the model that was opened from a path.
func (m *Model) Describe(path string) (*Description, error) {
	size, err := fileSize(path)
	if err != nil {
		return nil, err
	}
	i := &Description{
		File: path, Bytes: size, Kind: "raw", Bits: m.Bits, Size: m.Size.String(), Name: m.Name, Patterns: m.Patterns,
		Fixed: m.Fixed, Stages: m.Stages, Walls: m.Walls, Weights: m.Layout.Weights(), Bias: m.Bias, Downgrade: board.Tile(m.Downgrade),
		Checksum: fmt.Sprintf("%08x", m.Checksum()), History: m.Info.History, Measured: m.Info.Measured,
	}
	switch {
	case m.Bits > 0:
		i.Kind, i.Loss = "quantized", &m.Loss
	case len(m.Info.State) > 0:
		i.Kind = "checkpoint"
	}
	if i.History == nil {
		i.History = []ntuple.Training{}
	}
	for s := range m.StageCount() {
		for p := range m.Patterns {
			for _, w := range m.Network.Table(s, p) {
				if w != 0 {
					i.Seen++
				}
			}
		}
	}
	return i, nil
}

// fileSize returns the size in bytes of a model file or an embedded network.
func fileSize(path string) (int64, error) {
	if e, ok := embeddedAt(path); ok {
		data, err := e.File()
		return int64(len(data)), err
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// WriteText writes the description, one property per line.
func (i *Description) WriteText(out io.Writer) error {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-11s"+format+"\n", append([]any{name}, args...)...)
	}
	kind := i.Kind
	if i.Bits > 0 {
		kind += fmt.Sprintf(", %d bits", i.Bits)
	}
	line("file", "%s (%s, %s)", i.File, kind, memory.Words(i.Bytes))
	if i.Name != "" {
		line("network", "%s", i.Name)
	}
	line("board", "%s", i.Size)
	line("patterns", "%s", (&ntuple.Layout{Patterns: i.Patterns}).PatternText())
	if i.Fixed {
		line("symmetries", "none: each pattern is read at its own cells only")
	}

	if i.Walls > 0 {
		line("endings", "%d to %d walls, then the complete chain 16384, 8192, ..., 512, 512; values are chances to make the 32768", i.Walls, endings.MaxWalls)
	} else {
		line("stages", "%s", strings.Join(each.Of(i.Stages, ntuple.Stage.Text), ", "))
	}
	line("weights", "%d, of which %d are not zero", i.Weights, i.Seen)
	if i.Bias != 0 {
		line("bias", "%v points", i.Bias)
	}
	if i.Downgrade > 0 {
		line("downgrade", "boards with a %d or a larger tile", i.Downgrade)
	}
	for _, t := range i.History {
		line("trained", "%d games, %d moves: %s", t.Games, t.Moves, t.Options)
	}
	if m := i.Measured; m != nil {
		format := "%s: %.0f, 95 %% %.0f to %.0f, %d games of seed %d"
		if i.Walls > 0 {
			format = strings.ReplaceAll(format, "%.0f", "%.4f")
		}
		line("measured", format, m.Player, m.Mean, m.CI95[0], m.CI95[1], m.Games, m.Seed)
	}
	if i.Loss != nil {
		line("loss", "%s", i.Loss.Text())
		if i.Loss.Played != nil {
			line("", "%s", i.Loss.Played.Text())
		}
	}
	line("checksum", "%s", i.Checksum)
	_, err := io.WriteString(out, b.String())
	return err
}
