package experiment

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/player/spec"
)

// Lookup returns the experiment of a name. If there is none, the error suggests a similar name; it
// is a RefusalError and a arena.ErrUnknown.
func Lookup(ctx context.Context, s Store, name string) (*arena.Plan, error) {
	e, err := s.Experiment(ctx, name)
	if !errors.Is(err, arena.ErrUnknown) {
		return e, err
	}
	all, listed := s.Experiments(ctx)
	if listed != nil {
		return nil, listed
	}
	var names []string
	for _, e := range all {
		names = append(names, e.Name)
	}
	if len(names) == 0 {
		return nil, refuse(NotFound, "%w: there are none", err)
	}
	return nil, refuse(NotFound, "%w: %s", err, spec.Suggest(name, names))
}

// LookupPlayer returns a player of an experiment by number, name or spec; "" is the only player. A
// spec of several players is that of the last one.
func LookupPlayer(e *arena.Plan, which string) (*arena.Player, error) {
	if which == "" && len(e.Players) == 1 {
		return &e.Players[0], nil
	}
	number, err := strconv.Atoi(which)
	var specs []string
	names := e.Names()
	var found *arena.Player
	for i := range e.Players {
		p := &e.Players[i]
		switch {
		case names[i] == which || err == nil && p.Number == number:
			return p, nil
		case p.Spec == which:
			found = p
		}
		specs = append(specs, fmt.Sprintf("%d (%s)", p.Number, names[i]))
	}
	if found != nil {
		return found, nil
	}
	if which == "" {
		return nil, refuse(NotFound, "%s has %d players: want one of them, as in %s/1: %s", e.Name, len(e.Players), e.Name, strings.Join(specs, ", "))
	}
	return nil, refuse(NotFound, "%s has no player %s: want %s", e.Name, which, strings.Join(specs, ", "))
}

// Member is a player of an experiment in a store.
type Member struct {
	Experiment *arena.Plan
	Player     *arena.Player
}

func (m Member) String() string { return m.Experiment.Name + "/" + m.Experiment.NameOf(m.Player) }

// LookupMember parses EXPERIMENT/PLAYER; PLAYER is optional if there is only one.
func LookupMember(ctx context.Context, s Store, text string) (Member, error) {
	name, which, _ := strings.Cut(text, "/")
	e, err := Lookup(ctx, s, name)
	if err != nil {
		return Member{}, err
	}
	p, err := LookupPlayer(e, which)
	return Member{e, p}, err
}

// LookupGame returns a game by EXPERIMENT/PLAYER/NUMBER or EXPERIMENT/NUMBER.
func LookupGame(ctx context.Context, s Store, text string) (Member, *arena.Recorded, error) {
	cut := strings.LastIndexByte(text, '/')
	number, err := strconv.ParseUint(text[cut+1:], 10, 64)
	if cut < 0 || err != nil {
		return Member{}, nil, refuse(NotFound, "game %q: want EXPERIMENT/PLAYER/NUMBER such as first/greedy/0", text)
	}
	m, err := LookupMember(ctx, s, text[:cut])
	if err != nil {
		return Member{}, nil, err
	}
	r, err := s.Recorded(ctx, m.Experiment, m.Player, number)
	return m, r, err
}
