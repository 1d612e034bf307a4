// Package player turns a spec such as
//
//	expectimax(eval=gradient,plies=2)
//
// into a [Player]. [Parse] reads the spec and checks it, the [Maker] it returns
// makes as many players as there are games at once:
//
//	maker, err := player.Parse("snake(depth=2)", player.Capabilities{})
//	p := maker.New()
//	p.Start(seed, game)
//	decision, err := p.Decide(ctx, search.Query{Position: eval.Position{Board: b}})
//
// A preset is a name for a spec and takes its keys; [Catalog] lists all names.
// To add one, see CONTRIBUTING.md.
package player
