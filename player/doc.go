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
// Some players hold more than memory: exec(cmd="python3 bot.py") is a program of
// one's own, in any language, that speaks the protocol of package wire. So whoever
// makes a player ends it with [Close]. A program that fails loses its game, which
// [Forfeit] tells, and can play the next one.
//
// A preset is a name for a spec and takes its keys; [Catalog] lists all names.
// To add one, see CONTRIBUTING.md.
package player
