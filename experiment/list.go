package experiment

import (
	"context"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Listed is an experiment of a store, in the way arena list --json writes it.
type Listed struct {
	Name    string         `json:"experiment"`
	Created time.Time      `json:"created"`
	Hash    string         `json:"hash"`
	Size    board.Size     `json:"size"`
	Spawn   string         `json:"spawn"`
	Seed    uint64         `json:"seed"`
	Until   int64          `json:"until,omitempty"`
	Goal    string         `json:"goal,omitempty"`
	Starts  int            `json:"start_boards,omitempty"`
	Games   int            `json:"games"`
	Kind    string         `json:"kind,omitempty"` // "imported" if the games were played elsewhere
	Players []ListedPlayer `json:"players"`
}

// ListedPlayer is a player of a Listed experiment.
type ListedPlayer struct {
	Number      int      `json:"number"`
	Player      string   `json:"player"`
	Name        string   `json:"name,omitempty"` // for reports, if it is not the spec
	Identity    string   `json:"identity"`
	Versions    []string `json:"versions"`
	Games       int      `json:"games"` // kept
	Foresees    bool     `json:"foresees,omitempty"`
	TimeLimited bool     `json:"time_limited,omitempty"`
}

// List lists the experiments of a store.
func List(ctx context.Context, s Store) (list []Listed, err error) {
	all, err := s.Experiments(ctx)
	if err != nil {
		return nil, err
	}
	for i := range all {
		e := &all[i]
		counts, err := s.Count(ctx, e)
		if err != nil {
			return nil, err
		}
		line := Listed{e.Name, e.Created, e.Setup.Hash(), e.Setup.Size, e.Setup.Spawn, e.Setup.Seed, e.Setup.Until(), e.Setup.GoalText(), e.Setup.Starts.Len(), e.Games, "", []ListedPlayer{}}
		if e.Setup.Imported() {
			line.Kind = arena.Imported
		}
		names := e.Names()
		for k, p := range e.Players {
			if names[k] == p.Spec {
				names[k] = ""
			}
			line.Players = append(line.Players, ListedPlayer{p.Number, p.Spec, names[k], p.Identity, append([]string{}, p.Versions...), counts[k], p.Foresees, p.TimeLimited})
		}
		list = append(list, line)
	}
	return list, nil
}

// Progress is how many games are finished, and how many there are to be.
func (l *Listed) Progress() (finished, wanted int) {
	for _, p := range l.Players {
		finished += p.Games
		wanted += max(l.Games, p.Games)
	}
	return finished, wanted
}
