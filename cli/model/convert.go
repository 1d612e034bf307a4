package model

import (
	"fmt"

	"github.com/spf13/cobra"

	"afterstate/cli/internal/program"
	"afterstate/cli/internal/usage"
	"afterstate/internal/memory"
	"afterstate/ntuple/quant"
)

func newConvert() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "convert FILE -o OUT",
		Short: "Write a quantized model in the present file format",
		Long: `Write a quantized model of an earlier version of the file format in the present one,
which loads several times as fast. Weights and metadata stay the same. Earlier builds
cannot read the new file.`,
		Example: "afterstate model convert small.model -o fast.model",
		Args:    usage.Args(1, 1, "one quantized model file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := program.ModelPath(args[0])
			if err != nil {
				return err
			}
			file, err := wantOutput(out, path)
			if err != nil {
				return err
			}
			defer file.Discard()
			data, err := readInput(path)
			if err != nil {
				return err
			}
			if !quant.IsQuantized(data[:min(len(data), 8)]) {
				return usage.Errorf("%s is no quantized model: afterstate model quantize makes one", args[0])
			}
			converted, err := quant.Convert(data)
			if err != nil {
				return usage.Errorf("%s: %w", args[0], err)
			}
			if err := file.Commit(writeBytes(converted)); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, before %s\n", out, memory.Words(int64(len(converted))), memory.Words(int64(len(data))))
			return err
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "`FILE` to write")
	return cmd
}
