package runs

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/protocol"
)

// Setting is an option of a run in words: the flag of the command train without its hyphens, and
// the value as the flag takes it.
type Setting = protocol.TrainingOption

// Settings lists the options of a run that decide what it learns, how much it plays and what its
// metrics are. Options that have no effect are left out. A model that the run starts from is named
// without its folder.
func (o *Options) Settings() []Setting {
	var all []Setting
	put := func(option, value string) { all = append(all, Setting{Option: option, Value: value}) }
	name := o.Layout.Name
	if name == "" {
		name = o.Layout.PatternText()
	}
	put("network", name)
	put("size", o.Layout.Size.String())
	if stages := stageList(o.Layout.Stages); stages != "" {
		put("stages", stages)
	}
	if o.From != "" {
		put("from", sourceName(o.From))
	}
	if len(o.StageBias) > 0 {
		words := make([]string, len(o.StageBias))
		for i, points := range o.StageBias {
			words[i] = strconv.FormatFloat(float64(points), 'g', -1, 32)
		}
		put("stage-bias", strings.Join(words[1:], ","))
	}
	for s := range learn.Settings(o) {
		if s.Name != "checkpoint-every" && (s.Always || !s.Value.IsZero()) {
			put(s.Name, s.Text())
		}
	}
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
