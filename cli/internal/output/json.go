package output

import (
	"encoding/json"
	"io"

	"github.com/spf13/cobra"
)

// JSON writes v as JSON on one line.
func JSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// AsJSON is the flag --json of a command.
type AsJSON bool

// Add adds the flag; of describes the JSON, such as ", one object per board".
func (j *AsJSON) Add(cmd *cobra.Command, of string) {
	cmd.Flags().BoolVar((*bool)(j), "json", false, "print JSON"+of)
}

// Print writes v to stdout as JSON, or what text writes.
func (j AsJSON) Print(cmd *cobra.Command, v any, text func(io.Writer) error) error {
	if j {
		return JSON(cmd.OutOrStdout(), v)
	}
	return text(cmd.OutOrStdout())
}

// PrintEach writes the elements of a list to stdout as JSON, one a line, or what text writes.
func PrintEach[T any](cmd *cobra.Command, j AsJSON, all []T, text func(io.Writer, []T) error) error {
	if !j {
		return text(cmd.OutOrStdout(), all)
	}
	for _, v := range all {
		if err := JSON(cmd.OutOrStdout(), v); err != nil {
			return err
		}
	}
	return nil
}
