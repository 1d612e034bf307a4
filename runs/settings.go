package runs

import (
	"path/filepath"
	"strconv"
	"strings"
)

// Setting is an option of a run in words: the flag of the command train without its hyphens, and
// the value as the flag takes it.
type Setting struct {
	Option string `json:"option"`
	Value  string `json:"value"`
}

// Settings lists the options of a run that decide what it learns, how much it plays and what its
// metrics are. Options that have no effect are left out. A model that the run starts from is named
// without its folder.
func (o *Options) Settings() []Setting {
	var all []Setting
	put := func(option, value string) { all = append(all, Setting{option, value}) }
	number := func(option string, value float64) { put(option, strconv.FormatFloat(value, 'g', -1, 64)) }
	count := func(option string, value uint64) { put(option, strconv.FormatUint(value, 10)) }
	name := o.Network.Name
	if name == "" {
		name = o.Network.PatternText()
	}
	put("network", name)
	put("size", o.Network.Size.String())
	if stages := stageList(o.Network.Stages); stages != "" {
		put("stages", stages)
	}
	if o.From != "" {
		put("from", sourceName(o.From))
		number("settled", o.Settled)
	}
	count("games", o.Games)
	count("seed", o.Seed)
	put("threads", strconv.Itoa(o.Threads))
	put("coherent", strconv.FormatBool(o.Coherent))
	if o.Rate != 0 {
		number("rate", o.Rate)
	}
	if o.Anneal > 0 {
		count("anneal", o.Anneal)
	}
	number("lambda", o.Lambda)
	if o.Lambda != 0 {
		put("horizon", strconv.Itoa(o.Horizon))
	}
	if o.OptimisticInit != 0 {
		number("optimistic-init", o.OptimisticInit)
	}
	if len(o.StageBias) > 0 {
		words := make([]string, len(o.StageBias))
		for i, points := range o.StageBias {
			words[i] = strconv.FormatFloat(float64(points), 'g', -1, 32)
		}
		put("stage-bias", strings.Join(words[1:], ","))
	}
	if o.WarmupGames != 0 {
		count("warmup-games", o.WarmupGames)
	}
	if o.RestartShare != 0 {
		number("restart-share", o.RestartShare)
		put("restart-tile", strconv.FormatInt(o.RestartTile, 10))
	}
	if o.Downgrade != 0 {
		put("downgrade", strconv.FormatInt(o.Downgrade, 10))
	}
	count("report-every", o.ReportEvery)
	return all
}

// sourceName is the name of a run whose checkpoint a path is, or else of the file.
func sourceName(path string) string {
	folder, file := filepath.Split(path)
	if file == CheckpointFile && folder != "" {
		return filepath.Base(strings.TrimRight(folder, string(filepath.Separator)))
	}
	return file
}
