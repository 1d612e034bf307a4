package cli

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"afterstate/champion"
	"afterstate/cli/internal/output"
	"afterstate/cli/internal/program"
	"afterstate/cli/internal/usage"
	"afterstate/experiment"
)

// versions is the result of version --json.
type versions struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
	// Champion is the embedded network; null if there is none.
	Champion *embedded `json:"champion"`
}

type embedded struct {
	Name     string `json:"name"`
	Checksum string `json:"checksum"`
}

func newVersion() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version and the embedded network",
		Args:  usage.Args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := versions{Version: program.Version, Commit: experiment.Commit(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
			switch s, err := champion.Info(); {
			case err == nil:
				v.Champion = &embedded{s.Name, fmt.Sprintf("%08x", s.Checksum)}
			case !errors.Is(err, champion.ErrNone):
				return err
			}
			if asJSON {
				return output.JSON(cmd.OutOrStdout(), v)
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "afterstate %s %s %s/%s\n", v.Version, v.Go, v.OS, v.Arch)
			if err == nil && v.Champion != nil {
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "champion %s %s\n", v.Champion.Name, v.Champion.Checksum)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
