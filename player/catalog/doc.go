// Package catalog creates players from specs such as
//
//	expectimax(eval=gradient,plies=2)
//
// [Parse] reads and validates a spec. The [Maker] it returns creates players; concurrent games need
// one each:
//
//	maker, err := catalog.Parse("auto", catalog.Capabilities{})
//	d := player.Driver{Player: maker.New()}
//	defer d.Close()
//	d.Start(seed, game, nil)
//	decision, err := d.Ask(ctx, search.NewQuery(b, score))
//
// [ParseSpawner] does the same for spawn rules. [Capabilities] restrict what specs may use: the
// zero value is for untrusted specs, which may name no files, no programs and no network except the
// embedded one. That network is loaded on first use and takes about 270 MB; [NoNetworks] disables
// it.
//
// A preset is a name for a spec and accepts its keys; [List] returns all names. To add one, see
// CONTRIBUTING.md.
package catalog
