// Package catalog creates players from specs such as expectimax(eval=gradient,plies=2).
//
// [Parse] reads and validates a spec. It returns a [Maker], which creates players. Each concurrent game
// needs its own player:
//
//	maker, err := catalog.Parse("auto", catalog.Capabilities{})
//	d := player.Driver{Player: maker.New()}
//	defer d.Close()
//	d.Start(seed, game, nil)
//	decision, err := d.Ask(ctx, search.NewQuery(b, score))
//
// [ParseSpawner] does the same for spawn rules. [Capabilities] restrict what specs may use. The zero value is for
// untrusted specs, which may name no files, no programs, and no network other than the embedded one. The embedded
// network is loaded on first use and takes about 270 MB; [NoNetworks] disables it.
//
// A preset is a short name for a spec. It accepts the keys of that spec. [List] returns all names. To add a name, see
// CONTRIBUTING.md.
package catalog
