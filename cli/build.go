package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/eval/champion"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/models/cache"
	"github.com/afterstate2048/afterstate/experiment/bench"
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

// benchNames lists the values of --only.
func benchNames() string {
	var names []string
	for _, p := range bench.Parts() {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

const benchHelp = `Measure speeds on one thread, each from the same games every time, and compute the
signature: a checksum over what fixed searches find and what fixed training runs
learn, the same on every machine and in every correct build of this version.

  search  moves_evaluated_per_s       slides of a search, four for each board
                                      after a spawn, with nneonneo/2048-ai's
                                      heuristic, depth and probability cutoff
          search_played_moves_per_s   decisions of the same search with prune_margin
  td      td_moves_per_s              training of a 4x6 network from scratch by plain
                                      TD at 0.1, its first 500 games not counted
  tc      tc_moves_per_s              the same by temporal coherence
  play    play_moves_per_s            1-ply games of a 4x6 network that was trained by
                                      plain TD for 4000 games before

--only measures one part, without the signature. td and play take 256 MiB of memory,
tc 768 MiB. They are limited by memory speed, so other load on the machine matters.`

func newBench() *cobra.Command {
	var f struct {
		each time.Duration `flag:"for" default:"5s" range:"10ms:1h" help:"duration of each measurement"`
		json output.AsJSON `flag:"json" help:"print JSON"`
	}
	only := ""
	cmd := &cobra.Command{
		Use:     "bench",
		Short:   "Measure speed and verify the build by its signature",
		Long:    benchHelp,
		Example: "afterstate bench\nafterstate bench --only search --for 5s --json",
		Args:    usage.Args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			parts, err := chosenParts(only)
			if err != nil {
				return err
			}
			r, err := runBench(cmd, parts, f.each)
			if err != nil {
				return err
			}
			return f.json.Print(cmd, r, r.WriteText)
		},
	}
	cmd.Flags().StringVar(&only, "only", "", "measure one `PART`: "+benchNames())
	usage.Flags(cmd.Flags(), &f)
	return cmd
}

// chosenParts returns the parts to measure: one, or all. It fails if the selection is invalid.
func chosenParts(only string) (parts []bench.Part, err error) {
	for _, p := range bench.Parts() {
		if only == "" || p.Name == only {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		return nil, usage.Errorf("--only %s: want %s", only, benchNames())
	}
	for _, p := range parts {
		if free, ok := memory.Available(); ok && p.Memory > free {
			return nil, usage.Errorf("%s takes %s of memory, %s are free; want --only with a part that takes less", p.Name, memory.Words(p.Memory), memory.Words(free))
		}
	}
	return parts, nil
}

// runBench runs the benchmarks. It computes the signature unless a single part is selected.
func runBench(cmd *cobra.Command, parts []bench.Part, each time.Duration) (r bench.Speeds, err error) {
	if len(parts) == 1 {
		err = parts[0].Measure(cmd.Context(), each, &r)
		return r, err
	}
	shown := output.NewProgress(cmd.ErrOrStderr(), len(parts), "parts")
	defer shown.End()
	for _, p := range parts {
		if err := p.Measure(cmd.Context(), each, &r); err != nil {
			return r, err
		}
		shown.Add(1)
	}
	r.Signature, err = bench.Signature(cmd.Context())
	return r, err
}
