package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"afterstate/board"
	"afterstate/models"
	"afterstate/ntuple"
	"afterstate/ntuple/quant"
)

func newModel() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "Look into, shrink, cut and export model files",
		Long: `Work on the files of networks that train makes. A raw model has its weights as they
are trained; a quantized one takes a fraction of the room and plays as well.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(newModelInfo(), newModelQuantize(), newModelSplit(), newModelJoin(), newModelExport())
	return cmd
}

// modelInfo is what model info tells.
type modelInfo struct {
	File      string           `json:"file"`
	Bytes     int64            `json:"bytes"`
	Kind      string           `json:"kind"` // checkpoint, raw or quantized
	Bits      int              `json:"bits,omitempty"`
	Size      string           `json:"size"`
	Name      string           `json:"name,omitempty"`
	Patterns  []ntuple.Pattern `json:"patterns"`
	Stages    []ntuple.Stage   `json:"stages"`
	Weights   int              `json:"weights"`
	Seen      int              `json:"weights_seen"`
	Bias      float32          `json:"bias_points"`
	StageBias []float32        `json:"stage_bias_points,omitempty"`
	// Downgrade is the tile from which on boards are read as boards of smaller tiles.
	Downgrade int64             `json:"downgrade_tile,omitempty"`
	Checksum  string            `json:"checksum"`
	History   []ntuple.Training `json:"history"`
	Measured  *ntuple.Measured  `json:"measured,omitempty"`
	Loss      *quant.Loss       `json:"loss,omitempty"`
}

func newModelInfo() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info FILE",
		Short: "Tell what a model file holds and how it was made",
		Long: `Read the whole file, check it, and tell what it holds. The checksum is over all
weights, the same on every machine: equal checksums are equal networks.`,
		Example: "afterstate model info ~/.local/share/afterstate/runs/4x6-1/checkpoint.model",
		Args:    between(1, 1, "one model file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := loadModel(args[0])
			if err != nil {
				return err
			}
			defer m.Close()
			i, err := describeModel(args[0], m)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), i)
			}
			return i.print(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func describeModel(path string, m *models.Model) (*modelInfo, error) {
	stat, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	i := &modelInfo{
		File: path, Bytes: stat.Size(), Kind: "raw", Bits: m.Bits, Size: m.Size.String(), Name: m.Name, Patterns: m.Patterns,
		Stages: m.Stages, Weights: m.Layout.Weights(), Bias: m.Bias, StageBias: m.StageBias, Downgrade: board.Tile(m.Downgrade),
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
		for _, w := range m.Network.Weights(s) {
			if w != 0 {
				i.Seen++
			}
		}
	}
	return i, nil
}

func (i *modelInfo) print(out io.Writer) error {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-11s"+format+"\n", append([]any{name}, args...)...)
	}
	kind := i.Kind
	if i.Bits > 0 {
		kind += fmt.Sprintf(", %d bits", i.Bits)
	}
	line("file", "%s (%s, %s)", i.File, kind, byteWords(i.Bytes))
	if i.Name != "" {
		line("network", "%s", i.Name)
	}
	line("board", "%s", i.Size)
	line("patterns", "%s", (&ntuple.Layout{Patterns: i.Patterns}).PatternText())
	var stages []string
	for _, s := range i.Stages {
		stages = append(stages, s.Text())
	}
	line("stages", "%s", strings.Join(stages, ", "))
	line("weights", "%d, of which %d are not zero", i.Weights, i.Seen)
	if i.Bias != 0 {
		line("bias", "%v points", i.Bias)
	}
	if len(i.StageBias) > 0 {
		line("stage bias", "%v points", i.StageBias)
	}
	if i.Downgrade > 0 {
		line("downgrade", "from %d on", i.Downgrade)
	}
	for _, t := range i.History {
		took := time.Duration(t.Seconds * float64(time.Second)).Round(time.Second)
		line("trained", "%d games, %d moves, %v, until %s: %s", t.Games, t.Moves, took, t.Finished.Format(time.DateOnly), t.Options)
	}
	if m := i.Measured; m != nil {
		line("measured", "%s: %.0f, 95 %% %.0f to %.0f, %d games of seed %d", m.Player, m.Mean, m.CI95[0], m.CI95[1], m.Games, m.Seed)
	}
	if i.Loss != nil {
		line("loss", "%s", lossWords(i.Loss))
		if i.Loss.Played != nil {
			line("", "%s", scoreComparisonWords(i.Loss.Played))
		}
	}
	line("checksum", "%s", i.Checksum)
	_, err := io.WriteString(out, b.String())
	return err
}

// wantOutput opens an output that a command cannot do without, and which is none of
// its inputs.
func wantOutput(path string, inputs ...string) (*output, error) {
	if path == "" {
		return nil, usagef("missing --out: want a file to write to")
	}
	for _, in := range inputs {
		if err := distinct(in, path); err != nil {
			return nil, err
		}
	}
	return newOutput(path)
}

func writeBytes(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// readInput reads all of a file.
func readInput(path string) ([]byte, error) {
	f, err := openInput(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, usagef("%s cannot be read: %w", path, rootCause(err))
	}
	return data, nil
}

func newModelSplit() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "split FILE -o DIR|PREFIX",
		Short: "Cut a model into parts of at most 15 MiB",
		Long: `Cut a model into parts of at most 15 MiB, for places where only small files may lie.
They are DIR/FILE.part1of3 and so on, or with another --out PREFIX.part1of3.`,
		Example: "afterstate model split small.model -o parts/champion",
		Args:    between(1, 1, "one model file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return usagef("missing --out: want a folder, or how the parts' names begin")
			}
			m, err := loadModel(args[0])
			if err != nil {
				return err
			}
			m.Close()
			data, err := readInput(args[0])
			if err != nil {
				return err
			}
			if info, err := os.Stat(out); err == nil && info.IsDir() {
				out = filepath.Join(out, filepath.Base(args[0]))
			}
			parts := quant.Split(data)
			for i, p := range parts {
				name := fmt.Sprintf("%s.part%0*dof%d", out, len(fmt.Sprint(len(parts))), i+1, len(parts))
				if err := writeFile(name, p); err != nil {
					return err
				}
				if _, err := fmt.Fprintln(cmd.OutOrStdout(), name); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "`DIR`, or how the parts' names begin")
	return cmd
}

// writeFile writes bytes aside and renames.
func writeFile(path string, data []byte) error {
	file, err := newOutput(path)
	if err != nil {
		return err
	}
	defer file.discard()
	return file.commit(writeBytes(data))
}

func newModelJoin() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:     "join PART... -o OUT",
		Short:   "Put the parts of a model together again, in whatever order",
		Example: "afterstate model join parts/champion.part* -o champion.model",
		Args:    between(1, 1<<20, "the parts of one model"),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := wantOutput(out, args...)
			if err != nil {
				return err
			}
			defer file.discard()
			var parts [][]byte
			for _, path := range args {
				part, err := readInput(path)
				if err != nil {
					return err
				}
				if !quant.IsPart(part[:min(len(part), 8)]) {
					return usagef("%s is no part of a model: it does not begin as one", path)
				}
				parts = append(parts, part)
			}
			data, err := quant.Join(parts...)
			var bad *quant.PartError
			switch {
			case errors.As(err, &bad):
				return usagef("%s: %w", args[bad.Index], bad.Err)
			case err != nil:
				return usagef("%s: %w", args[0], err)
			}
			if err := file.commit(writeBytes(data)); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", out, byteWords(int64(len(data))))
			return err
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "`FILE` to write")
	return cmd
}
