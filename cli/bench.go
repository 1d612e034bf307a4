package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/cli/scaffold"
	"github.com/afterstate2048/afterstate/eval/champion"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/models/cache"
	"github.com/afterstate2048/afterstate/experiment/bench"
	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/version"
	"github.com/afterstate2048/afterstate/player/catalog"
)

// versions is the result of version --json.
type versions struct {
	Version string `json:"version"`
	// Commit is the full hash; empty if the build does not record it.
	Commit string `json:"commit"`
	// Modified is set if the work tree had changes that are not in the commit.
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	// Champion is the embedded network; null in a build without it.
	Champion *embedded `json:"champion"`
	// Endings is the embedded ending network; null in a build without it.
	Endings *embedded `json:"endings"`
	// Networks lists the embedded networks of other board sizes.
	Networks []embedded `json:"networks"`
	// Cache describes the folder of unpacked networks; null without a cache.
	Cache *cache.Info `json:"cache"`
}

type embedded struct {
	Size     string `json:"size,omitempty"` // board size; only in versions.Networks
	Name     string `json:"name"`
	Checksum string `json:"checksum"`
}

// jsonFlag holds --json, for commands without other flags.
type jsonFlag struct {
	json output.AsJSON `flag:"json" help:"print JSON"`
}

func newVersion() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit and the embedded networks",
		Long: `Print the version, the commit that the program was built from, the embedded networks,
and the folder of their cache.

The first command that plays with the network stores it unpacked in $XDG_CACHE_HOME/afterstate
(~/.cache/afterstate, about 270 MB), from where later commands map it. Large networks of runs
and files are stored there too, up to 4 GiB in all; a network that would exceed this replaces the
others. You can delete all of them at any time. --no-cache, or the environment variable
AFTERSTATE_NO_CACHE set to anything, turns the cache off.`,
		Args: usage.Args(0, 0, "no arguments"),
	}, &jsonFlag{}, func(cmd *cobra.Command, _ []string, f *jsonFlag) error {
		v, err := readVersions()
		if err != nil {
			return err
		}
		return f.json.Print(cmd, v, v.write)
	})
}

// readVersions returns the description of this build and of its cache.
func readVersions() (v versions, err error) {
	v = versions{Version: version.Version, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, Networks: []embedded{}}
	v.Commit, v.Modified = version.Commit()
	for _, n := range []struct {
		of   champion.Network
		into **embedded
	}{{champion.Main(), &v.Champion}, {champion.Endings(), &v.Endings}} {
		switch s, err := n.of.Info(); {
		case err == nil:
			*n.into = &embedded{Name: s.Name, Checksum: fmt.Sprintf("%08x", s.Checksum)}
		case !errors.Is(err, champion.ErrNone):
			return v, err
		}
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

// write prints the versions as text.
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
	if v.Endings != nil {
		fmt.Fprintf(&w, "endings %s %s\n", v.Endings.Name, v.Endings.Checksum)
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

// benchNames lists the values that --only accepts.
func benchNames() string {
	return strings.Join(each.Of(bench.Parts(), func(p bench.Part) string { return p.Name }), ", ")
}

const benchHelp = `Measure speeds on one thread, always with the same games, and compute the
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
			r, err := measureParts(cmd, only, f.each)
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

// measureParts measures the speed of the part given by only. If only is empty, it measures all
// parts and computes the signature.
func measureParts(cmd *cobra.Command, only string, each time.Duration) (r bench.Speeds, err error) {
	parts := slices.DeleteFunc(bench.Parts(), func(p bench.Part) bool { return only != "" && p.Name != only })
	if len(parts) == 0 {
		return r, usage.Errorf("--only %s: must be %s", only, benchNames())
	}
	for _, p := range parts {
		if free, ok := memory.Available(); ok && p.Memory > free {
			return r, usage.Errorf("%s takes %s of memory, %s is free; use --only with a part that takes less", p.Name, memory.Words(p.Memory), memory.Words(free))
		}
	}
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

type playersFlags struct {
	json output.AsJSON `flag:"json" help:"print JSON, one player, evaluator or spawn rule per line"`
}

func newPlayers() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "players [NAME]",
		Short: "List the players, evaluators and spawn rules, and their keys",
		Long: `List the players and their definitions, the evaluators and the spawn rules. With a
name, describe its keys: unit, range, default and meaning.

A player is written as a spec, name(key=value,...): snake, snake(depth=2),
expectimax(eval=gradient,plies=2), minimax(eval=sum(empty=2,smoothness=1),depth=4).`,
		Example: `afterstate players
afterstate players expectimax
afterstate players lines`,
		Args: usage.Args(0, 1, "the name of a player, an evaluator or a spawn rule, or nothing"),
	}, &playersFlags{}, runPlayers)
}

func runPlayers(cmd *cobra.Command, args []string, f *playersFlags) (err error) {
	all := catalog.List(true)
	text := all.WriteText
	if len(args) > 0 {
		if all, err = all.Named(args[0]); err != nil {
			return usage.Wrap(err)
		}
		text = all.WriteKeys
	}
	if !f.json {
		return text(cmd.OutOrStdout())
	}
	for _, e := range all {
		var info strings.Builder
		if err := output.JSON(&info, e.Info); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(cmd.OutOrStdout(), `{"kind":%q,%s`, e.Kind, info.String()[1:]); err != nil {
			return err
		}
	}
	return nil
}

func newNew() *cobra.Command {
	language := "python"
	cmd := &cobra.Command{
		Use:   "new",
		Short: "Write a new bot repository",
		Long:  `Write the files of a new project.`,
		Args:  usage.Args(0, 0, "a subcommand: bot"),
		RunE: func(*cobra.Command, []string) error {
			return usage.Errorf("give a subcommand: afterstate new bot DIR")
		},
	}
	bot := &cobra.Command{
		Use:   "bot DIR",
		Short: "Write a bot repository: a bot, its tests and a README",
		Long: `Write a bot repository into a new or empty folder: a bot that plays, the rules of the
game, tests, and a README with the commands to watch the bot, to measure it against
another player and to publish it. It needs Python, Go or Node, and no other packages.`,
		Example: `afterstate new bot corner
afterstate new bot corner-in-go --lang go
afterstate new bot corner-in-js --lang js`,
		Args: usage.Args(1, 1, "a new or empty folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := scaffold.Bot(args[0], language)
			if err != nil && !errors.As(err, new(*fs.PathError)) {
				err = usage.Wrap(err)
			}
			if err != nil {
				return err
			}
			run := map[string]string{"python": "python3 bot.py", "go": "go run .", "js": "node bot.js"}[language]
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\nwatch it: cd %s && afterstate watch 'exec(cmd=\"%s\")'\n",
				args[0], strings.Join(files, ", "), console.Quote(args[0]), run)
			return err
		},
	}
	bot.Flags().StringVar(&language, "lang", language, "`LANGUAGE` of the bot: "+strings.Join(scaffold.Languages, " or "))
	cmd.AddCommand(bot)
	return cmd
}
