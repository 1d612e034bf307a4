// Package catalog makes players from specs such as
//
//	expectimax(eval=gradient,plies=2)
//
// [Parse] reads and checks a spec. The [Maker] it returns makes as many players as there
// are games at once:
//
//	maker, err := catalog.Parse("auto", catalog.Capabilities{})
//	d := player.Driver{Player: maker.New()}
//	defer d.Close()
//	d.Start(seed, game, nil)
//	decision, err := d.Ask(ctx, search.NewQuery(b, score))
//
// [ParseSpawner] does the same for spawn rules. [Capabilities] limit what specs may do:
// the zero value is for specs from strangers, which may name no files, no programs and no
// networks but the one that comes with the program. That one is loaded when a player
// first needs it and takes some 270 MB; [NoNetworks] does without it.
//
// A preset is a name for a spec and takes its keys; [Catalog] lists all names.
// To add one, see CONTRIBUTING.md.
package catalog
