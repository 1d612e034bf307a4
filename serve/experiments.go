package serve

import (
	"slices"
	"strings"

	"afterstate/arena"
	"afterstate/player"
	"afterstate/session"
	"afterstate/wire"
)

// publicInfo removes paths of this machine, which specs given locally may contain.
func publicInfo(info wire.ExperimentInfo) wire.ExperimentInfo {
	info.Error = session.WithoutPaths(info.Error, "")
	info.Players = slices.Clone(info.Players)
	for i, spec := range info.Players {
		info.Players[i] = session.WithoutPaths(spec, "")
	}
	return info
}

// publicSpec removes paths of this machine.
func publicSpec(spec string) string { return session.WithoutPaths(spec, "") }

// publicForfeit removes paths of this machine and what the program wrote to stderr, which may contain secrets.
func publicForfeit(f player.Forfeit) player.Forfeit {
	detail, _, _ := strings.Cut(f.Detail, "stderr:")
	return player.Forfeit{Reason: publicSpec(f.Reason), Detail: publicSpec(strings.TrimRight(detail, "; "))}
}

// publicResults removes paths of this machine and the stderr of programs. An identity may have paths
// that are no files.
func publicResults(r *arena.Results) {
	r.Spawn = publicSpec(r.Spawn)
	for i := range r.Players {
		p := &r.Players[i]
		p.Name, p.Spec, p.Identity = publicSpec(p.Name), publicSpec(p.Spec), ""
		p.Games = slices.Clone(p.Games)
		for k := range p.Games {
			p.Games[k].Forfeit = publicForfeit(p.Games[k].Forfeit)
		}
	}
}

// experimentOf returns the statistics of finished games that the page shows.
func experimentOf(info wire.ExperimentInfo, r *arena.Results) *wire.Experiment {
	publicResults(r)
	return r.Experiment(publicInfo(info))
}
