package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/spf13/cobra"

	"afterstate/bench"
	"afterstate/champion"
	"afterstate/experiment"
)

// Version is the program's version.
const Version = "0.1.0"

// versions is what version tells.
type versions struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
	// Champion is the embedded network; null where there is none.
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
		Short: "Print the version, and which network is built in",
		Args:  between(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := versions{Version: Version, Commit: commit(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
			switch s, err := champion.Info(); {
			case err == nil:
				v.Champion = &embedded{s.Name, fmt.Sprintf("%08x", s.Checksum)}
			case !errors.Is(err, champion.ErrNone):
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), v)
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

// commit is the revision the program was built from, if the build says so.
func commit() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value
			}
		}
	}
	return ""
}

// programVersion names this program as exactly as it can: its version, and the revision
// it was built from where the build says so. It is exact if nothing was changed since.
func programVersion() (version string, exact bool) {
	rev := commit()
	if rev == "" {
		return Version, false
	}
	rev = rev[:min(len(rev), 12)]
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.modified" && s.Value == "true" {
				return Version + "+" + rev + "-modified", false
			}
		}
	}
	return Version + "+" + rev, true
}

// thisProgram is the program that plays experiments.
func thisProgram() experiment.Program {
	version, exact := programVersion()
	return experiment.Program{Version: version, Exact: exact, Signature: func(ctx context.Context) (string, error) {
		signature.Lock()
		defer signature.Unlock()
		if signature.known != "" {
			return signature.known, nil
		}
		var err error
		signature.known, err = bench.CachedSignature(ctx, cacheFolder())
		return signature.known, err
	}}
}

// signature is this program's, once it was asked for.
var signature struct {
	sync.Mutex
	known string
}

// cacheFolder is where the XDG Base Directory Specification wants a program's caches, or
// "" where there is no such place.
func cacheFolder() string {
	base := os.Getenv("XDG_CACHE_HOME")
	if !filepath.IsAbs(base) { // the specification says to ignore it then
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		base = filepath.Join(home, ".cache")
	}
	return filepath.Join(base, "afterstate")
}
