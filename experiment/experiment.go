package experiment

import (
	"context"
	"fmt"
	"slices"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
)

// Experiment is a stored experiment, together with what is needed to play it. It is not safe for concurrent
// use.
type Experiment struct {
	Plan *arena.Plan // as it is stored

	config *Config
	store  Store
	spawn  player.SpawnRule
	makers map[string]catalog.Maker // makers of the players that are ready to play, by identity
	older  map[string]bool          // identities of players that an entrant with the same spec replaces
}

func (c *Config) experiment(s Store, e *arena.Plan) *Experiment {
	return &Experiment{Plan: e, config: c, store: s, makers: map[string]catalog.Maker{}, older: map[string]bool{}}
}

// Begin adds the experiment e to the store s, with the entrants as its players. It sets e.Players and the
// identity of the spawn rule. The caller closes the store.
func (c *Config) Begin(ctx context.Context, s Store, e *arena.Plan, entrants []Entrant) (_ *Experiment, err error) {
	if len(entrants) == 0 {
		return nil, refuse("%w", ErrNoPlayers)
	}
	x := c.experiment(s, e)
	if e.Setup.SpawnIdentity, err = x.readSpawn(); err != nil {
		return nil, refuse("%w", err)
	}
	if err := CheckForesight(entrants, x.spawn); err != nil {
		return nil, err
	}
	if err := e.Setup.Check(); err != nil {
		return nil, refuse("%w", err)
	}
	if e.Setup.Stop.Sum != 0 && !x.spawn.Random {
		return nil, refuse("stored games can stop at a sum of tiles only with random spawns, not %s", e.Setup.Spawn)
	}
	signature, err := c.Program.signature(ctx)
	if err != nil {
		return nil, err
	}
	e.Players = nil
	for _, n := range entrants {
		x.makers[n.Identity] = n.Maker
		e.Players = append(e.Players, n.stored(c.Program.Version, signature))
	}
	return x, s.Create(ctx, e)
}

// Find returns the experiment with this name. If there is none, the error is arena.ErrUnknown. Call Extend
// before playing the experiment.
func (c *Config) Find(ctx context.Context, s Store, name string) (*Experiment, error) {
	e, err := s.Experiment(ctx, name)
	if err != nil {
		return nil, err
	}
	return c.experiment(s, e), nil
}

// Extension is the argument of Extend.
type Extension struct {
	Entrants []Entrant // entrants that do not take part yet are added to the experiment
	Games    int       // number of games requested from each player; it never lowers the experiment's number
	// If Match is true, the games end at a verdict. Then only the entrants play, or all players if there are
	// no entrants, and Games is a limit that is not stored.
	Match bool
}

// Extend adds games and players to an experiment that Find returned, and makes the players with missing games
// ready to play. If one of these players has changed, the error is a RefusalError, unless an entrant has the
// same spec: then the entrant is added as a new player, and the old one plays no more games (see Replaced).
func (x *Experiment) Extend(ctx context.Context, ext Extension) error {
	e := x.Plan
	if err := x.checkSpawn(ext.Entrants); err != nil {
		return err
	}
	counts, err := x.store.Count(ctx, e)
	if err != nil {
		return err
	}
	var playing []*arena.Player
	var signatures []string
	for i := range e.Players {
		p := &e.Players[i]
		named := slices.ContainsFunc(ext.Entrants, func(n Entrant) bool { return n.Identity == p.Identity })
		if !named && slices.ContainsFunc(ext.Entrants, func(n Entrant) bool { return n.Spec == p.Spec }) {
			x.older[p.Identity] = true
			continue
		}
		if counts[i] < max(ext.Games, e.Games) && (named || !ext.Match || len(ext.Entrants) == 0) {
			signature, err := x.admit(ctx, p, counts[i] > 0)
			if err != nil {
				return err
			}
			playing, signatures = append(playing, p), append(signatures, signature)
		}
	}
	fresh, err := x.fresh(ctx, ext.Entrants)
	if err != nil {
		return err
	}
	for i, p := range playing {
		if err := x.store.RecordVersion(ctx, e, p, x.config.Program.Version, signatures[i]); err != nil {
			return err
		}
	}
	games := ext.Games
	if ext.Match {
		games = 0 // ext.Games is a limit, which is not stored
	}
	if games <= e.Games && len(fresh) == 0 {
		return nil
	}
	return x.store.Extend(ctx, e, games, fresh)
}

// readSpawn parses the spawn rule and returns its identity.
func (x *Experiment) readSpawn() (identity string, err error) {
	if x.spawn, err = catalog.ParseSpawner(x.Plan.Setup.Spawn, x.config.Capabilities); err != nil {
		return "", err
	}
	return x.config.Identity(x.Plan.Setup.Spawn)
}

// checkSpawn parses the spawn rule. It returns an error if the rule has changed since the experiment was
// created, or if it does not suit the entrants.
func (x *Experiment) checkSpawn(entrants []Entrant) error {
	e := x.Plan
	now, err := x.readSpawn()
	if err != nil {
		return refuse("%s: %w", e.Name, err)
	}
	if err := CheckForesight(entrants, x.spawn); err != nil {
		return err
	}
	if before := e.Setup.SpawnIdentity; now != before {
		return refuse("%s: its spawn rule has changed from %s to %s: restore the old file, or begin another experiment",
			e.Name, arena.Short(before), arena.Short(now))
	}
	return nil
}

// fresh returns the entrants that are not players of the experiment yet, and makes them ready to play.
func (x *Experiment) fresh(ctx context.Context, entrants []Entrant) (fresh []arena.Player, err error) {
	signature := ""
	for _, n := range entrants {
		if x.Player(n.Identity) != nil {
			continue
		}
		if len(fresh) == 0 {
			if signature, err = x.config.Program.signature(ctx); err != nil {
				return nil, err
			}
		}
		x.makers[n.Identity] = n.Maker
		fresh = append(fresh, n.stored(x.config.Program.Version, signature))
	}
	return fresh, nil
}

// admit makes a stored player ready to play. It returns an error if the player has changed. It returns the
// signature to record with the player's games.
func (x *Experiment) admit(ctx context.Context, p *arena.Player, played bool) (signature string, err error) {
	name := x.Plan.Name
	m, err := catalog.Parse(p.Spec, x.config.Capabilities)
	if err != nil {
		return "", refuse("%s: %w", name, err)
	}
	now, err := x.config.identity(ctx, m, x.Plan.Setup.Size)
	if player.Forfeited(ctx, err) != nil || ctx.Err() != nil {
		return "", err
	}
	if err != nil {
		return "", refuse("%s: %w", name, err)
	}
	if now != p.Identity {
		otherwise := "add the new one as another player"
		if successor := x.Player(now); successor != nil {
			otherwise = fmt.Sprintf("continue without it: player %d is its new version", successor.Number)
		}
		return "", refuse("%s: player %d, %s, has changed since it played: it was %s, and is now %s:\nrestore the old one, or %s: arena run %s %s",
			name, p.Number, x.Plan.NameOf(p), arena.Short(p.Identity), arena.Short(now), otherwise, name, console.Quote(p.Spec))
	}
	x.makers[p.Identity] = m
	return x.config.Program.sameProgram(ctx, x.Plan.Name, p, played, x.config.AnyVersion)
}

// Player returns the player with this identity; nil if there is none.
func (x *Experiment) Player(identity string) *arena.Player {
	for i := range x.Plan.Players {
		if p := &x.Plan.Players[i]; p.Identity == identity {
			return p
		}
	}
	return nil
}

// Playing returns the players that are ready to play: after Extend, those with missing games.
func (x *Experiment) Playing() []arena.Player {
	return x.players(func(identity string) bool { return x.makers[identity].New != nil })
}

// Replaced returns the players that play no more games: their files, names or versions have changed since
// they played, and entrants with the same specs were given to Extend instead.
func (x *Experiment) Replaced() []arena.Player {
	return x.players(func(identity string) bool { return x.older[identity] })
}

// Current returns the players that still play: all except the replaced ones.
func (x *Experiment) Current() []arena.Player {
	return x.players(func(identity string) bool { return !x.older[identity] })
}

func (x *Experiment) players(are func(identity string) bool) []arena.Player {
	return slices.DeleteFunc(slices.Clone(x.Plan.Players), func(p arena.Player) bool { return !are(p.Identity) })
}
