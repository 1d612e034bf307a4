package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/eval/champion"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/models/cache"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/version"
)

// versions is the result of version --json.
type versions struct {
	Version string `json:"version"`
	// Commit is the full hash; empty when the build does not record it.
	Commit string `json:"commit"`
	// Modified is set if the work tree had changes that are not in the commit.
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	// Champion is the embedded network; null in a build without it.
	Champion *embedded `json:"champion"`
	// Networks are the embedded ones of other sizes.
	Networks []embedded `json:"networks"`
	// Cache is where networks are stored unpacked; null where they are not.
	Cache *cache.Info `json:"cache"`
}

type embedded struct {
	Size     string `json:"size,omitempty"` // of a network other than the champion
	Name     string `json:"name"`
	Checksum string `json:"checksum"`
}

func newVersion() *cobra.Command {
	var asJSON output.AsJSON
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit and the embedded networks",
		Long: `Print the version, the commit that the program was built from, the embedded networks,
and the folder of their cache.

The first command that plays with the network stores it unpacked in
$XDG_CACHE_HOME/afterstate (~/.cache/afterstate, about 270 MB), from where later
commands map it. Large networks of runs and files are stored there too, up to 4 GB. You
can delete all of them at any time; they are removed 30 days after their last use.
--no-cache, or the environment variable AFTERSTATE_NO_CACHE set to anything, turns the
cache off.`,
		Args: usage.Args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			v, err := readVersions()
			if err != nil {
				return err
			}
			return asJSON.Print(cmd, v, v.write)
		},
	}
	asJSON.Add(cmd, "")
	return cmd
}

// readVersions describes this build and its cache.
func readVersions() (v versions, err error) {
	v = versions{Version: version.Version, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, Networks: []embedded{}}
	v.Commit, v.Modified = version.Commit()
	switch s, err := champion.Main.Info(); {
	case err == nil:
		v.Champion = &embedded{Name: s.Name, Checksum: fmt.Sprintf("%08x", s.Checksum)}
	case !errors.Is(err, champion.ErrNone):
		return v, err
	}
	for _, size := range champion.Sizes() {
		s, err := champion.Of(size).Info()
		if err != nil {
			return v, err
		}
		v.Networks = append(v.Networks, embedded{size.String(), cmp.Or(s.Name, fmt.Sprintf("%d patterns", len(s.Patterns))), fmt.Sprintf("%08x", s.Checksum)})
	}
	if folder, ok := models.CacheFolder(); ok {
		info := folder.Info()
		v.Cache = &info
	}
	return v, nil
}

// write writes the lines of version without --json.
func (v *versions) write(to io.Writer) error {
	var w strings.Builder
	fmt.Fprintf(&w, "afterstate %s %s %s/%s\n", v.Version, v.Go, v.OS, v.Arch)
	if v.Commit != "" {
		note := ""
		if v.Modified {
			note = " (modified)"
		}
		fmt.Fprintf(&w, "commit %s%s\n", v.Commit, note)
	}
	if v.Champion != nil {
		fmt.Fprintf(&w, "champion %s %s\n", v.Champion.Name, v.Champion.Checksum)
	}
	for _, n := range v.Networks {
		fmt.Fprintf(&w, "network %s %s %s\n", n.Size, n.Name, n.Checksum)
	}
	if v.Cache != nil {
		fmt.Fprintf(&w, "cache %s (%s)\n", v.Cache.Folder, memory.Words(v.Cache.Bytes))
	}
	_, err := io.WriteString(to, w.String())
	return err
}
